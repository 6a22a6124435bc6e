import Foundation
import RunAnywhere
import VoiceIO

/// Real engines on a clock that waits for them: each answers after a fixed time of that clock, however
/// long its work took, so that runs are repeatable.
final class PatientEngines: Sendable {
  private let clock: any PacingClock
  private let work: RoomSession.Work
  private let busy = Guarded(0)

  init(work: RoomSession.Work, clock: any PacingClock) {
    self.work = work
    self.clock = clock
  }

  /// Whether an engine is at work.
  var isBusy: Bool { busy.withLock { $0 } > 0 }

  func wrap(_ engines: VoiceEngines) -> VoiceEngines {
    var wrapped = engines
    wrapped.stt = PatientStt(engine: engines.stt, patience: self)
    wrapped.llm = PatientLlm(engine: engines.llm, patience: self)
    wrapped.tts = PatientTts(engine: engines.tts, patience: self)
    wrapped.turn = engines.turn.map { PatientTurnDetector(engine: $0, patience: self) }
    return wrapped
  }

  private func during<Result>(_ body: () async throws -> Result) async throws -> Result {
    busy.withLock { $0 += 1 }
    defer { busy.withLock { $0 -= 1 } }
    return try await body()
  }

  private struct PatientStt: SttEngine {
    let engine: any SttEngine
    let patience: PatientEngines

    func transcribe(_ samples: [Float], options: SttOptions) async throws -> Transcription {
      let text = try await patience.during { try await engine.transcribe(samples, options: options) }
      await patience.clock.sleep(for: patience.work.stt)
      return text
    }
  }

  private struct PatientTurnDetector: TurnDetector {
    let engine: any TurnDetector
    let patience: PatientEngines
    var longestInput: Int { engine.longestInput }

    func completeness(_ samples: [Float]) async throws -> Float {
      let answer = try await patience.during { try await engine.completeness(samples) }
      await patience.clock.sleep(for: patience.work.turn)
      return answer
    }
  }

  private struct PatientTts: TtsEngine {
    let engine: any TtsEngine
    let patience: PatientEngines
    var sampleRate: Int { engine.sampleRate }
    var voices: [String] { engine.voices }

    func synthesize(_ text: String, options: TtsOptions) async throws -> SynthesizedSpeech {
      let sound = try await patience.during { try await engine.synthesize(text, options: options) }
      await patience.clock.sleep(for: patience.work.tts)
      return sound
    }
  }

  /// Writes all of the reply while the clock stands, then gives it piece by piece.
  private struct PatientLlm: MessageEndJudging {
    let engine: any LlmEngine
    let patience: PatientEngines

    func endLikelihood(of messages: [ChatMessage], options: LlmOptions) async -> Float? {
      guard let judge = engine as? any MessageEndJudging,
        let value = try? await patience.during({
          await judge.endLikelihood(of: messages, options: options)
        })
      else { return nil }
      await patience.clock.sleep(for: patience.work.judgement)
      return value
    }

    func generate(
      _ messages: [ChatMessage], options: LlmOptions, onText: @escaping @Sendable (String) -> Bool
    ) async throws -> GenerationResult {
      let pieces = Guarded<[String]>([])
      let result = try await patience.during {
        try await engine.generate(messages, options: options) { piece in
          pieces.withLock { $0.append(piece) }
          return true
        }
      }
      var written = ""
      for (index, piece) in pieces.withLock({ $0 }).enumerated() {
        await patience.clock.sleep(for: index == 0 ? patience.work.firstToken : patience.work.token)
        if Task.isCancelled || !onText(piece) {
          return GenerationResult(text: written, finishReason: .cancelled, outputTokens: index)
        }
        written += piece
      }
      return result
    }
  }
}
