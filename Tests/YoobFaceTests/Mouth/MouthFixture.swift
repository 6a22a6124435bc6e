import Foundation

/// Weights and golden vector that the training code wrote.
struct MouthFixture {
  let samples: [Float]
  /// True viseme of each frame.
  let labels: [Int]
  /// 15 weights a frame, as the training code computes them.
  let weights: [Float]

  static func mouthBytes() throws -> [UInt8] {
    try bytes("training/weights/mouth.bin")
  }

  init() throws {
    let bytes = try Self.bytes("Tests/Fixtures/mouth-golden.bin")
    func word(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
    let count = word(0)
    let frames = word(4)
    samples = (0..<count).map { index in
      let at = 8 + 2 * index
      return Float(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)) / 32768
    }
    let marks = 8 + 2 * count
    labels = (0..<frames).map { Int(bytes[marks + $0]) }
    let values = marks + frames
    weights = (0..<(frames * 15)).map { Float(bitPattern: UInt32(word(values + 4 * $0))) }
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return Array(try Data(contentsOf: root.appendingPathComponent(path)))
  }
}

/// A small generator of numbers that are the same on every run.
struct MouthRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 32) | (state << 32)
  }
}
