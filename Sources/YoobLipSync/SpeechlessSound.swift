import Foundation

/// Sounds in which nobody speaks, 16 kHz, made from a seed.
package enum SpeechlessSound: String, CaseIterable, Sendable {
  case silence, noise, breath, hum, knocks

  /// Samples of a number of seconds; levels lie between -62 and -30 dBFS and change every four seconds.
  package func samples(seconds: Int) -> [Float] {
    var state = UInt64(7 + (Self.allCases.firstIndex(of: self) ?? 0))
    func unit() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / 16_777_216
    }
    var out: [Float] = []
    out.reserveCapacity(seconds * 16_000)
    var smooth: Float = 0
    for second in stride(from: 0, to: seconds, by: 4) {
      let level = powf(10, (-62 + 32 * Float((second / 4) % 5) / 4) / 20)
      let period = 1.6 + 1.2 * unit()
      for index in 0..<(min(4, seconds - second) * 16_000) {
        let time = Float(index) / 16_000
        // Uniform noise of root mean square 1.
        let white = (unit() - 0.5) * 3.4641
        switch self {
        case .silence: out.append(0)
        case .noise: out.append(white * level)
        case .breath:
          // Air: noise without its lowest and highest parts, which swells and fades.
          smooth += (white - smooth) * 0.45
          let swell = powf(max(0, sinf(2 * .pi * time / period)), 2)
          out.append((smooth - white * 0.2) * swell * level * 2)
        case .hum:
          let wave = (1...5).reduce(Float(0)) { $0 + sinf(2 * .pi * 50 * Float($1) * time) / Float($1) }
          out.append((wave + white * 0.1) * level)
        case .knocks:
          let since = time.truncatingRemainder(dividingBy: 0.7)
          out.append(white * (level * 4 * expf(-since * 60) + 0.0008))
        }
      }
    }
    return out.map { max(-1, min(1, $0)) }
  }
}
