import RunAnywhere
import YoobWire

/// A configuration of the protocol in a voice session's terms.
struct SessionSettings {
  /// Quickest end of a turn that a client may ask for, in milliseconds.
  private static let minimumSilenceMs = 100

  var generation: LlmOptions
  var vad = VadOptions()
  var turnHandling = TurnHandlingOptions()
  private let wantedVoice: String?

  init(_ configuration: SpeechAgentConfiguration, generation: LlmOptions) {
    self.generation = generation
    if let instructions = configuration.instructions { self.generation.systemPrompt = instructions }
    if let limit = configuration.maxOutputTokens {
      self.generation.maxOutputTokens = limit
      self.generation.softOutputTokens = nil
    }
    let silence = max(Self.minimumSilenceMs, configuration.silenceMs)
    vad.activationThreshold = Float(min(1, max(0.01, configuration.threshold)))
    vad.prefixPaddingMs = max(0, configuration.prefixPaddingMs)
    vad.minSilenceMs = min(vad.minSilenceMs, silence)
    turnHandling.endpointing = Endpointing(minDelayMs: silence, maxDelayMs: max(3000, silence))
    turnHandling.interruption.enabled = configuration.interruptsResponse
    wantedVoice = configuration.voice
  }

  /// The voice that was asked for, where the engine has it; nil keeps its own.
  func voice(of engine: any TtsEngine) -> String? {
    wantedVoice.flatMap { engine.voices.contains($0) ? $0 : nil }
  }
}
