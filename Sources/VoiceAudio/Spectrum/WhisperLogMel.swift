/// Whisper's log-mel features of speech at 16 kHz, for recognizers and, of the newest 8 s, for turn detectors.
///
/// Frame k is centred on sample 160 k: a periodic Hann window of 400 samples, the ends mirrored, a
/// transform of 400 points, 80 bands on Slaney's mel scale from 0 to 8 kHz. A band's power, at least
/// 1e-10, becomes (log10 + 4) / 4, and nothing lies more than 2 below the largest value. Formulas:
/// OpenAI's Whisper, Hugging Face's feature extractor.
public enum WhisperLogMel {
  /// Samples per second that the features are made for.
  public static let sampleRate = 16_000
  /// Samples that a turn detector's features cover: 8 s.
  public static let length = 128_000
  /// Frames of a turn detector's features, one every 10 ms.
  public static let frames = length / hop
  /// Values of one frame, where a model does not want another number.
  public static let bands = 80
  /// Samples from one frame to the next.
  public static let hop = 160

  private static let window = 400
  private static let bins = 201

  /// Features of the last 8 s of `samples`, silence put before shorter sound, the whole brought to zero
  /// mean and unit variance: band after band, `bands` x `frames` values.
  public static func features(_ samples: [Float]) -> [Float] { spectrogram(normalized(samples)) }

  /// Features of whole sound at 16 kHz, -1...1; what is no number counts as 0. `bands` is 80 or what the model
  /// wants, 1 or more. Band after band, `bands` x `samples.count / hop` values.
  public static func spectrogram(_ samples: [Float], bands: Int = bands) -> [Float] {
    let frames = samples.count / hop
    let bands = max(1, bands)
    let samples = samples.map { $0.isFinite ? $0 : 0 }
    let transform = EvenDFT(rows: 25)
    let (first, count, weights) = MelBands.slaney(
      count: bands, bins: bins, sampleRate: Double(sampleRate))
    let shape = (0..<window).map { index in
      Float(0.5 - 0.5 * PureMath.sinCos(turns: Double(index) / Double(window)).cos)
    }
    var features = [Float](repeating: 0, count: bands * frames)
    var frame = [Float](repeating: 0, count: window)
    var power = [Float](repeating: 0, count: bins)
    for position in 0..<frames {
      let start = position * hop - window / 2
      if start >= 0, start + window <= samples.count {
        for index in 0..<window { frame[index] = samples[start + index] * shape[index] }
      } else {
        for index in 0..<window {
          frame[index] = samples[mirrored(start + index, samples.count)] * shape[index]
        }
      }
      frame.withUnsafeBufferPointer { frame in
        power.withUnsafeMutableBufferPointer { transform.power(of: frame, into: $0) }
      }
      var weight = 0
      for band in 0..<bands {
        var sum: Float = 0
        for bin in first[band]..<(first[band] + count[band]) {
          sum += power[bin] * weights[weight]
          weight += 1
        }
        features[band * frames + position] = PureMath.log(max(sum, 1e-10)) * 0.434_294_48
      }
    }
    let floor = (features.max() ?? 0) - 8
    for index in features.indices { features[index] = (max(features[index], floor) + 4) / 4 }
    return features
  }

  /// The place of a sample that lies beyond an end, mirrored there.
  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    let inside = index < 0 ? -index : index < count ? index : 2 * (count - 1) - index
    return min(max(inside, 0), count - 1)  // sound shorter than half a window
  }

  private static func normalized(_ samples: [Float]) -> [Float] {
    var sound = [Float](repeating: 0, count: length)
    let tail = samples.suffix(length)
    var index = length - tail.count
    for sample in tail {
      sound[index] = sample.isFinite ? max(-8, min(8, sample)) : 0
      index += 1
    }
    var sum = 0.0
    for sample in sound { sum += Double(sample) }
    let mean = sum / Double(length)
    var squares = 0.0
    for sample in sound { squares += (Double(sample) - mean) * (Double(sample) - mean) }
    let scale = 1 / (squares / Double(length) + 1e-7).squareRoot()
    for index in sound.indices { sound[index] = Float((Double(sound[index]) - mean) * scale) }
    return sound
  }
}
