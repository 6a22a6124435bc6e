import Testing

@testable import YoobFace

@Suite("Rasterizer")
struct CPURasterizerTests {
  /// A flat puppet of one square canvas, its vertices given in canvas units, drawn 1:1.
  private struct Scene {
    var puppet: Puppet
    var atlas: PixelImage
    let side: Int

    /// `colours` are columns of 8 texels each, straight alpha.
    init(side: Int, colours: [[UInt8]]) {
      self.side = side
      puppet = SyntheticPuppet.make()
      puppet.canvasWidth = Float(side)
      puppet.canvasHeight = Float(side)
      puppet.cropX = 0
      puppet.cropY = 0
      puppet.cropSize = Float(side)
      puppet.vertices = []
      puppet.indices = []
      puppet.layers = []
      puppet.morphs = []
      puppet.deltas = []
      puppet.springs = []
      puppet.landmarks = []
      let width = colours.count * 8
      var rgba: [UInt8] = []
      for _ in 0..<8 { for x in 0..<width { rgba += colours[x / 8] } }
      puppet.atlasWidth = width
      puppet.atlasHeight = 8
      atlas = PixelImage(width: width, height: 8, rgba: rgba)
    }

    mutating func layer(
      _ corners: [SIMD2<Float>], colour: Int, blend: BlendMode = .normal, clip: Int = 0, mask: Int = 0,
      maskOnly: Bool = false, background: Bool = false, opacity: Float = 1
    ) {
      let first = puppet.indices.count
      for corner in corners {
        puppet.indices.append(UInt16(puppet.vertices.count))
        puppet.vertices.append(
          PuppetVertex(
            position: SIMD3(corner.x, corner.y, 0),
            u: (Float(colour) * 8 + 4) / Float(puppet.atlasWidth), v: 0.5, head: 0, body: 0))
      }
      puppet.layers.append(
        PuppetLayer(
          name: PuppetName("layer"), firstIndex: first, indexCount: corners.count, blend: blend, clip: clip,
          mask: mask, isMaskOnly: maskOnly, isBackground: background, opacity: opacity, opacityMorph: nil,
          opacityInverse: false))
    }

    mutating func square(
      _ from: SIMD2<Float>, _ to: SIMD2<Float>, colour: Int, blend: BlendMode = .normal, clip: Int = 0,
      mask: Int = 0, maskOnly: Bool = false, background: Bool = false, opacity: Float = 1
    ) {
      let b = SIMD2(to.x, from.y)
      let d = SIMD2(from.x, to.y)
      layer(
        [from, b, to, from, to, d], colour: colour, blend: blend, clip: clip, mask: mask, maskOnly: maskOnly,
        background: background, opacity: opacity)
    }

    func draw(
      clear: SIMD4<UInt8> = SIMD4(0, 0, 0, 0), background: Bool = true, supersample: Int = 1
    ) throws -> [[UInt8]] {
      let face = try FaceEngine(puppet: PuppetEncoder.encode(puppet), mouth: [], seed: 1)
      face.advance(to: 0, playhead: nil)
      let raster = try CPURasterizer(
        puppet: face.puppet, atlas: atlas, width: side, height: side, supersample: supersample)
      raster.clear = clear
      raster.drawsBackground = background
      raster.render(face)
      let bytes = Array(raster.pixels)
      return (0..<(side * side)).map { Array(bytes[($0 * 4)..<($0 * 4 + 4)]) }
    }
  }

  private let red: [UInt8] = [255, 0, 0, 255]
  private let thinBlue: [UInt8] = [0, 0, 255, 128]
  private let grey: [UInt8] = [128, 128, 128, 255]

  @Test("a square of whole pixels covers exactly those pixels")
  func square() throws {
    var scene = Scene(side: 16, colours: [red])
    scene.square(SIMD2(3, 4), SIMD2(10, 9), colour: 0)
    let pixels = try scene.draw()
    for y in 0..<16 {
      for x in 0..<16 {
        let inside = (3..<10).contains(x) && (4..<9).contains(y)
        #expect(pixels[y * 16 + x] == (inside ? red : [0, 0, 0, 0]))
      }
    }
  }

