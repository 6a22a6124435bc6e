import RunAnywhere
import VoiceIO

/// A voice that remembers what it made of each clause, so that what was heard can be compared with it.
final class RememberingVoice: TtsEngine {
  struct Clause: Sendable {
    let text: String
    let speech: SynthesizedSpeech
  }
  private let voice: any TtsEngine
  private let reuses: Bool
  private let made = Guarded<[String: Clause]>([:])

  /// `reuses` what was made of a text; without it the work is done each time.
  init(_ voice: any TtsEngine, reuses: Bool) {
    self.voice = voice
    self.reuses = reuses
  }

  var sampleRate: Int { voice.sampleRate }
  var voices: [String] { voice.voices }
  /// The newest of each text.
  var clauses: [Clause] { made.withLock { Array($0.values) } }

  func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech {
    if reuses, let known = made.withLock({ $0[text] }) { return known.speech }
    let speech = try await voice.synthesize(text, options: options)
    made.withLock { $0[text] = Clause(text: text, speech: speech) }
    return speech
  }
}
