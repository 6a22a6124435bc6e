import Foundation
import Testing
import YoobPicture

@testable import YoobFace

@Suite("Encoded passes against the rasterizer")
struct EncodePictureTests {
  struct View: Sendable, CustomTestStringConvertible {
    var width: Int
    var height: Int
    var fit: FaceFit
    var testDescription: String { "\(fit) \(width) x \(height)" }
  }

  /// Both ways to draw a puppet into one view.
  private struct Both {
    let layout: FaceLayout
    let raster: CPURasterizer
    let executor: PassExecutor
    let recorder: PassRecorder

    init(_ puppet: Puppet, atlas: PixelImage, _ view: View) throws {
      layout = FaceCanvas(puppet).layout(
        width: Double(view.width), height: Double(view.height), fit: view.fit)
      raster = try CPURasterizer(
        puppet: puppet, atlas: atlas, width: view.width, height: view.height, layout: layout)
      executor = PassExecutor(puppet, atlas: atlas, width: view.width, height: view.height)
      recorder = PassRecorder(FaceEncoder(puppet, levels: executor.levelCount))
    }

    /// How far the two pictures of a face are apart.
    func distance(_ face: FaceEngine, block: Int = 1, margin: Int = 0) -> PictureDistance {
      raster.render(face)
      recorder.encode(
        face.positions, face.draws, layout: layout, width: executor.width, height: executor.height)
      executor.run(recorder, face.positions)
      return PictureDistance(
        executor.pixels, Array(raster.pixels), width: executor.width, block: block, margin: margin)
    }
  }

  @Test(
    "Luna looks the same in every pose, in a wide view that the scene fills, and whole in a tall one",
    arguments: [View(width: 180, height: 90, fit: .fill), View(width: 120, height: 200, fit: .fit)])
  func luna(view: View) throws {
    let pack = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("characters/luna-anime/pack")
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: pack.appendingPathComponent(name)))
    }
    let face = try FaceEngine(puppet: try bytes("puppet.bin"), mouth: [], seed: 3)
    let both = try Both(face.puppet, atlas: PNGImage.decode(try bytes("atlas.png")).atlas, view)
    face.beginUtterance()
    SyntheticPuppet.visemes([.aa, .oh]).withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    [Float](repeating: 0.1, count: 8000).withUnsafeBufferPointer { face.appendAudio($0, sampleRate: 16_000) }
    for (time, emotion) in [(0.1, FaceEmotion.neutral), (0.45, .happy)] {
      face.setEmotion(emotion)
      face.advance(to: time, playhead: time)
      // The two shrink the atlas in different ways: a blur hides it, and the edge of the scene is left out.
      let distance = both.distance(face, block: 3, margin: 12)
      #expect(distance.mean < 1.2)
      #expect(distance.share < 0.02)
    }
  }

  @Test(
    "masks that are used again, cuts, and every way to lay a layer on the one below give the same picture")
  func masks() throws {
    var random = SeededGenerator(seed: 11)
    func number(_ count: Int) -> Int { Int(random.next() >> 33) % count }
    var rounds = 0
    for _ in 0..<12 {
      let puppet = MaskScene.make(number)
      let face = try FaceEngine(puppet: PuppetEncoder.encode(puppet), mouth: [], seed: 1)
      face.advance(to: 0, playhead: nil)
      let both = try Both(
        face.puppet, atlas: MaskScene.atlas(), View(width: 48, height: 48, fit: .fit))
      let distance = both.distance(face)
      // A corner of a square may lie on the centre of a pixel.
      #expect(distance.mean < 1)
      #expect(distance.share < 0.001)
      rounds = max(rounds, both.recorder.passes.count { $0.target == .pictures })
    }
    #expect(rounds > 1)
  }

  @Test("a scene that is drawn in part shines through alike")
  func sceneOpacity() throws {
    let face = try SyntheticPuppet.engine()
    face.advance(to: 0, playhead: nil)
    var layout = FaceCanvas(face.puppet).layout(width: 60, height: 60)
    layout.sceneOpacity = 0.5
    let atlas = SyntheticPuppet.atlas()
    let raster = try CPURasterizer(
      puppet: face.puppet, atlas: atlas, width: 60, height: 60, layout: layout)
    raster.render(face)
    let executor = PassExecutor(face.puppet, atlas: atlas, width: 60, height: 60)
    let recorder = PassRecorder(FaceEncoder(face.puppet, levels: executor.levelCount))
    recorder.encode(face.positions, face.draws, layout: layout, width: 60, height: 60)
    executor.run(recorder, face.positions)
    // A corner, where only the scene is.
    #expect((127...128).contains(raster.image.rgba[3]))
    #expect((127...128).contains(executor.pixels[3]))
  }

  @Test("draws of no layer are left out, and a frame without all its positions is")
  func strangeDraws() throws {
    let face = try SyntheticPuppet.engine()
    face.advance(to: 0, playhead: nil)
    let layout = FaceCanvas(face.puppet).layout(width: 60, height: 60)
    let recorder = PassRecorder(FaceEncoder(face.puppet, levels: 1))
    let known = try #require(face.draws.first)
    var strange: [DrawCommand] = []
    let runs: [(UInt32, UInt32)] = [(1, 3), (.max, 3), (0, .max), (0, 0), (UInt32(face.indices.count), 3)]
    for (first, count) in runs {
      strange.append(
        DrawCommand(firstIndex: first, indexCount: count, blend: 9, clip: 200, mask: 77, flags: 0, opacity: 1)
      )
    }
    (strange + [known]).withUnsafeBufferPointer {
      recorder.encode(face.positions, $0, layout: layout, width: 60, height: 60)
    }
    #expect(recorder.draws.map(\.firstIndex) == [known.firstIndex])
    recorder.encode(
      UnsafeBufferPointer(rebasing: face.positions.dropLast()), face.draws, layout: layout, width: 60,
      height: 60)
    #expect(recorder.passes.isEmpty)
  }

  @Test("what finds no room in the buffers is left out")
  func smallBuffers() throws {
    let face = try SyntheticPuppet.engine()
    face.advance(to: 0, playhead: nil)
    let layout = FaceCanvas(face.puppet).layout(width: 60, height: 60)
    for (passes, draws) in [(0, 0), (1, 4), (2, 3), (2, 0)] {
      let recorder = PassRecorder(
        FaceEncoder(face.puppet, levels: 1), mostPasses: passes, mostDraws: draws)
      recorder.encode(face.positions, face.draws, layout: layout, width: 60, height: 60)
      #expect(recorder.passes.count <= passes)
      #expect(recorder.draws.count <= draws)
      #expect(
        recorder.passes.allSatisfy { $0.firstDraw + $0.drawCount <= recorder.draws.count })
    }
  }
}

