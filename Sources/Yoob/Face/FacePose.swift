import YoobFace

/// A copy of what a face shows at one moment. Its storage is used again.
struct FacePose {
  private var positions: [SIMD2<Float>] = []
  private var draws: [DrawCommand] = []

  /// Copies a face.
  mutating func take(_ face: FaceEngine) {
    positions.removeAll(keepingCapacity: true)
    positions.append(contentsOf: face.positions)
    draws.removeAll(keepingCapacity: true)
    draws.append(contentsOf: face.draws)
  }

  /// Draws what was taken.
  func draw(with rasterizer: CPURasterizer) {
    positions.withUnsafeBufferPointer { positions in
      draws.withUnsafeBufferPointer { rasterizer.render(positions: positions, draws: $0) }
    }
  }
}
