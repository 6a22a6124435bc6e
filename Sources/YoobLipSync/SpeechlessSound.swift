import Foundation

/// Sounds in which nobody speaks to the character, 16 kHz, made from a seed.
package enum SpeechlessSound: String, CaseIterable, Sendable {
  /// `music` is chords, a tune and a beat; `voices` are two people far away, 12 dB lower than the rest.
  case silence, noise, breath, hum, knocks, music, voices

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
    var people = [DistantVoice(pitch: 118, seed: 21), DistantVoice(pitch: 205, seed: 22)]
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
        case .music:
          out.append((Self.music(at: Float(second) + time) + white * 0.02) * level)
        case .voices:
          out.append(people.indices.reduce(white * 0.05) { $0 + people[$1].next() } * level * 0.25)
        }
      }
    }
    return out.map { max(-1, min(1, $0)) }
  }

  /// Four chords of two seconds each, a note every half a second and a beat, at about root mean square 1.
  private static func music(at time: Float) -> Float {
    let roots: [Float] = [220, 174.61, 261.63, 196]
    let steps: [Float] = [1, 1.25, 1.5, 2, 1.5, 1.25, 1.125, 1.5]
    let root = roots[Int(time / 2) % roots.count]
    var sum: Float = 0
    for third in [1, 1.25, 1.5] as [Float] {
      let phase = 2 * Float.pi * (root * third * time).truncatingRemainder(dividingBy: 1)
      sum += 0.45 * (sinf(phase) + 0.4 * sinf(2 * phase) + 0.2 * sinf(3 * phase))
    }
    let beat = time.truncatingRemainder(dividingBy: 0.5)
    let tone = 2 * root * steps[Int(time * 2) % steps.count]
    let note = 2 * Float.pi * (tone * time).truncatingRemainder(dividingBy: 1)
    sum += expf(-beat * 5) * (sinf(note) + 0.3 * sinf(2 * note) + 0.15 * sinf(4 * note))
    return sum + 1.5 * expf(-beat * 30) * sinf(2 * .pi * 70 * beat)
  }
}

/// A person who talks too far away to be understood: pulses of the voice through three resonances that wander
/// from vowel to vowel, hissing consonants between them, and pauses. Two of them have about root mean square 1.
private struct DistantVoice {
  private static let vowels: [(Float, Float, Float)] = [
    (730, 1090, 2440), (530, 1840, 2480), (270, 2290, 3010), (570, 840, 2410), (300, 870, 2240),
  ]

  private let pitch: Float
  private var state: UInt64
  private var phase: Float = 0
  private var left = 0
  private var length = 1
  private var hiss: Float = 0
  private var loudness: Float = 0
  private var goal: (Float, Float, Float) = (500, 1500, 2500)
  private var now: (Float, Float, Float) = (500, 1500, 2500)
  private var memory = [(Float, Float)](repeating: (0, 0), count: 3)

  init(pitch: Float, seed: UInt64) {
    self.pitch = pitch
    state = seed
  }

  private mutating func unit() -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Float(state >> 40) / 16_777_216
  }

  mutating func next() -> Float {
    if left == 0 { syllable() }
    left -= 1
    let part = 1 - Float(left) / Float(length)
    let swell = sinf(.pi * part)
    phase += pitch * (1.1 - 0.2 * part) / 16_000
    var sound: Float = 0
    if phase >= 1 {
      phase -= 1
      sound = 40 * loudness * swell
    }
    // A consonant at the start of a syllable.
    if part < 0.25 { sound += (unit() - 0.5) * hiss }
    now.0 += (goal.0 - now.0) * 0.001
    now.1 += (goal.1 - now.1) * 0.001
    now.2 += (goal.2 - now.2) * 0.001
    let lower = resonance(0, now.0, sound) + 0.5 * resonance(1, now.1, sound)
    return 0.575 * (lower + 0.25 * resonance(2, now.2, sound))
  }

  private mutating func syllable() {
    length = 1 + Int((0.12 + 0.15 * unit()) * 16_000)
    let isPause = unit() < 0.12
    if isPause { length *= 3 }
    left = length
    loudness = isPause ? 0 : 0.5 + 0.5 * unit()
    hiss = isPause ? 0 : 6 * unit()
    goal = Self.vowels[Int(unit() * Float(Self.vowels.count))]
  }

  private mutating func resonance(_ index: Int, _ frequency: Float, _ input: Float) -> Float {
    let radius: Float = 0.985
    let out =
      input * (1 - radius) * 2 + 2 * radius * cosf(2 * .pi * frequency / 16_000) * memory[index].0
      - radius * radius * memory[index].1
    memory[index] = (out, memory[index].0)
    return out
  }
}
