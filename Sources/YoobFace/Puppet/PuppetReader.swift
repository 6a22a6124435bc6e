/// A little-endian cursor. The caller has checked that the bytes reach far enough.
struct PuppetReader {
  let bytes: [UInt8]
  var offset: Int

  mutating func u8() -> Int {
    let value = Int(bytes[offset])
    offset += 1
    return value
  }

  mutating func u16() -> Int {
    let value = Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    offset += 2
    return value
  }

  private mutating func word() -> UInt32 {
    let low = UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
    let high = UInt32(bytes[offset + 2]) | UInt32(bytes[offset + 3]) << 8
    offset += 4
    return low | high << 16
  }

  /// Clamped to 31 bits, which is beyond every limit of the format, so that 32-bit targets do not overflow.
  mutating func u32() -> Int { Int(min(word(), 0x7FFF_FFFF)) }

  mutating func f32() -> Float { Float(bitPattern: word()) }

  mutating func f32x3() -> SIMD3<Float> {
    let x = f32()
    let y = f32()
    let z = f32()
    return SIMD3(x, y, z)
  }

  mutating func floats4() -> SIMD4<Float> {
    let low = SIMD2(f32(), f32())
    let high = SIMD2(f32(), f32())
    return SIMD4(lowHalf: low, highHalf: high)
  }

  /// A name in a field of `size` bytes; bytes after the first zero are dropped.
  mutating func name(_ size: Int) -> PuppetName {
    var name = SIMD32<UInt8>(repeating: 0)
    for index in 0..<size {
      let byte = bytes[offset + index]
      if byte == 0 { break }
      name[index] = byte
    }
    offset += size
    return PuppetName(bytes: name)
  }
}

/// The counts of a puppet's header.
struct PuppetCounts {
  let vertices: Int
  let indices: Int
  let layers: Int
  let morphs: Int
  let deltas: Int
  let springs: Int
  let landmarks: Int

  init(_ reader: inout PuppetReader) {
    vertices = reader.u32()
    indices = reader.u32()
    layers = reader.u32()
    morphs = reader.u32()
    deltas = reader.u32()
    springs = reader.u32()
    landmarks = reader.u32()
  }

  /// Checks the limits and that the sections fill `length` bytes exactly.
  func check(length: Int) throws(PuppetError) {
    if vertices > 65_535 { throw .tooMany(.vertices) }
    if layers > 65_536 { throw .tooMany(.layers) }
    if morphs > 1024 { throw .tooMany(.morphs) }
    if springs > 256 { throw .tooMany(.springs) }
    var expected = PuppetDecoder.headerSize
    expected += try section(.vertices, vertices, PuppetDecoder.vertexSize)
    expected += (try section(.indices, indices, 2) + 3) & ~3
    expected += try section(.layers, layers, PuppetDecoder.layerSize)
    expected += try section(.morphs, morphs, PuppetDecoder.morphSize)
    expected += try section(.deltas, deltas, PuppetDecoder.deltaSize)
    expected += try section(.springs, springs, PuppetDecoder.springSize)
    expected += try section(.landmarks, landmarks, PuppetDecoder.landmarkSize)
    if expected != length { throw .wrongLength(expected: expected, actual: length) }
  }

  private func section(
    _ section: PuppetSection, _ count: Int, _ size: Int
  ) throws(PuppetError) -> Int {
    if count > PuppetDecoder.sectionLimit / size { throw .tooLarge(section) }
    return count * size
  }
}

extension SIMD3<Float> {
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension SIMD4<Float> {
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}
