/// Builds WAV files byte by byte, right or wrong.
struct WAVBuilder {
  var tag: UInt16 = 1
  var channels: UInt16 = 1
  var rate: UInt32 = 16_000
  var bits: UInt16 = 16
  var sound: [UInt8] = []
  /// Size written in the data chunk; nil for the true one.
  var dataSize: UInt32?
  var extensible = false
  /// Chunks before the sound: name and content.
  var chunks: [(String, [UInt8])] = []
  var pads = true

  func file() -> [UInt8] {
    var out: [UInt8] = []
    out += Array("RIFF".utf8) + le(UInt32(0)) + Array("WAVE".utf8)
    let block = channels * (bits / 8)
    var format = le(extensible ? 0xFFFE : tag) + le(channels) + le(rate)
    format += le(rate &* UInt32(block)) + le(block) + le(bits)
    if extensible {
      format += le(UInt16(22)) + le(bits) + le(UInt32(0)) + le(tag)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    append("fmt ", format, to: &out)
    for (name, content) in chunks { append(name, content, to: &out) }
    out += Array("data".utf8) + le(dataSize ?? UInt32(sound.count)) + sound
    return out
  }

  private func append(_ name: String, _ content: [UInt8], to out: inout [UInt8]) {
    out += Array(name.utf8) + le(UInt32(content.count)) + content
    if pads, content.count % 2 == 1 { out.append(0) }
  }

  private func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
