/// One phone of speech whose times are known.
public struct MouthPhone: Sendable, Equatable {
  /// IPA symbol, several letters allowed ("ʧ", "tʃ", "aɪ", "ɜɹ"); misaki's A I O Q W Y mean diphthongs.
  /// Empty, or punctuation only, is silence.
  public var symbol: String
  /// First sample of the phone.
  public var start: Int
  /// Sample after the last one.
  public var end: Int

  /// A phone from sample `start` to before sample `end`.
  public init(symbol: String, start: Int, end: Int) {
    self.symbol = symbol
    self.start = start
    self.end = end
  }
}

/// Viseme frames of speech whose phones are known, without listening to it.
public enum PhoneMouth {
  /// Milliseconds by which a phone reaches into its neighbours.
  static let reach = 35.0
  /// Milliseconds that lips stay shut at the middle of p, b and m, however short the phone is.
  static let shortestClosure = 32.0
  /// Milliseconds of silence that the mouth ignores.
  static let shortestPause = 70.0
  /// Milliseconds in which a closure comes and goes.
  static let closureEdge = 30.0

  /// 15 weights every 10 ms in the order of `Viseme`, which sum to 1; frame k shows the mouth at
  /// k × 10 ms.
  ///
  /// - Parameters:
  ///   - phones: in order of time; what no phone covers is silence. Phones that end before they start
  ///     count as empty.
  ///   - sampleRate: samples per second of the times.
  ///   - length: samples of the whole speech; nil means up to the last phone's end. At most an hour is
  ///     answered.
  public static func frames(of phones: [MouthPhone], sampleRate: Int, length: Int? = nil) -> [Float] {
    guard sampleRate > 0 else { return [] }
    let longest = 3600 * min(sampleRate, 500_000)
    let last = phones.reduce(0) { max($0, $1.end) }
    let samples = max(0, min(length ?? last, longest))
    let count = Int((Double(samples) * 100 / Double(sampleRate)).rounded(.up))
    guard count > 0 else { return [] }
    let segments = segments(of: phones, sampleRate: sampleRate)
    var out = [Float](repeating: 0, count: count * 15)
    blend(segments, into: &out, count: count)
    for segment in segments {
      if segment.shape.first == .PP { seal(segment, .PP, 1, shortestClosure, &out, count) }
      if segment.shape.first == .FF { seal(segment, .FF, 0.9, 22, &out, count) }
    }
    return out
  }

  /// A shape and its time in milliseconds.
  private struct Segment {
    var start: Double
    var end: Double
    var shape: PhoneVisemes.Shape
  }

  private static func segments(of phones: [MouthPhone], sampleRate: Int) -> [Segment] {
    var found: [Segment] = []
    let scale = 1000 / Double(sampleRate)
    for (index, phone) in phones.enumerated() where phone.end > phone.start {
      let shapes = PhoneVisemes.shapes(of: phone.symbol)
      let start = Double(phone.start) * scale
      let width = Double(phone.end) * scale - start
      let share = 1 / Double(max(1, shapes.count))
      var time = start
      for (part, shape) in shapes.enumerated() {
        let end = part == shapes.count - 1 ? start + width : time + width * share
        found.append(Segment(start: time, end: end, shape: shape ?? next(in: phones, after: index)))
        time = end
      }
    }
    bridge(&found)
    return found
  }

  /// Joins sounds across gaps that are too short for the mouth to shut.
  private static func bridge(_ segments: inout [Segment]) {
    for index in segments.indices.dropFirst() {
      let gap = segments[index].start - segments[index - 1].end
      guard gap > 0, gap <= shortestPause else { continue }
      segments[index - 1].end += gap / 2
      segments[index].start -= gap / 2
    }
  }

  /// What a phone made behind the lips shows: the shape of the sound that follows.
  private static func next(in phones: [MouthPhone], after index: Int) -> PhoneVisemes.Shape {
    guard index + 1 < phones.count else { return PhoneVisemes.Shape(.kk) }
    let shapes = PhoneVisemes.shapes(of: phones[index + 1].symbol)
    guard let first = shapes.first, let shape = first else { return PhoneVisemes.Shape(.kk) }
    return shape
  }

  /// Sum of all shapes under a triangular window of `reach` milliseconds to each side.
  private static func blend(_ segments: [Segment], into out: inout [Float], count: Int) {
    for frame in 0..<count { out[frame * 15] = 1 }
    for segment in segments {
      let first = max(0, Int((segment.start - reach) / 10))
      let last = min(count - 1, Int((segment.end + reach) / 10) + 1)
      guard first <= last else { continue }
      for frame in first...last {
        let time = Double(frame) * 10
        let weight = Float(area((segment.end - time) / reach) - area((segment.start - time) / reach))
        guard weight > 0 else { continue }
        let at = frame * 15
        out[at] -= weight
        out[at + segment.shape.first.rawValue] += weight * segment.shape.weights[0]
        out[at + segment.shape.second.rawValue] += weight * segment.shape.weights[1]
        out[at + segment.shape.third.rawValue] += weight * segment.shape.weights[2]
      }
    }
    for frame in 0..<count { settle(&out, frame * 15) }
  }

  /// Removes rounding errors and overlaps of phones: no weight below zero, the sum exactly one.
  private static func settle(_ out: inout [Float], _ at: Int) {
    var sum: Float = 0
    for viseme in 0..<15 {
      out[at + viseme] = out[at + viseme] < 1e-6 ? 0 : out[at + viseme]
      sum += out[at + viseme]
    }
    for viseme in 0..<15 { out[at + viseme] /= sum }
  }

  /// Area of a triangle of unit area on -1...1 left of `x`.
  private static func area(_ x: Double) -> Double {
    if x <= -1 { return 0 }
    if x >= 1 { return 1 }
    return x < 0 ? (x + 1) * (x + 1) / 2 : 1 - (1 - x) * (1 - x) / 2
  }

  /// Makes sure that a lip sound shows fully at its middle.
  private static func seal(
    _ segment: Segment, _ viseme: Viseme, _ strength: Float, _ shortest: Double, _ out: inout [Float],
    _ count: Int
  ) {
    let middle = (segment.start + segment.end) / 2
    let half = max(shortest / 2, (segment.end - segment.start) / 2 - closureEdge / 2)
    let first = max(0, Int((middle - half - closureEdge) / 10))
    let last = min(count - 1, Int((middle + half + closureEdge) / 10) + 1)
    guard first <= last else { return }
    for frame in first...last {
      let beyond = max(0, abs(Double(frame) * 10 - middle) - half) / closureEdge
      guard beyond < 1 else { continue }
      let t = Float(1 - beyond)
      let wanted = t * t * (3 - 2 * t) * strength
      let at = frame * 15
      let present = out[at + viseme.rawValue]
      guard wanted > present else { continue }
      let rest = present < 1 ? (1 - wanted) / (1 - present) : 0
      for other in 0..<15 { out[at + other] *= rest }
      out[at + viseme.rawValue] = wanted
    }
  }
}
