import Testing

@testable import YoobFace

@Suite("Encoded draw lists and the vectors that the page shares")
struct EncodeVectorTests {
  private let still = FaceLayout(
    figure: FacePlacement(x: 0, y: 0, scale: 1), scene: FacePlacement(x: 0, y: 0, scale: 1))

  @Test("draw lists become the rounds of the shared vectors, masks before the pictures that they cut")
  func plans() throws {
    let vectors = try DrawVectors.read()
    #expect(!vectors.plans.isEmpty)
    for plan in vectors.plans {
      let count = plan.draws.reduce(0) { $0 + Int($1.indexCount) }
      let puppet = DrawVectors.puppet(
        plan.draws, indices: (0..<count).map { UInt16($0) }, uvs: [Float](repeating: 0, count: count * 2),
        width: 64, height: 64)
      let recorder = PassRecorder(FaceEncoder(puppet, levels: 1))
      let positions = [SIMD2<Float>](repeating: .zero, count: count)
      positions.withUnsafeBufferPointer { positions in
        plan.draws.map(\.command).withUnsafeBufferPointer {
          recorder.encode(positions, $0, layout: still, width: 64, height: 64)
        }
      }
      // An empty pass is left out, unless it empties its target; a round is told from the passes.
      var expected: [(FacePass.Target, Bool, [Int])] = []
      for (index, round) in plan.rounds.enumerated() {
        for (target, members) in [(FacePass.Target.masks, round.masks), (.pictures, round.pictures)]
        where !members.isEmpty || index == 0 { expected.append((target, index == 0, members)) }
      }
      #expect(recorder.passes.map(\.target) == expected.map(\.0))
      #expect(recorder.passes.map(\.clears) == expected.map(\.1))
      let seen = recorder.passes.map { pass in
        recorder.draws[pass.firstDraw..<(pass.firstDraw + pass.drawCount)].map(\.firstIndex)
      }
      #expect(seen == expected.map { $0.2.map { plan.draws[$0].firstIndex } })
    }
  }

  @Test("characters lie where the shared vectors say")
  func layouts() throws {
    let vectors = try DrawVectors.read()
    #expect(!vectors.layouts.isEmpty)
    for vector in vectors.layouts {
      let canvas = FaceCanvas(
        width: vector.canvas.width, height: vector.canvas.height, cropX: vector.canvas.cropX,
        cropY: vector.canvas.cropY, cropSize: vector.canvas.cropSize)
      let fit = try #require(FaceFit(rawValue: vector.fit))
      let layout = canvas.layout(
        width: vector.view[0], height: vector.view[1], fit: fit, isSquareCrop: vector.square)
      for (seen, expected) in [(layout.figure, vector.figure), (layout.scene, vector.scene)] {
        #expect(abs(seen.x - expected.x) < 1e-6)
        #expect(abs(seen.y - expected.y) < 1e-6)
        #expect(abs(seen.scale - expected.scale) < 1e-6)
      }
      #expect(layout.sceneOpacity == 1)
    }
  }

  @Test("the numbers of each draw are those of the shared vectors", arguments: [64, 256])
  func numbers(stride: Int) throws {
    let vectors = try DrawVectors.read()
    #expect(!vectors.frames.isEmpty)
    for frame in vectors.frames {
      let puppet = DrawVectors.puppet(
        frame.draws, indices: frame.indices, uvs: frame.uvs, width: frame.atlasWidth,
        height: frame.atlasHeight)
      let recorder = PassRecorder(FaceEncoder(puppet, levels: frame.levels), stride: stride)
      let positions = Swift.stride(from: 0, to: frame.positions.count, by: 2).map {
        SIMD2(frame.positions[$0], frame.positions[$0 + 1])
      }
      let layout = FaceLayout(
        figure: frame.layout.figure.placement, scene: frame.layout.scene.placement,
        sceneOpacity: frame.layout.sceneOpacity)
      // The second time, parts are known already.
      for _ in 0..<2 {
        positions.withUnsafeBufferPointer { positions in
          frame.draws.map(\.command).withUnsafeBufferPointer {
            recorder.encode(positions, $0, layout: layout, width: frame.view[0], height: frame.view[1])
          }
        }
      }
      #expect(recorder.draws.map(\.firstIndex) == frame.order.map { frame.draws[$0].firstIndex })
      for (draw, expected) in frame.numbers.enumerated() {
        let seen = recorder.numbers(draw)
        #expect(seen.count == expected.count)
        #expect(zip(seen, expected).allSatisfy { abs($0 - $1) < 1e-5 })
      }
    }
  }
}
