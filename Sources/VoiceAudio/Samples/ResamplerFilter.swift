/// Coefficients of a polyphase windowed-sinc filter between two rates.
struct ResamplerFilter: Sendable {
  /// Output and input rate without their common divisor.
  let up: Int
  let down: Int
  /// Taps reach from `half - 1` samples before a position to `half` after it.
  let half: Int

  /// Rows of coefficients, one a phase, each padded to whole vectors.
  private let table: [SIMD8<Float>]
  private let vectors: Int
  private let phases: Int
  /// Whether phases lie between rows, because there are too many to store.
  private let interpolates: Bool

  private static let zeroCrossings = 32
  private static let largestTable = 1024
  private static let passBand = 0.94
  private static let beta = 9.5

  init(from inputRate: Int, to outputRate: Int) {
    let divisor = ResamplerFilter.gcd(inputRate, outputRate)
    up = outputRate / divisor
    down = inputRate / divisor
    interpolates = up > ResamplerFilter.largestTable
    phases = interpolates ? 512 : up
    let stretch = max(1, Double(inputRate) / Double(outputRate))
    half = Int((Double(ResamplerFilter.zeroCrossings) * stretch).rounded(.up))
    vectors = (2 * half + 7) / 8
    let cutoff = ResamplerFilter.passBand / stretch
    let edge = 1 / PureMath.besselI0(ResamplerFilter.beta)
    let rows = phases + (interpolates ? 1 : 0)
    var table = [SIMD8<Float>](repeating: .zero, count: rows * vectors)
    var row = [Double](repeating: 0, count: 2 * half)
    for phase in 0..<rows {
      var sum = 0.0
      for tap in 0..<(2 * half) {
        let distance = Double(tap - half + 1) - Double(phase) / Double(phases)
        let place = distance / Double(half)
        let window =
          place * place >= 1
          ? 0 : PureMath.besselI0(ResamplerFilter.beta * (1 - place * place).squareRoot()) * edge
        let turns = distance * cutoff / 2
        let sinc =
          distance == 0
          ? 1 : PureMath.sinCos(turns: turns).sin / (distance * cutoff * 3.141592653589793)
        row[tap] = sinc * window
        sum += row[tap]
      }
      // Every phase passes a constant unchanged, so that no phase pattern is heard.
      for tap in 0..<(2 * half) {
        table[phase * vectors + tap / 8][tap % 8] = Float(row[tap] / sum)
      }
    }
    self.table = table
  }

  /// The filtered value at `start + half - 1` plus `fraction` / `up` samples.
  @inline(__always)
  func apply(_ samples: UnsafeBufferPointer<Float>, at start: Int, fraction: Int) -> Float {
    guard interpolates else { return dot(samples, start, fraction) }
    let place = Double(fraction) / Double(up) * Double(phases)
    let lower = Int(place)
    let weight = Float(place - Double(lower))
    let a = dot(samples, start, lower)
    return a + (dot(samples, start, lower + 1) - a) * weight
  }

  @inline(__always)
  private func dot(_ samples: UnsafeBufferPointer<Float>, _ start: Int, _ phase: Int) -> Float {
    table.withUnsafeBufferPointer { table in
      var sum = SIMD8<Float>.zero
      let row = phase * vectors
      let whole = 2 * half / 8
      for vector in 0..<whole {
        let at = start + vector * 8
        let x = SIMD8<Float>(
          samples[at], samples[at + 1], samples[at + 2], samples[at + 3],
          samples[at + 4], samples[at + 5], samples[at + 6], samples[at + 7])
        sum += x * table[row + vector]
      }
      var total = sum.sum()
      var tap = whole * 8
      while tap < 2 * half {
        total += samples[start + tap] * table[row + whole][tap - whole * 8]
        tap += 1
      }
      return total
    }
  }

  private static func gcd(_ a: Int, _ b: Int) -> Int {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
