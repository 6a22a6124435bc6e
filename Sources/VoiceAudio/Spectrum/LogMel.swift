/// Streaming log-mel features of 16 kHz speech: 40 bands every 10 ms.
///
/// Frame k speaks of sample 160 k and sees 240 samples before it and 160 from it on: a Hann window of 400
/// samples, a 512-point transform, 40 triangular bands of equal width on the mel scale (2595 log10(1 + f / 700)) from 60 to 7,600 Hz, then
/// the natural logarithm of the band's power plus 1e-6. Samples before the stream count as zero. Frame k
/// appears as soon as sample 160 k + 159 has come; pieces of any size give the same frames.
public final class LogMel {
  /// Samples per second that the features are made for.
  public static let sampleRate = 16_000
  /// Samples from one frame to the next.
  public static let hop = 160
  /// Samples that one frame looks at.
  public static let window = 400
  /// Samples from the moment that a frame speaks of to the end of its window.
  public static let ahead = 160
  /// Values of one frame.
  public static let bands = 40

  private let fft = FFT(size: 512)
  private let shape: [Float]
  private var frame = [Float](repeating: 0, count: 512)
  private var power = [Float](repeating: 0, count: 257)
  /// The last `window` samples, oldest first, of which `filled` are there.
  private var recent = [Float](repeating: 0, count: LogMel.window)
  private var filled = LogMel.window - LogMel.ahead
  private let firstBin: [Int]
  private let binCount: [Int]
  private let weights: [Float]

  /// A front end that has heard nothing. Its tables are computed here, and nothing is allocated later.
  public init() {
    var shape: [Float] = []
    for index in 0..<LogMel.window {
      let (_, cosine) = PureMath.sinCos(turns: Double(index) / Double(LogMel.window))
      shape.append(Float(0.5 - 0.5 * cosine))
    }
    self.shape = shape
    (firstBin, binCount, weights) = MelBands.triangles(
      count: LogMel.bands, bins: 257, sampleRate: Double(LogMel.sampleRate), low: 60, high: 7600)
  }

  /// Forgets the stream.
  public func reset() {
    for index in 0..<recent.count { recent[index] = 0 }
    filled = LogMel.window - LogMel.ahead
  }

  /// Takes samples and hands every frame that is ready to `body` (40 values, valid during the call).
  public func push(
    _ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    var taken = 0
    while taken < samples.count {
      let count = min(LogMel.window - filled, samples.count - taken)
      for index in 0..<count {
        let sample = samples[taken + index]
        recent[filled + index] = sample.isFinite ? max(-8, min(8, sample)) : 0
      }
      taken += count
      filled += count
      if filled == LogMel.window {
        emit(body)
        for index in 0..<(LogMel.window - LogMel.hop) { recent[index] = recent[index + LogMel.hop] }
        filled -= LogMel.hop
      }
    }
  }

  private func emit(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
    frame.withUnsafeMutableBufferPointer { frame in
      recent.withUnsafeBufferPointer { recent in
        shape.withUnsafeBufferPointer { shape in
          for index in 0..<LogMel.window { frame[index] = recent[index] * shape[index] }
        }
      }
      power.withUnsafeMutableBufferPointer { fft.power(of: UnsafeBufferPointer(frame), into: $0) }
    }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LogMel.bands) { out in
      power.withUnsafeBufferPointer { power in
        weights.withUnsafeBufferPointer { weights in
          var weight = 0
          for band in 0..<LogMel.bands {
            var sum: Float = 0
            let first = firstBin[band]
            for bin in 0..<binCount[band] {
              sum += power[first + bin] * weights[weight]
              weight += 1
            }
            out.initializeElement(at: band, to: PureMath.log(sum + 1e-6))
          }
        }
      }
      body(out)
    }
  }
}