  @Test("a fan of translucent triangles has no gap and draws no pixel twice")
  func sharedEdges() throws {
    var random = SeededGenerator(seed: 77)
    for _ in 0..<20 {
      var scene = Scene(side: 48, colours: [thinBlue])
      let centre = SIMD2(random.between(16, 32), random.between(16, 32))
      let rim: [SIMD2<Float>] = (0..<11).map { spoke in
        let (sin, cos) = FaceMath.sincos(Float(spoke) * 6.2831853 / 11)
        return SIMD2(24, 24) + SIMD2(cos, sin) * random.between(12, 23)
      }
      var corners: [SIMD2<Float>] = []
      for spoke in 0..<11 { corners += [centre, rim[spoke], rim[(spoke + 1) % 11]] }
      scene.layer(corners, colour: 0)
      let pixels = try scene.draw()
      // Once blended, alpha is 128; twice, about 192.
      #expect(pixels.allSatisfy { $0[3] == 0 || $0[3] == 128 })
      // Every pixel near the centre is covered.
      let near = Int(centre.y) * 48 + Int(centre.x)
      for offset in [-49, -48, -47, -1, 0, 1, 47, 48, 49] { #expect(pixels[near + offset][3] == 128) }
    }
  }

  @Test("alpha is premultiplied, and a translucent layer over an opaque one stays opaque")
  func over() throws {
    var scene = Scene(side: 8, colours: [red, thinBlue])
    scene.square(SIMD2(0, 0), SIMD2(4, 8), colour: 0)
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 1)
    let pixels = try scene.draw()
    #expect(pixels[7] == [0, 0, 128, 128])
    #expect(pixels[0][3] == 255)
    #expect(abs(Int(pixels[0][0]) - 127) <= 1 && abs(Int(pixels[0][2]) - 128) <= 1)
  }

