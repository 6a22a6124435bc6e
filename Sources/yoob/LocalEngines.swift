import Foundation
import RunAnywhere
import RunAnywhereHTTP
import RunAnywhereHibari
import RunAnywhereLlama
import RunAnywhereSherpa
import VoiceIO

/// The engines of this program, loaded from the models on this machine.
enum LocalEngines {
  /// Which models a conversation uses; nil takes the default of its kind.
  struct Choice: Sendable {
    var stt: String?
    var llm: String?
    var tts: String?
    /// Threads of each engine; 0 chooses.
    var threads = 0

    /// The options of commands that hold conversations.
    static let options: Set<String> = ["--stt", "--llm", "--tts"]

    static let usage = """
        --stt ID, --tts ID    the models that hear and speak (yoob models list)
        --llm ID|ADDRESS      the language model: one of that list, or the address of
                              an OpenAI-compatible server with the model's name
                              behind #, such as http://127.0.0.1:11434/v1#llama3.2;
                              its key, if it wants one, is taken from YOOB_LLM_KEY
        --system-prompt TEXT  who the agent is
      """

    init() {}

    /// Reads the options. Throws where a name is none of the catalogue's or an address cannot be one.
    init(_ arguments: Arguments) throws {
      (stt, llm, tts) = (arguments["--stt"], arguments["--llm"], arguments["--tts"])
      for id in [stt, tts].compactMap({ $0 }) { _ = try RunAnywhere.models.get(id) }
      if let llm, try LocalEngines.server(llm) == nil { _ = try RunAnywhere.models.get(llm) }
    }
  }

  /// Makes every engine known to the SDK and starts it. Safe to call again.
  static func prepare() throws {
    MemorySettings.holdLittle()
    RunAnywhereSherpa.register()
    RunAnywhereHibari.register()
    RunAnywhereLlama.register()
    if !RunAnywhere.isInitialized { try RunAnywhere.initialize() }
  }

  /// One model of several that are being loaded.
  struct Step: Sendable {
    /// What the model does, such as "speech recognition".
    let name: String
    let model: String
    /// 1 for the first.
    let number: Int
    let count: Int
  }

  /// Loads every engine of a conversation, and says which before each.
  static func load(
    _ choice: Choice, onStep: (Step) -> Void = { _ in }
  ) async throws -> VoiceEngines {
    func say(_ number: Int, _ name: String, _ id: String?, _ category: ModelInfo.Category) {
      let model = id ?? ModelCatalogue.defaultModel(category)?.id ?? "?"
      onStep(Step(name: name, model: model, number: number, count: 4))
    }
    say(1, "turn detection", nil, .vad)
    let vad = try await self.vad()
    say(2, "speech recognition", choice.stt, .stt)
    let stt = try await self.stt(choice.stt, threads: choice.threads)
    say(3, "the voice", choice.tts, .tts)
    let tts = try await self.tts(choice.tts, threads: choice.threads)
    say(4, "the language model", choice.llm, .llm)
    let llm = try await self.llm(choice.llm, threads: choice.threads)
    var engines = VoiceEngines(vad: vad, stt: stt, llm: llm, tts: tts)
    try await engines.loadTurnDetector { try await engine($0, .turn, threads: 1) }
    return engines
  }

  /// The same with a bar for the person who waits.
  static func load(_ choice: Choice, quiet: Bool) async throws -> VoiceEngines {
    let bar = ProgressBar("Loading models", isQuiet: quiet)
    defer { bar.finish() }
    return try await load(choice) { step in
      bar.update(Double(step.number - 1) / Double(step.count), remark: step.name)
    }
  }

  static func vad() async throws -> any VadEngine {
    guard case .vad(let engine) = try await engine(nil, .vad, threads: 1) else {
      throw wrongKind("silero-vad", "voice activity detection")
    }
    return engine
  }

  static func turn() async throws -> any TurnDetector {
    guard case .turn(let engine) = try await engine(nil, .turn, threads: 1) else {
      throw wrongKind("smart-turn-v3.2", "turn detection")
    }
    return engine
  }

  static func stt(_ id: String?, threads: Int) async throws -> any SttEngine {
    guard case .stt(let engine) = try await engine(id, .stt, threads: threads) else {
      throw wrongKind(id, "speech recognition")
    }
    return engine
  }

  static func llm(_ id: String?, threads: Int) async throws -> any LlmEngine {
    if let id, let server = try server(id) { return server }
    guard case .llm(let engine) = try await engine(id, .llm, threads: threads) else {
      throw wrongKind(id, "language")
    }
    return engine
  }

  /// The model behind an address; nil for the name of one of the catalogue.
  private static func server(_ id: String) throws -> HTTPLanguageModel? {
    guard id.contains("://") else { return nil }
    return try HTTPLanguageModel(id, key: ProcessInfo.processInfo.environment["YOOB_LLM_KEY"])
  }

  static func tts(_ id: String?, threads: Int) async throws -> any TtsEngine {
    guard case .tts(let engine) = try await engine(id, .tts, threads: threads) else {
      throw wrongKind(id, "voice")
    }
    return engine
  }

  private static func engine(
    _ id: String?, _ category: ModelInfo.Category, threads: Int
  ) async throws -> LoadedEngine {
    try prepare()
    guard let model = id ?? ModelCatalogue.defaultModel(category)?.id else {
      throw SDKException(
        .modelNotFound, category: .model, "The catalogue has no default \(category.rawValue) model.")
    }
    var options = LoadOptions()
    options.threads = min(threads, ProcessInfo.processInfo.activeProcessorCount)
    return try await RunAnywhere.models.load(model, options).engine
  }

  private static func wrongKind(_ id: String?, _ kind: String) -> SDKException {
    SDKException(
      .modelIncompatible, category: .model, "“\(id ?? "")” is not a \(kind) model.",
      recoverySuggestion: "`yoob models list` shows what each model does.")
  }
}
