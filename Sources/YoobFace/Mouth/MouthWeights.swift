/// Reads a `mouth.bin` file, layer by layer.
///
/// Little endian: "YMTH", version (32 bits), eight sizes (32 bits each: bands, channels, first kernel,
/// second kernel, hidden units, outputs (15 visemes and the closure), look-ahead frames, recurrent layers),
/// three floats (quietest level, decay a frame, gain), then per layer one scale a row (float), one bias a row (float) and the matrix (8-bit
/// signed, row-major, to be multiplied by its row's scale); at the end FNV-1a 64 of all bytes before it.
/// Matrices of convolutions hold, in each row, the kernel's frames oldest first.
struct MouthWeights {
  struct Shape: Equatable {
    var bands = 0
    var channels = 0
    var firstKernel = 0
    var secondKernel = 0
    var hidden = 0
    var outputs = 0
    var lookAhead = 0
    var layers = 0
  }

  static let version = 3
  private static let headerSize = 52

  let shape: Shape
  let quietest: Float
  let decay: Float
  let gain: Float
  private let bytes: [UInt8]
  private var position = MouthWeights.headerSize

  init(_ bytes: [UInt8]) throws(MouthError) {
    self.bytes = bytes
    guard bytes.count >= 8, bytes[0] == 0x59, bytes[1] == 0x4D, bytes[2] == 0x54, bytes[3] == 0x48
    else { throw .notWeights }
    func word(_ at: Int) -> UInt32 {
      UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
        | UInt32(bytes[at + 3]) << 24
    }
    let found = Int(clamping: word(4))
    guard found == MouthWeights.version else { throw .unsupportedVersion(found) }
    guard bytes.count >= MouthWeights.headerSize + 8 else { throw .damaged }
    shape = Shape(
      bands: Int(clamping: word(8)), channels: Int(clamping: word(12)), firstKernel: Int(clamping: word(16)),
      secondKernel: Int(clamping: word(20)), hidden: Int(clamping: word(24)),
      outputs: Int(clamping: word(28)),
      lookAhead: Int(clamping: word(32)), layers: Int(clamping: word(36)))
    quietest = Float(bitPattern: word(40))
    decay = Float(bitPattern: word(44))
    gain = Float(bitPattern: word(48))
    guard shape.isReadable, quietest.isFinite, decay.isFinite, gain.isFinite, decay >= 0 else {
      throw .badShape
    }
    guard bytes.count == MouthWeights.headerSize + shape.layerBytes + 8 else { throw .badShape }
    let end = bytes.count - 8
    let sum = UInt64(word(end)) | UInt64(word(end + 4)) << 32
    guard MouthWeights.checksum(bytes, upTo: end) == sum else { throw .damaged }
  }

  /// The next layer. Sizes were checked against the file's length when it was opened.
  mutating func layer(rows: Int, columns: Int) -> DenseLayer {
    var scales: [Float] = []
    var biases: [Float] = []
    for _ in 0..<rows { scales.append(float()) }
    for _ in 0..<rows { biases.append(float()) }
    let values = bytes[position..<position + rows * columns].map { Int8(bitPattern: $0) }
    position += rows * columns
    return DenseLayer(rows: rows, columns: columns, values: values, scale: scales, bias: biases)
  }

  private mutating func float() -> Float {
    let bits =
      UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8
      | UInt32(bytes[position + 2]) << 16 | UInt32(bytes[position + 3]) << 24
    position += 4
    let value = Float(bitPattern: bits)
    return value.isFinite ? value : 0
  }

  static func checksum(_ bytes: [UInt8], upTo end: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<end { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    return hash
  }
}

extension MouthWeights.Shape {
  /// Whether the sizes are within what the network computes: whole vectors and bounded memory.
  var isReadable: Bool {
    bands == 40 && outputs == 16 && channels % 8 == 0 && 8...256 ~= channels && 1...9 ~= firstKernel
      && 1...9 ~= secondKernel && hidden % 8 == 0 && 8...512 ~= hidden && 0...10 ~= lookAhead
      && 1...4 ~= layers
  }

  /// Bytes of all layers.
  var layerBytes: Int {
    func layer(_ rows: Int, _ columns: Int) -> Int { rows * (8 + columns) }
    let recurrent =
      layer(3 * hidden, channels) + layers * layer(3 * hidden, hidden)
      + (layers - 1) * layer(3 * hidden, hidden)
    return layer(channels, bands * firstKernel) + layer(channels, channels * secondKernel) + recurrent
      + layer(outputs, hidden)
  }
}
