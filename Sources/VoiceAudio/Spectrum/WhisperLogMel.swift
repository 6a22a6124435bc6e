/// Whisper's log-mel features of the newest 8 s of speech, as turn detectors read them.
///
/// The sound is brought to zero mean and unit variance. Frame k is centred on sample 160 k: a periodic
/// Hann window of 400 samples, the ends mirrored, a transform of 400 points, 80 bands on Slaney's mel
/// scale from 0 to 8 kHz. A band's power, at least 1e-10, becomes (log10 + 4) / 4, and nothing lies more
/// than 2 below the largest value. Formulas: OpenAI's Whisper, Hugging Face's feature extractor.
public enum WhisperLogMel {
  /// Samples per second that the features are made for.
  public static let sampleRate = 16_000
  /// Samples that the features cover: 8 s.
  public static let length = 128_000
  /// Frames, one every 10 ms.
  public static let frames = 800
  /// Values of one frame.
  public static let bands = 80

  private static let hop = 160
  private static let window = 400
  private static let bins = 201

  /// Features of the last 8 s of `samples`, silence put before shorter sound: band after band,
  /// `bands` x `frames` values.
  public static func features(_ samples: [Float]) -> [Float] {
    let sound = normalized(samples)
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
      for index in 0..<window { frame[index] = sound[mirrored(start + index)] * shape[index] }
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
  private static func mirrored(_ index: Int) -> Int {
    index < 0 ? -index : index < length ? index : 2 * (length - 1) - index
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
