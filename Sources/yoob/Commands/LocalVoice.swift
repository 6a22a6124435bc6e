import Foundation
import RunAnywhere
import RunAnywhereHibari
import RunAnywhereLlama
import RunAnywhereSherpa
import VoiceIO
import YoobFace
import YoobLocalVoice
import YoobWire

/// The default models in memory, shared by every conversation.
actor LocalVoice {
  private static let models = [
    (id: "silero-vad", name: "turn detection"),
    (id: "sherpa-onnx-whisper-tiny.en", name: "speech recognition"),
    (id: "hibari-heart", name: "Luna's voice"),
    (id: "smollm2-135m-instruct-q4_1", name: "the language model"),
  ]

  private var engines: VoiceEngines?

  /// Loads what is not loaded; `note` is told each step. Throws `SDKException`.
  func load(_ note: @Sendable (String) -> Void) async throws {
    guard engines == nil else { return }
    RunAnywhereSherpa.register()
    RunAnywhereHibari.register()
    RunAnywhereLlama.register()
    var loaded: [LoadedEngine] = []
    for (step, model) in Self.models.enumerated() {
      note("Loading \(model.name) (\(model.id)), \(step + 1) of \(Self.models.count)…")
      loaded.append(try await RunAnywhere.models.load(model.id).engine)
    }
    guard case .vad(let vad) = loaded[0], case .stt(let stt) = loaded[1],
      case .tts(let tts) = loaded[2], case .llm(let llm) = loaded[3]
    else {
      throw SDKException(
        .modelIncompatible, category: .model, "A default model is not of the kind it should be.",
        recoverySuggestion: "Run `yoob models verify`.")
    }
    // The first use of an engine is slow; the user's first turn should not be.
    note("Warming up…")
    _ = try await tts.synthesize("Hello.", options: TtsOptions())
    _ = try await stt.transcribe([Float](repeating: 0, count: 16_000), options: SttOptions())
    engines = VoiceEngines(vad: vad, stt: stt, llm: llm, tts: tts)
  }

  /// A partner for one conversation.
  func makeAgent(_ configuration: SpeechAgentConfiguration) async throws -> any SpeechAgent {
    guard let engines else {
      throw SDKException(
        .componentNotReady, category: .component, "The models are not loaded yet.",
        recoverySuggestion: "Try again in a moment.")
    }
    var generation = LlmOptions()
    // Each token becomes speech that the user waits through.
    generation.maxOutputTokens = 120
    return LocalVoiceAgent(
      engines: engines, configuration: configuration, generation: generation,
      visemes: Self.visemes)
  }

  /// Mouth frames of speech whose phones the voice has told.
  @Sendable private static func visemes(
    _ phones: [PhoneTiming], _ sampleCount: Int, _ sampleRate: Int
  ) -> [[Float]] {
    let mouth = phones.map { MouthPhone(symbol: $0.symbol, start: $0.start, end: $0.end) }
    let flat = PhoneMouth.frames(of: mouth, sampleRate: sampleRate, length: sampleCount)
    return stride(from: 0, to: flat.count - flat.count % 15, by: 15).map { Array(flat[$0..<$0 + 15]) }
  }
}
