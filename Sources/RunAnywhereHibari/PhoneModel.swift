import Foundation

/// Linear scores of phones for a frame and its neighbours 30 ms before and after it.
struct PhoneModel: Sendable {
  /// Values that a row reads: three frames of 40.
  static let width = 120

  /// One row of `width` weights a phone.
  let weights: [Float]
  /// One a row.
  let bias: [Float]
  private let rows: [String: Int]

  /// The model of Luna's voice.
  static let luna = PhoneModel(symbols: PhoneModelData.symbols, base64: PhoneModelData.base64)

  /// Reads, for each symbol, a scale and a bias (32-bit floats) and `width` 16-bit weights to be multiplied
  /// by the scale, all little endian. Bytes that are too few leave zeros.
  init(symbols: [String], base64: String) {
    let bytes = [UInt8](Data(base64Encoded: base64) ?? Data())
    var weights = [Float](repeating: 0, count: symbols.count * Self.width)
    var bias = [Float](repeating: 0, count: symbols.count)
    let stride = 8 + 2 * Self.width
    func word(_ at: Int) -> UInt32 {
      UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3])
        << 24
    }
    for row in symbols.indices where (row + 1) * stride <= bytes.count {
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
    rows = Dictionary(zip(symbols, symbols.indices)) { first, _ in first }
  }

  /// Rare phones and the ones that they sound like.
  private static let alike = ["a": "ɑ", "ɒ": "ɑ", "ɾ": "T", "Q": "O"]

  /// The row of a phone's symbol; that of silence for one that the model does not know.
  func row(of symbol: String) -> Int {
    rows[symbol] ?? rows[Self.alike[symbol] ?? ""] ?? rows[""] ?? 0
  }

  /// Whether the model knows a phone, or one that sounds like it.
  func knows(_ symbol: String) -> Bool { rows[symbol] != nil || Self.alike[symbol] != nil }
}
