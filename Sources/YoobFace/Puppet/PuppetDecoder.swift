/// Reads `puppet.bin`, version 1, as defined in `Docs/puppet-format.md`.
public enum PuppetDecoder {
  static let headerSize = 80
  static let vertexSize = 36
  static let layerSize = 48
  static let morphSize = 40
  static let deltaSize = 16
  static let springSize = 52
  static let landmarkSize = 28
  static let sectionLimit = 64 << 20

  /// Decodes and checks a puppet.
  ///
  /// Throws: `PuppetError` for anything that the format refuses; no input can make it trap.
  public static func decode(_ bytes: [UInt8]) throws(PuppetError) -> Puppet {
    guard bytes.count >= 4, bytes[0] == 0x59, bytes[1] == 0x50, bytes[2] == 0x55, bytes[3] == 0x50
    else { throw .notAPuppet }
    guard bytes.count >= headerSize else {
      throw .wrongLength(expected: headerSize, actual: bytes.count)
    }
    var reader = PuppetReader(bytes: bytes, offset: 4)
    let version = reader.u32()
    guard version == 1 else { throw .unsupportedVersion(version) }
    let canvas = reader.floats4()
    let cropSize = reader.f32()
    let pivot = reader.f32x3()
    let breath = reader.f32()
    guard canvas.isFinite, cropSize.isFinite, pivot.isFinite, breath.isFinite
    else { throw .notFinite(.header) }
    guard canvas.x > 0, canvas.y > 0, cropSize > 0 else { throw .outOfRange(.header, entry: 0) }
    let atlasWidth = reader.u32()
    let atlasHeight = reader.u32()
    guard (1...16_384).contains(atlasWidth), (1...16_384).contains(atlasHeight)
    else { throw .outOfRange(.header, entry: 1) }
    let counts = PuppetCounts(&reader)
    try counts.check(length: bytes.count)

    let vertices = try vertices(&reader, counts)
    let indices = try indices(&reader, counts)
    let layers = try layers(&reader, counts)
    let morphs = try morphs(&reader, counts)
    let deltas = try deltas(&reader, counts)
    let springs = try springs(&reader, counts)
    let landmarks = try landmarks(&reader, counts)
    return Puppet(
      canvasWidth: canvas.x, canvasHeight: canvas.y, cropX: canvas.z, cropY: canvas.w, cropSize: cropSize,
      pivot: pivot, breathAmplitude: breath, atlasWidth: atlasWidth, atlasHeight: atlasHeight,
      vertices: vertices, indices: indices, layers: layers, morphs: morphs, deltas: deltas,
      springs: springs, landmarks: landmarks)
  }

  private static func vertices(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [PuppetVertex] {
    var vertices: [PuppetVertex] = []
    vertices.reserveCapacity(counts.vertices)
    for entry in 0..<counts.vertices {
      let position = reader.f32x3()
      let place = reader.floats4()
      let springWeight = reader.f32()
      let spring = reader.u16()
      reader.offset += 2
      guard position.isFinite, place.isFinite, springWeight.isFinite else { throw .notFinite(.vertices) }
      guard spring == 0xFFFF || spring < counts.springs else { throw .outOfRange(.vertices, entry: entry) }
      vertices.append(
        PuppetVertex(
          position: position, u: FaceMath.unit(place.x), v: FaceMath.unit(place.y),
          head: FaceMath.unit(place.z), body: FaceMath.unit(place.w),
          springWeight: FaceMath.unit(springWeight), spring: spring == 0xFFFF ? nil : spring))
    }
    return vertices
  }

  private static func indices(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [UInt16] {
    var indices: [UInt16] = []
    indices.reserveCapacity(counts.indices)
    for entry in 0..<counts.indices {
      let index = reader.u16()
      guard index < counts.vertices else { throw .outOfRange(.indices, entry: entry) }
      indices.append(UInt16(truncatingIfNeeded: index))
    }
    if counts.indices & 1 == 1 { reader.offset += 2 }
    return indices
  }

  private static func layers(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [PuppetLayer] {
    var layers: [PuppetLayer] = []
    layers.reserveCapacity(counts.layers)
    for entry in 0..<counts.layers {
      let name = reader.name(24)
      let first = reader.u32()
      let count = reader.u32()
      let blend = BlendMode(rawValue: UInt8(reader.u8()))
      let clip = reader.u8()
      let mask = reader.u8()
      let flags = reader.u8()
      let opacity = reader.f32()
      let morph = reader.u16()
      let inverse = reader.u16()
      reader.offset += 4
      guard opacity.isFinite else { throw .notFinite(.layers) }
      guard let blend, clip <= 4, mask <= 4, flags <= 3, inverse <= 1,
        first <= counts.indices, count <= counts.indices - first,
        morph == 0xFFFF || morph < counts.morphs
      else { throw .outOfRange(.layers, entry: entry) }
      layers.append(
        PuppetLayer(
          name: name, firstIndex: first, indexCount: count / 3 * 3, blend: blend, clip: clip, mask: mask,
          isMaskOnly: flags & 1 != 0, isBackground: flags & 2 != 0, opacity: FaceMath.unit(opacity),
          opacityMorph: morph == 0xFFFF ? nil : morph, opacityInverse: inverse == 1))
    }
    return layers
  }

  private static func morphs(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [PuppetMorph] {
    var morphs: [PuppetMorph] = []
    morphs.reserveCapacity(counts.morphs)
    for entry in 0..<counts.morphs {
      let name = reader.name(32)
      let first = reader.u32()
      let count = reader.u32()
      guard first <= counts.deltas, count <= counts.deltas - first
      else { throw .outOfRange(.morphs, entry: entry) }
      morphs.append(PuppetMorph(name: name, firstDelta: first, deltaCount: count))
    }
    return morphs
  }

  private static func deltas(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [PuppetDelta] {
    var deltas: [PuppetDelta] = []
    deltas.reserveCapacity(counts.deltas)
    for entry in 0..<counts.deltas {
      let vertex = reader.u16()
      reader.offset += 2
      let offset = reader.f32x3()
      guard offset.isFinite else { throw .notFinite(.deltas) }
      guard vertex < counts.vertices else { throw .outOfRange(.deltas, entry: entry) }
      deltas.append(PuppetDelta(vertex: vertex, offset: offset))
    }
    return deltas
  }

  private static func springs(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [PuppetSpring] {
    var springs: [PuppetSpring] = []
    springs.reserveCapacity(counts.springs)
    for _ in 0..<counts.springs {
      let name = reader.name(24)
      let root = reader.f32x3()
      let values = reader.floats4()
      guard root.isFinite, values.isFinite else { throw .notFinite(.springs) }
      springs.append(
        PuppetSpring(
          name: name, root: root, length: values.x, stiffness: values.y, damping: values.z,
          maxAngle: values.w))
    }
    return springs
  }

  private static func landmarks(
    _ reader: inout PuppetReader, _ counts: PuppetCounts
  ) throws(PuppetError) -> [PuppetLandmark] {
    var landmarks: [PuppetLandmark] = []
    landmarks.reserveCapacity(counts.landmarks)
    for entry in 0..<counts.landmarks {
      let name = reader.name(24)
      let vertex = reader.u16()
      reader.offset += 2
      guard vertex < counts.vertices else { throw .outOfRange(.landmarks, entry: entry) }
      landmarks.append(PuppetLandmark(name: name, vertex: vertex))
    }
    return landmarks
  }
}
