import Foundation

@testable import YoobFace

/// Tests/Fixtures/draw-vectors.json, which the page's tests read too (scripts/make-draw-vectors).
struct DrawVectors: Decodable {
  struct Draw: Decodable {
    var firstIndex: UInt32
    var indexCount: UInt32
    var blend: UInt32
    var clip: UInt32
    var mask: UInt32
    var maskOnly: Bool
    var background: Bool
    var opacity: Float

    var command: DrawCommand {
      DrawCommand(
        firstIndex: firstIndex, indexCount: indexCount, blend: blend, clip: clip, mask: mask,
        flags: (maskOnly ? 1 : 0) | (background ? 2 : 0), opacity: opacity)
    }
  }
  struct Round: Decodable, Equatable {
    var masks: [Int]
    var pictures: [Int]
  }
  struct Plan: Decodable {
    var draws: [Draw]
    var rounds: [Round]
  }
  struct Place: Decodable {
    var x: Double
    var y: Double
    var scale: Double

    var placement: FacePlacement { FacePlacement(x: x, y: y, scale: scale) }
  }
  struct Canvas: Decodable {
    var width: Double
    var height: Double
    var cropX: Double
    var cropY: Double
    var cropSize: Double
  }
  struct View: Decodable {
    var canvas: Canvas
    var view: [Double]
    var fit: String
    var square: Bool
    var figure: Place
    var scene: Place
  }
  struct Layout: Decodable {
    var figure: Place
    var scene: Place
    var sceneOpacity: Float
  }
  struct Frame: Decodable {
    var atlasWidth: Int
    var atlasHeight: Int
    var levels: Int
    var indices: [UInt16]
    var uvs: [Float]
    var positions: [Float]
    var draws: [Draw]
    var view: [Int]
    var layout: Layout
    var order: [Int]
    var numbers: [[Float]]
  }
  var plans: [Plan]
  var layouts: [View]
  var frames: [Frame]

  static func read() throws -> DrawVectors {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try JSONDecoder().decode(
      DrawVectors.self, from: Data(contentsOf: tests.appendingPathComponent("Fixtures/draw-vectors.json")))
  }

  /// A puppet of which only the mesh and the layers count.
  static func puppet(_ draws: [Draw], indices: [UInt16], uvs: [Float], width: Int, height: Int) -> Puppet {
    var puppet = SyntheticPuppet.make()
    puppet.atlasWidth = width
    puppet.atlasHeight = height
    puppet.indices = indices
    puppet.vertices = stride(from: 0, to: uvs.count, by: 2).map {
      PuppetVertex(position: .zero, u: uvs[$0], v: uvs[$0 + 1], head: 0, body: 0)
    }
    puppet.layers = draws.map { draw in
      PuppetLayer(
        name: PuppetName("layer"), firstIndex: Int(draw.firstIndex), indexCount: Int(draw.indexCount),
        blend: .normal, clip: Int(draw.clip), mask: Int(draw.mask), isMaskOnly: draw.maskOnly,
        isBackground: draw.background, opacity: draw.opacity, opacityMorph: nil, opacityInverse: false)
    }
    return puppet
  }
}
