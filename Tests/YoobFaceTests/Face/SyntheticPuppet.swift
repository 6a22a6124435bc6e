@testable import YoobFace

/// A small character made by arithmetic: background, hair, a domed head, eyes, brows and a mouth.
enum SyntheticPuppet {
  static let atlasSide = 64

  static func make() -> Puppet {
    var builder = Builder()
    builder.background()
    builder.hair()
    builder.head()
    builder.mouth()
    builder.eye(name: "eyeLeft", centre: SIMD2(640, 800), blink: "eyeBlinkLeft")
    builder.eye(name: "eyeRight", centre: SIMD2(440, 800), blink: "eyeBlinkRight")
    return builder.puppet
  }

  static func bytes() -> [UInt8] { PuppetEncoder.encode(make()) }

  /// Eight flat colours in columns, translucent in the lower half.
  static func atlas() -> PixelImage {
    let colours: [[UInt8]] = [
      [220, 230, 255], [60, 70, 160], [255, 220, 200], [120, 20, 30], [255, 255, 255], [30, 30, 60],
      [250, 120, 140], [90, 200, 120],
    ]
    var rgba: [UInt8] = []
    for y in 0..<atlasSide {
      for x in 0..<atlasSide {
        rgba += colours[x / 8]
        rgba.append(y < 32 ? 255 : 128)
      }
    }
    return PixelImage(width: atlasSide, height: atlasSide, rgba: rgba)
  }

  /// Half a second of one viseme after another, as known frames.
  static func visemes(_ order: [Viseme]) -> [Float] {
    var frames: [Float] = []
    for viseme in order {
      for _ in 0..<20 {
        var frame = [Float](repeating: 0, count: 15)
        frame[viseme.rawValue] = 1
        frames += frame
      }
    }
    return frames
  }

  static func engine(seed: UInt64 = 7) throws -> FaceEngine {
    try FaceEngine(puppet: bytes(), mouth: [], seed: seed)
  }
}

private struct Builder {
  var puppet = Puppet(
    canvasWidth: 1080, canvasHeight: 1920, cropX: 0, cropY: 420, cropSize: 1080,
    pivot: SIMD3(540, 1000, 0), breathAmplitude: 6, atlasWidth: SyntheticPuppet.atlasSide,
    atlasHeight: SyntheticPuppet.atlasSide, vertices: [], indices: [], layers: [], morphs: [], deltas: [],
    springs: [], landmarks: [])

  mutating func background() {
    grid(SIMD2(0, 0), SIMD2(1080, 1920), cells: 2, colour: 0) { _ in (0, 0, 0) }
    layer("background", background: true)
  }

  mutating func hair() {
    puppet.springs.append(
      PuppetSpring(
        name: PuppetName("strand"), root: SIMD3(300, 700, 40), length: 500, stiffness: 60, damping: 6,
        maxAngle: 0.6))
    grid(SIMD2(240, 700), SIMD2(360, 1200), cells: 6, colour: 1) { _ in (1, 1, 40) }
    for index in puppet.vertices.indices where puppet.vertices[index].position.x <= 360 {
      let vertex = puppet.vertices[index]
      guard vertex.head == 1 else { continue }
      puppet.vertices[index].spring = 0
      puppet.vertices[index].springWeight = (vertex.position.y - 700) / 500
    }
    layer("hair")
  }

  mutating func head() {
    grid(SIMD2(320, 600), SIMD2(760, 1150), cells: 8, colour: 2) { point in
      let dx = (point.x - 540) / 220
      let dy = (point.y - 875) / 275
      return (1, 1, 150 * max(0, 1 - dx * dx - dy * dy))
    }
    layer("head")
  }

  mutating func mouth() {
    let first = puppet.vertices.count
    grid(SIMD2(480, 1000), SIMD2(600, 1004), cells: 2, colour: 3) { _ in (1, 1, 140) }
    layer("mouth", mask: 1)
    let vertices = first..<puppet.vertices.count
    landmark("lipUpper", first + 1)
    landmark("lipLower", first + 7)
    landmark("mouthLeft", first + 5)
    landmark("mouthRight", first + 3)
    morph("jawOpen", vertices.filter { puppet.vertices[$0].position.y > 1003 }, SIMD3(0, 80, 0))
    morph(
      "mouthPucker", vertices.filter { puppet.vertices[$0].position.x > 599 }, SIMD3(-40, 0, 0))
    morph("jawOpen*mouthPucker", [first], SIMD3(10, 0, 0))
    let teeth = puppet.vertices.count
    grid(SIMD2(490, 990), SIMD2(590, 1020), cells: 1, colour: 4) { _ in (1, 1, 140) }
    layer("teeth", clip: 1)
    _ = teeth
  }

  mutating func eye(name: StaticString, centre: SIMD2<Float>, blink: StaticString) {
    let first = puppet.vertices.count
    grid(centre - 40, centre + 40, cells: 2, colour: 5) { _ in (1, 1, 120) }
    layer(name)
    landmark(name, first + 4)
    morph(blink, Array(first..<(first + 3)), SIMD3(0, 70, 0))
  }

  private mutating func grid(
    _ from: SIMD2<Float>, _ to: SIMD2<Float>, cells: Int, colour: Int,
    _ shape: (SIMD2<Float>) -> (head: Float, body: Float, z: Float)
  ) {
    firstIndex = puppet.indices.count
    let base = puppet.vertices.count
    for row in 0...cells {
      for column in 0...cells {
        let part = SIMD2(Float(column), Float(row)) / Float(cells)
        let point = from + (to - from) * part
        let (head, body, z) = shape(point)
        puppet.vertices.append(
          PuppetVertex(
            position: SIMD3(point.x, point.y, z), u: (Float(colour) * 8 + 2 + 4 * part.x) / 64,
            v: (4 + 20 * part.y) / 64, head: head, body: body))
      }
    }
    for row in 0..<cells {
      for column in 0..<cells {
        let a = base + row * (cells + 1) + column
        let corners = [a, a + 1, a + cells + 1, a + 1, a + cells + 2, a + cells + 1]
        puppet.indices += corners.map { UInt16($0) }
      }
    }
  }

  private var firstIndex = 0

  private mutating func layer(
    _ name: StaticString, background: Bool = false, clip: Int = 0, mask: Int = 0
  ) {
    puppet.layers.append(
      PuppetLayer(
        name: PuppetName(name), firstIndex: firstIndex, indexCount: puppet.indices.count - firstIndex,
        blend: .normal, clip: clip, mask: mask, isMaskOnly: false, isBackground: background, opacity: 1,
        opacityMorph: nil, opacityInverse: false))
  }

  private mutating func morph(_ name: StaticString, _ vertices: [Int], _ offset: SIMD3<Float>) {
    puppet.morphs.append(
      PuppetMorph(
        name: PuppetName(name), firstDelta: puppet.deltas.count, deltaCount: vertices.count))
    puppet.deltas += vertices.map { PuppetDelta(vertex: $0, offset: offset) }
  }

  private mutating func landmark(_ name: StaticString, _ vertex: Int) {
    puppet.landmarks.append(PuppetLandmark(name: PuppetName(name), vertex: vertex))
  }
}