  @Test("opacity scales a layer")
  func opacity() throws {
    var scene = Scene(side: 8, colours: [red])
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 0, opacity: 0.5)
    let pixel = try scene.draw()[0]
    #expect(abs(Int(pixel[3]) - 127) <= 1 && pixel[0] == pixel[3])
  }

  @Test("multiply darkens and add brightens, and both keep the alpha below")
  func blends() throws {
    var scene = Scene(side: 8, colours: [grey, red])
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 0)
    scene.square(SIMD2(0, 0), SIMD2(4, 8), colour: 0, blend: .multiply)
    scene.square(SIMD2(4, 0), SIMD2(8, 8), colour: 1, blend: .add)
    let pixels = try scene.draw()
    #expect(abs(Int(pixels[0][0]) - 64) <= 1 && pixels[0][3] == 255)
    #expect(pixels[7] == [255, 128, 128, 255])
  }

  @Test("a clipped layer shows only where its mask was written")
  func clip() throws {
    var scene = Scene(side: 16, colours: [red, grey])
    scene.square(SIMD2(2, 2), SIMD2(6, 6), colour: 0, mask: 1)
    scene.square(SIMD2(8, 8), SIMD2(12, 12), colour: 0, mask: 2, maskOnly: true)
    scene.square(SIMD2(0, 0), SIMD2(16, 16), colour: 1, clip: 1)
    let pixels = try scene.draw()
    #expect(pixels[3 * 16 + 3] == grey)
    #expect(pixels[7 * 16 + 7] == [0, 0, 0, 0])
    // Only its mask is written, and another channel cuts nothing.
    #expect(pixels[9 * 16 + 9] == [0, 0, 0, 0])
  }

  @Test("a mask that is written again is replaced, not added to")
  func maskReplaced() throws {
    var scene = Scene(side: 8, colours: [red, [0, 0, 0, 0], grey])
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 0, mask: 1, maskOnly: true)
    scene.square(SIMD2(0, 0), SIMD2(4, 8), colour: 1, mask: 1, maskOnly: true)
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 2, clip: 1)
    let pixels = try scene.draw()
    #expect(pixels[0] == [0, 0, 0, 0])
    #expect(pixels[7] == grey)
  }

  @Test("masks are forgotten between frames")
  func maskFresh() throws {
    var scene = Scene(side: 8, colours: [red, grey])
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 1, clip: 1)
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 0, mask: 1, maskOnly: true)
    let face = try FaceEngine(puppet: PuppetEncoder.encode(scene.puppet), mouth: [], seed: 1)
    let raster = try CPURasterizer(puppet: face.puppet, atlas: scene.atlas, width: 8, height: 8)
    for _ in 0..<2 {
      raster.render(face)
      #expect(raster.pixels.allSatisfy { $0 == 0 })
    }
  }

  @Test("the background can be left out, and the clear colour shows instead")
  func background() throws {
    var scene = Scene(side: 8, colours: [red, grey])
    scene.square(SIMD2(0, 0), SIMD2(8, 8), colour: 0, background: true)
    scene.square(SIMD2(0, 0), SIMD2(4, 4), colour: 1)
    #expect(try scene.draw()[63] == red)
    #expect(try scene.draw(clear: SIMD4(1, 2, 3, 255), background: false)[63] == [1, 2, 3, 255])
    #expect(try scene.draw(background: false)[0] == grey)
  }

  @Test("supersampling averages: an edge through the middle of a pixel is half covered")
  func supersample() throws {
    var scene = Scene(side: 8, colours: [red])
    scene.square(SIMD2(0, 0), SIMD2(3.5, 8), colour: 0)
    let pixels = try scene.draw(supersample: 2)
    #expect(pixels[2] == red)
    #expect(abs(Int(pixels[3][0]) - 128) <= 1)
    #expect(pixels[4] == [0, 0, 0, 0])
  }

  @Test("triangles far outside, without area or with odd corners draw nothing and break nothing")
  func degenerate() throws {
    var scene = Scene(side: 8, colours: [red])
    let odd: [Float] = [-1e30, -40_000, -1, 0, 3, 3, 8, 1e9, 1e30]
    var random = SeededGenerator(seed: 5)
    var corners: [SIMD2<Float>] = []
    for _ in 0..<300 { corners.append(SIMD2(odd[Int(random.next() % 9)], odd[Int(random.next() % 9)])) }
    scene.layer(corners, colour: 0)
    #expect(try scene.draw().count == 64)
  }

  @Test("random translucent triangles match a plain renderer that tests every pixel")
  func reference() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<10 {
      var scene = Scene(side: 24, colours: [red])
      let corners = (0..<3).map { _ in SIMD2(random.between(-6, 30), random.between(-6, 30)) }
      scene.layer(corners, colour: 0)
      let pixels = try scene.draw()
      for y in 0..<24 {
        for x in 0..<24 {
          let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
          let sides = (0..<3).map { side -> Float in
            let a = corners[side]
            let e = corners[(side + 1) % 3] - a
            let p = point - a
            return (e.x * p.y - e.y * p.x) / (e * e).sum().squareRoot()
          }
          if sides.allSatisfy({ $0 > 0.001 }) || sides.allSatisfy({ $0 < -0.001 }) {
            #expect(pixels[y * 24 + x] == red)
          } else if sides.contains(where: { $0 > 0.001 }) && sides.contains(where: { $0 < -0.001 }) {
            #expect(pixels[y * 24 + x] == [0, 0, 0, 0])
          }
        }
      }
    }
  }

  @Test("leaving out what is hidden changes no pixel")
  func hidden() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<40 {
      var scene = Scene(side: 80, colours: [red, thinBlue, grey, [0, 0, 0, 0], [9, 200, 9, 255]])
      for _ in 0..<14 {
        var corners: [SIMD2<Float>] = []
        for _ in 0..<(3 * (1 + random.next() % 3)) {
          corners.append(SIMD2(random.between(-20, 100), random.between(-20, 100)))
        }
        let kind = random.next() % 8
        scene.layer(
          corners, colour: Int(random.next() % 5), blend: kind == 1 ? .multiply : kind == 2 ? .add : .normal,
          clip: kind == 3 || kind == 4 ? Int(1 + random.next() % 2) : 0,
          mask: kind == 4 || kind == 5 || kind == 6 ? Int(1 + random.next() % 2) : 0, maskOnly: kind == 6,
          opacity: kind == 7 ? 0.4 : 1)
      }
      // Edges of texels that fade within a triangle.
      for index in scene.puppet.vertices.indices where random.next() % 4 == 0 {
        scene.puppet.vertices[index].u += random.between(-0.1, 0.1)
      }
      let face = try FaceEngine(puppet: PuppetEncoder.encode(scene.puppet), mouth: [], seed: 1)
      face.advance(to: 0, playhead: nil)
      let raster = try CPURasterizer(puppet: face.puppet, atlas: scene.atlas, width: 80, height: 80)
      raster.render(face)
      let first = raster.image
      raster.render(face)
      #expect(raster.image == first)
      raster.leavesOutHidden = false
      raster.render(face)
      #expect(raster.image == first)
    }
  }

  @Test("an atlas of another size and a frame without pixels are refused")
  func refusals() throws {
    let puppet = SyntheticPuppet.make()
    let small = PixelImage(width: 2, height: 2, rgba: [])
    #expect(throws: RasterError.atlasSize(expectedWidth: 64, expectedHeight: 64, width: 2, height: 2)) {
      try CPURasterizer(puppet: puppet, atlas: small, width: 8, height: 8)
    }
    #expect(throws: RasterError.frameSize) {
      try CPURasterizer(puppet: puppet, atlas: SyntheticPuppet.atlas(), width: 0, height: 8)
    }
  }

  @Test("a whole face is drawn the same in every frame of the same time")
  func repeatable() throws {
    let face = try SyntheticPuppet.engine()
    face.advance(to: 0.5, playhead: nil)
    let raster = try CPURasterizer(
      puppet: face.puppet, atlas: SyntheticPuppet.atlas(), width: 90, height: 160, viewport: .canvas)
    raster.render(face)
    let first = raster.image
    raster.render(face)
    #expect(raster.image == first)
    // Background and figure, not an empty frame.
    #expect(Set(first.rgba).count > 4)
  }
}
