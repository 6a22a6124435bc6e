import VoiceAudio

/// Hears speech and says what the mouth does: 15 viseme weights every 10 ms.
///
/// A small causal network over log-mel features. Frame k describes the sound at k × 10 ms and appears
/// once `lookAhead` milliseconds after that moment have been pushed. Pieces of any size give the same
/// frames bit for bit, and so does every platform.
///
/// ```swift
/// let mouth = try SpeechToMouth(weights: bytes)
/// speech.withUnsafeBufferPointer { _ = mouth.push($0) }  // 16 kHz mono
/// mouth.finish()
/// let jaw = MouthShapes.morphs(of: Array(mouth.frames[0..<15]))[MouthMorph.jawOpen.rawValue]
/// ```
public final class SpeechToMouth {
  /// Samples per second of the speech.
  public static let sampleRate = 16_000
  /// Weights of one frame.
  public static let width = 15

  /// Milliseconds of sound after a moment that its frame needs, the window's end included.
  public let lookAhead: Double
  /// Weights of the frames `firstFrame`, `firstFrame` + 1, …, 15 each in the order of `Viseme`; the
  /// weights of a frame sum to 1.
  public private(set) var frames: [Float] = []
  /// Number of the first frame that `frames` still holds.
  public private(set) var firstFrame = 0
  /// Number of frames made since the stream began.
  public var frameCount: Int { firstFrame + frames.count / SpeechToMouth.width }

  private let network: MouthNetwork
  private let mel = LogMel()
  /// Frames that the network still has to see before it speaks about frame 0.
  private var unripe: Int
  private var received: Int64 = 0
  private var level: Float
  /// Frames since the last one that was no silence.
  private var quietRun = SpeechToMouth.longQuiet

  /// Mean log-mel below which a frame is silence to any listener: about -64 dBFS.
  private static let silent: Float = -8.5
  /// Frames of silence, the look-ahead included, after which the mouth is at rest; pauses inside words
  /// (the stops of p, t and k) are shorter.
  private static let longQuiet = 16

  /// A mouth with the weights of a `mouth.bin` file.
  public init(weights: [UInt8]) throws(MouthError) {
    network = try MouthNetwork(weights)
    unripe = network.lookAhead
    level = network.quietest
    let ahead = network.lookAhead * LogMel.hop + LogMel.ahead
    lookAhead = Double(ahead) * 1000 / Double(SpeechToMouth.sampleRate)
  }

  /// Takes the next samples (16 kHz, mono, -1...1) and returns how many frames they completed.
  @discardableResult
  public func push(_ samples: UnsafeBufferPointer<Float>) -> Int {
    received += Int64(samples.count)
    return feed(samples, until: .max)
  }

  /// Takes the next samples (16 kHz, mono, -1...1) and returns how many frames they completed.
  @discardableResult
  public func push(_ samples: [Float]) -> Int {
    samples.withUnsafeBufferPointer { push($0) }
  }

  /// Ends the stream as if silence followed and returns how many frames that completed.
  ///
  /// N samples give ceil(N / 160) frames in all. Call `reset()` before the next stream.
  @discardableResult
  public func finish() -> Int {
    let hop = Int64(LogMel.hop)
    let wanted = Int((received + hop - 1) / hop)
    var made = 0
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LogMel.hop) { silence in
      silence.initialize(repeating: 0)
      while frameCount < wanted { made += feed(UnsafeBufferPointer(silence), until: wanted) }
    }
    return made
  }

  /// Forgets the stream and its frames.
  public func reset() {
    frames.removeAll(keepingCapacity: true)
    firstFrame = 0
    received = 0
    unripe = network.lookAhead
    level = network.quietest
    quietRun = SpeechToMouth.longQuiet
    mel.reset()
    network.reset()
  }

  /// Drops the frames before `frame`, so that a long stream needs little memory.
  public func discard(before frame: Int) {
    let count = max(0, min(frame, frameCount) - firstFrame)
    frames.removeFirst(count * SpeechToMouth.width)
    firstFrame += count
  }

  private func feed(_ samples: UnsafeBufferPointer<Float>, until limit: Int) -> Int {
    let before = frameCount
    mel.push(samples) { features in
      normalize(features)
      network.step(UnsafeBufferPointer(features))
      if unripe > 0 {
        unripe -= 1
      } else if frameCount < limit {
        let atRest = quietRun >= SpeechToMouth.longQuiet
        for viseme in 0..<SpeechToMouth.width {
          frames.append(atRest ? (viseme == Viseme.sil.rawValue ? 1 : 0) : network.output[viseme])
        }
      }
    }
    return frameCount - before
  }

  /// Makes the features independent of the speaker's loudness: they are measured from a peak follower
  /// that rises at once, falls slowly and never below the level of a quiet room.
  private func normalize(_ features: UnsafeMutableBufferPointer<Float>) {
    var sum: Float = 0
    for feature in features { sum += feature }
    let mean = sum / Float(LogMel.bands)
    quietRun = mean < SpeechToMouth.silent ? min(quietRun + 1, SpeechToMouth.longQuiet) : 0
    level = max(mean, level - network.decay, network.quietest)
    for band in 0..<LogMel.bands { features[band] = (features[band] - level) * network.gain + 1 }
  }
}
