import VoiceAudio
import VoiceIO
import YoobFace

/// A face engine that the sound's side and the picture's side share.
final class FaceBox: Sendable {
  private let engine: Guarded<FaceEngine>

  init(_ engine: FaceEngine) { self.engine = Guarded(engine) }

  /// Begins an utterance.
  func begin() { engine.withLock { $0.beginUtterance() } }

  /// Takes a chunk whose first sample is sample `start` of the utterance, ahead of its sound.
  func feed(_ chunk: SpeechChunk, start: Int) {
    let visemes =
      chunk.phones.isEmpty
      ? []
      : PhoneMouth.frames(
        of: chunk.phones.map { MouthPhone(symbol: $0.symbol, start: $0.start, end: $0.end) },
        sampleRate: chunk.sampleRate, length: chunk.samples.count)
    let prosody = chunk.prosody
    let rate = max(1, chunk.sampleRate)
    engine.withLock { engine in
      if !visemes.isEmpty {
        visemes.withUnsafeBufferPointer { engine.appendVisemes($0, startFrame: start * 100 / rate) }
      }
      if !prosody.isEmpty {
        prosody.interleaved.withUnsafeBufferPointer {
          engine.appendProsody($0, startFrame: start * 50 / rate)
        }
      }
      chunk.samples.withUnsafeBufferPointer { engine.appendAudio($0, sampleRate: rate) }
    }
  }

  /// The utterance has no more sound.
  func end() { engine.withLock { $0.endUtterance() } }

  /// Moves the face to a time and reads it, with nobody between.
  func advance<Result>(to time: Double, playhead: Double?, _ body: (FaceEngine) -> Result) -> Result {
    engine.withLock { engine in
      engine.advance(to: time, playhead: playhead)
      return body(engine)
    }
  }

  /// Changes how the face behaves.
  func change(_ body: (FaceEngine) -> Void) { engine.withLock { body($0) } }
}
