/// A name inside a puppet: at most 32 bytes, compared byte by byte.
public struct PuppetName: Sendable, Equatable {
  /// UTF-8 bytes, padded with zeros.
  public var bytes: SIMD32<UInt8>

  /// A name of these bytes, padded with zeros.
  public init(bytes: SIMD32<UInt8>) { self.bytes = bytes }

  /// Takes the first 32 bytes of a literal.
  public init(_ text: StaticString) {
    var bytes = SIMD32<UInt8>(repeating: 0)
    let count = min(32, text.utf8CodeUnitCount)
    let start = text.utf8Start
    for index in 0..<count { bytes[index] = start[index] }
    self.bytes = bytes
  }

  /// Number of bytes before the padding.
  public var count: Int {
    var count = 0
    while count < 32 && bytes[count] != 0 { count += 1 }
    return count
  }

  /// The bytes `start..<end` as a name of their own.
  func slice(_ start: Int, _ end: Int) -> PuppetName {
    var part = SIMD32<UInt8>(repeating: 0)
    var target = 0
    var source = start
    while source < end {
      part[target] = bytes[source]
      target += 1
      source += 1
    }
    return PuppetName(bytes: part)
  }

  #if !hasFeature(Embedded)
    /// The name as text.
    public var text: String {
      String(decoding: (0..<count).map { bytes[$0] }, as: UTF8.self)
    }
  #endif
}
