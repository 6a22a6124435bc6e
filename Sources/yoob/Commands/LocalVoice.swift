import Foundation
import RunAnywhere
import VoiceIO
import YoobLocalVoice
import YoobWire

/// The models in memory, shared by every conversation.
actor LocalVoice {
  private let choice: LocalEngines.Choice
  private var engines: VoiceEngines?

  init(_ choice: LocalEngines.Choice) { self.choice = choice }

  /// Loads what is not loaded; `note` is told each step. Throws `SDKException`.
  func load(_ note: @Sendable (String) -> Void) async throws {
    guard engines == nil else { return }
    let loaded = try await LocalEngines.load(choice) { step in
      note("Loading \(step.name) (\(step.model)), \(step.number) of \(step.count)…")
    }
    // The first use of an engine is slow; the user's first turn should not be.
    note("Warming up…")
    _ = try await loaded.tts.synthesize("Hello.", options: TtsOptions())
    _ = try await loaded.stt.transcribe([Float](repeating: 0, count: 16_000), options: SttOptions())
    engines = loaded
  }

  /// A partner for one conversation.
  func makeAgent(_ configuration: SpeechAgentConfiguration) async throws -> any SpeechAgent {
    guard let engines else {
      throw SDKException(
        .componentNotReady, category: .component, "The models are not loaded yet.",
        recoverySuggestion: "Try again in a moment.")
    }
    return LocalVoiceAgent(
      engines: engines, configuration: configuration, generation: Luna.generation,
      visemes: { FilmMaker.visemes(of: $0, count: $1, rate: $2) })
  }
}
