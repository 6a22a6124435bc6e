/// Creates voice sessions; reached as `RunAnywhere.voice`.
public struct VoiceNamespace: Sendable {
  /// What the agent is told when `LlmOptions.systemPrompt` is nil.
  public static let defaultSystemPrompt =
    "You are a friendly voice assistant. Answer in one or two short spoken sentences."

  init() {}

  /// A session with models of the catalogue, downloaded and loaded as needed. The turn detector is
  /// loaded too where it can be; without it the words alone end a turn, and a diagnostic says so.
  ///
  /// - Parameters:
  ///   - stt: the recognizer.
  ///   - llm: the language model.
  ///   - tts: the voice; its `voice` selects one inside the model.
  ///   - vad: nil is `VadOptions()`; the model is always the built-in one.
  ///   - turnHandling: nil is `TurnHandlingOptions()`.
  ///   - generation: nil is `LlmOptions()` with a system prompt for speech.
  ///   - downloadIfNeeded: false fails rather than download a missing model.
  ///   - devices: where it hears and speaks; nil takes what `VoiceDevices.setStandard` registered.
  ///
  /// Throws `SDKException`: `notInitialized`, `modelNotFound`, `modelLoadFailed`,
  /// `modelIncompatible` when a model is of another kind, `voiceNotAvailable`, `downloadFailed`.
  public func createSession(
    stt: ModelRef, llm: ModelRef, tts: ModelRef, vad: VadOptions? = nil,
    turnHandling: TurnHandlingOptions? = nil, generation: LlmOptions? = nil,
    downloadIfNeeded: Bool = true, devices: VoiceDevices? = nil
  ) async throws -> VoiceSession {
    try RunAnywhere.requireInitialized()
    func load(_ id: String) async throws -> LoadedEngine {
      try await RunAnywhere.loadEngine(id, downloadIfNeeded: downloadIfNeeded)
    }
    guard case .vad(let vadEngine) = try await load("silero-vad") else {
      throw Self.mismatch("silero-vad", "vad")
    }
    guard case .stt(let sttEngine) = try await load(stt.id) else {
      throw Self.mismatch(stt.id, "stt")
    }
    guard case .llm(let llmEngine) = try await load(llm.id) else {
      throw Self.mismatch(llm.id, "llm")
    }
    guard case .tts(let ttsEngine) = try await load(tts.id) else {
      throw Self.mismatch(tts.id, "tts")
    }
    if let voice = tts.voice, !ttsEngine.voices.isEmpty, !ttsEngine.voices.contains(voice) {
      throw SDKException(
        .voiceNotAvailable, category: .validation, "\"\(tts.id)\" has no voice \"\(voice)\".",
        recoverySuggestion: "Choose one of: \(ttsEngine.voices.joined(separator: ", ")).")
    }
    var engines = VoiceEngines(vad: vadEngine, stt: sttEngine, llm: llmEngine, tts: ttsEngine)
    try await engines.loadTurnDetector(load)
    let session = createSession(
      engines: engines, voice: tts.voice, vad: vad, turnHandling: turnHandling,
      generation: generation, devices: try devices ?? VoiceDevices.makeStandard())
    SessionRoster.shared.add(session)
    return session
  }

  /// A session with engines that are loaded already and that other sessions may share. The caller
  /// closes it; `RunAnywhere.reset` does not.
  public func createSession(
    engines: VoiceEngines, voice: String? = nil, vad: VadOptions? = nil,
    turnHandling: TurnHandlingOptions? = nil, generation: LlmOptions? = nil,
    devices: VoiceDevices? = nil
  ) -> VoiceSession {
    var generation = generation ?? LlmOptions()
    generation.systemPrompt = generation.systemPrompt ?? Self.defaultSystemPrompt
    let settings = TurnMachine.Settings(
      vad: vad ?? VadOptions(), turns: turnHandling ?? TurnHandlingOptions())
    return VoiceSession(
      engines: engines, voice: voice, settings: settings, generation: generation, devices: devices)
  }

  private static func mismatch(_ id: String, _ kind: String) -> SDKException {
    SDKException(
      .modelIncompatible, category: .model, "\"\(id)\" is no model of kind \(kind).",
      recoverySuggestion: "Choose one of RunAnywhere.models.list with that category.")
  }
}
