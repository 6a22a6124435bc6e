extension MelBands {
  /// Triangular filters on Slaney's mel scale (linear up to 1 kHz, logarithmic above), each of area
  /// one over frequency in Hz, from 0 to half of `sampleRate`: those of Whisper and librosa.
  /// First bin, number of bins and weights (band after band) of each.
  static func slaney(
    count: Int, bins: Int, sampleRate: Double
  ) -> (first: [Int], count: [Int], weights: [Float]) {
    var first: [Int] = []
    var counts: [Int] = []
    var weights: [Float] = []
    let width = sampleRate / 2 / Double(bins - 1)
    let step = slaneyMel(sampleRate / 2) / Double(count + 1)
    for band in 0..<count {
      let left = slaneyHertz(Double(band) * step)
      let middle = slaneyHertz(Double(band + 1) * step)
      let right = slaneyHertz(Double(band + 2) * step)
      let area = 2 / (right - left)
      var used = 0
      for bin in 0..<bins {
        let hertz = Double(bin) * width
        let weight = min((hertz - left) / (middle - left), (right - hertz) / (right - middle))
        guard weight > 0 else { continue }
        if used == 0 { first.append(bin) }
        weights.append(Float(weight * area))
        used += 1
      }
      if used == 0 { first.append(0) }
      counts.append(used)
    }
    return (first, counts, weights)
  }

  /// ln(6.4) / 27, the step of the logarithmic part.
  private static let slaneyStep = 0.06875177742094912

  private static func slaneyMel(_ hertz: Double) -> Double {
    hertz < 1000 ? 3 * hertz / 200 : 15 + log(hertz / 1000) / slaneyStep
  }

  private static func slaneyHertz(_ mel: Double) -> Double {
    mel < 15 ? 200 * mel / 3 : 1000 * exp(slaneyStep * (mel - 15))
  }
}
