/// Conversion between samples in -1...1 and 16-bit little-endian bytes.
///
/// Scale 32768 both ways: every 16-bit value survives the round trip.
public enum PCM16 {
  /// The nearest 16-bit value; loud samples are clamped and NaN becomes 0.
  @inlinable
  public static func quantize(_ sample: Float) -> Int16 {
    let scaled = (sample * 32768).rounded(.toNearestOrEven)
    if scaled >= 32767 { return 32767 }
    if scaled <= -32768 { return -32768 }
    return scaled.isNaN ? 0 : Int16(scaled)
  }

  /// Bytes of `samples`, two each, low byte first.
  public static func encode(_ samples: [Float]) -> [UInt8] {
    samples.withUnsafeBufferPointer { encode($0) }
  }

  /// Bytes of `samples`, two each, low byte first.
  public static func encode(_ samples: UnsafeBufferPointer<Float>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples {
      let value = UInt16(bitPattern: quantize(sample))
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    return bytes
  }

  /// Samples of `bytes`; an odd last byte is ignored.
  public static func decode(_ bytes: [UInt8]) -> [Float] {
    bytes.withUnsafeBufferPointer { decode($0) }
  }

  /// Samples of `bytes`; an odd last byte is ignored.
  public static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(bytes.count / 2)
    var index = 0
    while index + 1 < bytes.count {
      let value = UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
      samples.append(Float(Int16(bitPattern: value)) / 32768)
      index += 2
    }
    return samples
  }
}