/// Squares of flat colours that write and use masks.
enum MaskScene {
  private static let colours: [[UInt8]] = [
    [255, 0, 0, 255], [0, 0, 255, 128], [128, 128, 128, 255], [250, 220, 60, 200],
  ]

  static func atlas() -> PixelImage {
    var rgba: [UInt8] = []
    for _ in 0..<8 { for x in 0..<32 { rgba += colours[x / 8] } }
    return PixelImage(width: 32, height: 8, rgba: rgba)
  }

  static func make(_ number: (Int) -> Int) -> Puppet {
    var puppet = SyntheticPuppet.make()
    (puppet.canvasWidth, puppet.canvasHeight, puppet.cropX, puppet.cropY, puppet.cropSize) = (
      48, 48, 0, 0, 48
    )
    (puppet.atlasWidth, puppet.atlasHeight) = (32, 8)
    (puppet.vertices, puppet.indices, puppet.layers) = ([], [], [])
    (puppet.morphs, puppet.deltas, puppet.springs, puppet.landmarks) = ([], [], [], [])
    for layer in 0..<14 {
      let (x, y) = (number(30), number(30))
      let (width, height) = (6 + number(16), 6 + number(16))
      let base = puppet.vertices.count
      for (column, row) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
        let colour = Float(layer == 0 ? 2 : number(4))
        // One colour a layer: its corners read the same texel.
        let u = (column == 0 && row == 0) ? (colour * 8 + 4) / 32 : puppet.vertices[base].u
        puppet.vertices.append(
          PuppetVertex(
            position: layer == 0
              ? SIMD3(Float(column) * 48, Float(row) * 48, 0)
              : SIMD3(Float(x + column * width), Float(y + row * height), 0),
            u: u, v: 0.5, head: 0, body: 0))
      }
      // A mask is not cut itself.
      let mask = layer > 0 && number(3) == 0 ? 1 + number(2) : 0
      puppet.layers.append(
        PuppetLayer(
          name: PuppetName("layer"), firstIndex: puppet.indices.count, indexCount: 6,
          blend: layer == 0 ? .normal : [.normal, .normal, .multiply, .add][number(4)],
          clip: mask == 0 && layer > 2 ? number(3) : 0, mask: mask, isMaskOnly: mask > 0 && number(3) == 0,
          isBackground: layer == 0, opacity: [1, 0.75, 0.5][number(3)], opacityMorph: nil,
          opacityInverse: false))
      puppet.indices += [0, 1, 2, 0, 2, 3].map { UInt16(base + $0) }
    }
    return puppet
  }
}
