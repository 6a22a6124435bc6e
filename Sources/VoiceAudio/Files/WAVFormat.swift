/// The format chunk of a WAV file, checked.
struct WAVFormat {
  enum Encoding {
    case unsigned8
    case signed16
    case signed24
    case signed32
    case float32
    case float64
    case aLaw
    case muLaw
  }

  let encoding: Encoding
  let channels: Int
  let rate: Int
  /// Bytes of one sample of one channel.
  let width: Int

  init(_ bytes: [UInt8], start: Int, size: Int) throws(WAVError) {
    guard size >= 16 else { throw .badFormat }
    guard start + 16 <= bytes.count else { throw .truncated }
    func half(_ offset: Int) -> Int {
      Int(bytes[start + offset]) | Int(bytes[start + offset + 1]) << 8
    }
    var tag = half(0)
    channels = half(2)
    rate = Int(clamping: UInt32(half(4)) | UInt32(half(6)) << 16)
    let block = half(12)
    let bits = half(14)
    if tag == 0xFFFE {
      guard size >= 40 else { throw .badFormat }
      guard start + 40 <= bytes.count else { throw .truncated }
      tag = half(24)
    }
    switch (tag, bits) {
    case (1, 8): encoding = .unsigned8
    case (1, 16): encoding = .signed16
    case (1, 24): encoding = .signed24
    case (1, 32): encoding = .signed32
    case (3, 32): encoding = .float32
    case (3, 64): encoding = .float64
    case (6, 8): encoding = .aLaw
    case (7, 8): encoding = .muLaw
    default: throw .unsupportedEncoding(tag: tag, bits: bits)
    }
    width = bits / 8
    guard 1...WAV.maximumChannels ~= channels, block == channels * width else { throw .badFormat }
    guard WAV.rates ~= rate else { throw .unsupportedRate(rate) }
  }

  /// Mono samples of the whole blocks in `range`, which lies inside `bytes`.
  func samples(of bytes: [UInt8], in range: Range<Int>) -> [Float] {
    let block = channels * width
    let count = range.count / block
    var out: [Float] = []
    out.reserveCapacity(count)
    let share = 1 / Float(channels)
    bytes.withUnsafeBufferPointer { bytes in
      var position = range.lowerBound
      for _ in 0..<count {
        if channels == 1 {
          out.append(sample(bytes, position))
        } else {
          var sum: Float = 0
          for channel in 0..<channels { sum += sample(bytes, position + channel * width) }
          out.append(sum * share)
        }
        position += block
      }
    }
    return out
  }

  @inline(__always)
  private func sample(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Float {
    switch encoding {
    case .unsigned8:
      return Float(Int(bytes[at]) - 128) / 128
    case .signed16:
      return Float(Int16(bitPattern: UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)) / 32768
    case .signed24:
      let raw = UInt32(bytes[at]) << 8 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 24
      return Float(Int32(bitPattern: raw) >> 8) / 8_388_608
    case .signed32:
      return Float(Double(Int32(bitPattern: word(bytes, at))) / 2_147_483_648)
    case .float32:
      return finite(Float(bitPattern: word(bytes, at)))
    case .float64:
      let bits = UInt64(word(bytes, at)) | UInt64(word(bytes, at + 4)) << 32
      return finite(Float(Double(bitPattern: bits)))
    case .aLaw:
      return WAVFormat.aLaw(bytes[at])
    case .muLaw:
      return WAVFormat.muLaw(bytes[at])
    }
  }

  @inline(__always)
  private func word(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32 {
    UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
      | UInt32(bytes[at + 3]) << 24
  }

  @inline(__always)
  private func finite(_ value: Float) -> Float { value.isFinite ? value : 0 }

  /// One A-law byte as a sample (ITU-T G.711).
  static func aLaw(_ byte: UInt8) -> Float {
    let code = byte ^ 0x55
    let exponent = Int(code >> 4) & 7
    var magnitude = (Int(code) & 15) << 4 + 8
    if exponent > 0 { magnitude = (magnitude + 256) << (exponent - 1) }
    return Float(code & 0x80 != 0 ? magnitude : -magnitude) / 32768
  }

  /// One mu-law byte as a sample (ITU-T G.711).
  static func muLaw(_ byte: UInt8) -> Float {
    let code = ~byte
    let exponent = Int(code >> 4) & 7
    let magnitude = ((Int(code) & 15) << 3 + 132) << exponent - 132
    return Float(code & 0x80 != 0 ? -magnitude : magnitude) / 32768
  }
}
