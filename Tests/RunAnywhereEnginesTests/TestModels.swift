import Foundation
import RunAnywhere
import RunAnywhereHibari
import RunAnywhereLlama
import RunAnywhereSherpa
import Testing

/// The models that set-up prepared.
enum TestModels {
  static let folder: URL = {
    let home =
      ProcessInfo.processInfo.environment["YOOB_HOME"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".cache/yoob")
    return home.appendingPathComponent("models")
  }()

  static let vad = info("silero-vad", .vad, .sileroOnnx)
  static let turn = info("smart-turn-v3.2", .turn, .smartTurn)
  static let stt = info("sherpa-onnx-whisper-tiny.en", .stt, .whisperOnnx)
  static let llm = info("smollm2-135m-instruct-q4_1", .llm, .gguf)
  static let tts = info("hibari-heart", .tts, .hibari)

  static func info(_ id: String, _ category: ModelInfo.Category, _ format: ModelInfo.Format) -> ModelInfo {
    ModelInfo(
      id: id, name: id, category: category, format: format, files: [], licence: "", home: "")
  }

  static func folder(of model: ModelInfo) -> URL { folder.appendingPathComponent(model.id) }

  static func loadVad() async throws -> any VadEngine {
    let engine = try await SherpaProvider().load(vad, folder: folder(of: vad), options: LoadOptions())
    guard case .vad(let vad) = engine else { throw WrongKind() }
    return vad
  }

  static func loadTurn() async throws -> any TurnDetector {
    let engine = try await SherpaProvider().load(turn, folder: folder(of: turn), options: LoadOptions())
    guard case .turn(let turn) = engine else { throw WrongKind() }
    return turn
  }

  static func loadStt(threads: Int = 0) async throws -> any SttEngine {
    var options = LoadOptions()
    options.threads = threads
    let engine = try await SherpaProvider().load(stt, folder: folder(of: stt), options: options)
    guard case .stt(let stt) = engine else { throw WrongKind() }
    return stt
  }

  static func loadLlm(contextLength: Int = 0) async throws -> any PromptPrefilling {
    var options = LoadOptions()
    options.contextLength = contextLength
    let engine = try await LlamaProvider().load(llm, folder: folder(of: llm), options: options)
    guard case .llm(let llm) = engine, let prefilling = llm as? any PromptPrefilling else {
      throw WrongKind()
    }
    return prefilling
  }

  struct WrongKind: Error {}

  /// A copy of a model's folder whose file `name` is replaced by `bytes`; removed by the caller.
  static func folder(of model: ModelInfo, replacing name: String, by bytes: Data?) throws -> URL {
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    let original = folder(of: model)
    for file in try FileManager.default.contentsOfDirectory(atPath: original.path) where file != name {
      try FileManager.default.createSymbolicLink(
        at: copy.appendingPathComponent(file), withDestinationURL: original.appendingPathComponent(file))
    }
    try bytes?.write(to: copy.appendingPathComponent(name))
    return copy
  }
}

extension TestModels {
  /// One voice and one recognizer for all tests: both are free of state between calls.
  static let voice = Task { try await loadTts() }
  static let recognizer = Task { try await loadStt() }

  static func say(_ text: String, _ options: TtsOptions = TtsOptions()) async throws -> SynthesizedSpeech {
    try await voice.value.synthesize(text, options: options)
  }

  /// Speech at 16 kHz.
  static func spoken(_ text: String) async throws -> [Float] {
    var options = TtsOptions()
    options.sampleRate = 16_000
    return try await say(text, options).samples
  }

  static func loadTts() async throws -> any TtsEngine {
    let engine = try await HibariProvider().load(tts, folder: folder(of: tts), options: LoadOptions())
    guard case .tts(let tts) = engine else { throw WrongKind() }
    return tts
  }
}

/// Word errors of a heard text.
enum WordErrors {
  static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map { String($0) }
  }

  /// Insertions, deletions and replacements that turn `said` into `heard`.
  static func count(said: String, heard: String) -> Int {
    let a = words(said)
    let b = words(heard)
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
