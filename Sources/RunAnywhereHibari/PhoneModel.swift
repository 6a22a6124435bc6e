import Foundation

/// Linear scores of the beginning, middle and end of phones for a frame and its neighbours.
struct PhoneModel: Sendable {
  /// Frames, relative to the one that is scored, that a row reads.
  static let context = [-4, -2, 0, 2, 4]
  /// Parts of a phone, each with a row of its own.
  static let parts = 3
  /// Values that a row reads: the frames of `context`, 40 bands each.
  static let width = 200

  /// One row of `width` weights a part, the parts of a phone one after another.
  let weights: [Float]
  /// One a row.
  let bias: [Float]
  private let phones: [String: Int]

  /// The model of Luna's voice.
  static let luna = PhoneModel(symbols: PhoneModelData.symbols, base64: PhoneModelData.base64)

  /// Reads, for each part of each symbol, a scale and a bias (32-bit floats) and `width` 16-bit weights to be
  /// multiplied by the scale, all little endian. Bytes that are too few leave zeros.
  init(symbols: [String], base64: String) {
    let bytes = [UInt8](Data(base64Encoded: base64) ?? Data())
    let rows = symbols.count * Self.parts
    var weights = [Float](repeating: 0, count: rows * Self.width)
    var bias = [Float](repeating: 0, count: rows)
    let stride = 8 + 2 * Self.width
    func word(_ at: Int) -> UInt32 {
      UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3])
        << 24
    }
    for row in 0..<rows where (row + 1) * stride <= bytes.count {
      let at = row * stride
      let scale = Float(bitPattern: word(at))
      bias[row] = Float(bitPattern: word(at + 4))
      for column in 0..<Self.width {
        let place = at + 8 + 2 * column
        let value = Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
        weights[row * Self.width + column] = Float(value) * scale
      }
    }
    self.weights = weights
    self.bias = bias
    phones = Dictionary(zip(symbols, symbols.indices)) { first, _ in first }
  }

  /// Rare phones and the ones that they sound like.
  private static let alike = ["a": "ɑ", "ɒ": "ɑ", "ɾ": "T", "Q": "O"]

  /// The first row of a phone's symbol; that of silence for one that the model does not know.
  func row(of symbol: String) -> Int {
    (phones[symbol] ?? phones[Self.alike[symbol] ?? ""] ?? phones[""] ?? 0) * Self.parts
  }

  /// Whether the model knows a phone, or one that sounds like it.
  func knows(_ symbol: String) -> Bool { phones[symbol] != nil || Self.alike[symbol] != nil }
}
