/// From which size of the atlas each part is read, and where inside its own picture: read by the graphics
/// device alone, a small size would mix in the neighbours at a part's edges, which shows as hairlines.
struct AtlasSampling: Sendable {
  /// Texels of the atlas that stay clear between two parts.
  private static let gap = 3.0

  /// How one part lies in the atlas.
  private struct Patch {
    /// Texels to a canvas unit; below 0 while it was not measured.
    var density = -1.0
    /// Left, top, right and bottom in texels.
    var bounds = SIMD4<Double>.zero
  }

  /// Vertices that positions are wanted of.
  let vertexCount: Int
  private let width: Double
  private let height: Double
  private let levels: Int
  private let corners: [Corner]
  /// The part that begins at an index.
  private let partAt: [Int32]
  private var patches: [Patch]

  private struct Corner {
    var vertex: Int32
    var u: Float
    var v: Float
  }

  /// `levels` is the number of sizes of the atlas, of which `width` x `height` is the largest.
  init(_ puppet: Puppet, width: Int, height: Int, levels: Int) {
    vertexCount = puppet.vertices.count
    self.width = Double(width)
    self.height = Double(height)
    self.levels = max(1, levels)
    corners = puppet.indices.map { index in
      let vertex = puppet.vertices[Int(index)]
      return Corner(vertex: Int32(index), u: vertex.u, v: vertex.v)
    }
    var partAt = [Int32](repeating: -1, count: puppet.indices.count + 1)
    for (part, layer) in puppet.layers.enumerated() where layer.indexCount > 0 {
      partAt[layer.firstIndex] = Int32(part)
    }
    self.partAt = partAt
    patches = [Patch](repeating: Patch(), count: puppet.layers.count)
  }

  /// Whether a command names one of the puppet's layers.
  func knows(_ draw: DrawCommand) -> Bool {
    let (first, count) = (Int(draw.firstIndex), Int(draw.indexCount))
    return count > 0 && first < partAt.count && partAt[first] >= 0 && first + count <= corners.count
  }

  /// The level (0 is the largest size) and the bounds (left, top, right and bottom, 0...1 of the atlas) of a
  /// part at `scale` pixels to a canvas unit.
  mutating func sample(
    _ draw: DrawCommand, _ positions: UnsafeBufferPointer<SIMD2<Float>>, scale: Double
  ) -> (level: Int, bounds: SIMD4<Float>) {
    let part = Int(partAt[Int(draw.firstIndex)])
    if patches[part].density < 0 { patches[part] = measured(draw, positions) }
    let patch = patches[part]
    let ratio = patch.density / scale
    var level = 0
    // The level nearest to the ratio's logarithm; what has no size is read from the largest.
    var threshold = 2.0.squareRoot()
    while level < levels - 1 && ratio.isFinite && ratio >= threshold {
      level += 1
      threshold *= 2
    }
    // Two texels of that size are mixed: they reach one and a half of them to each side.
    let reach = max(0, 1.5 * Double(1 << level) - Self.gap)
    let x = min(reach, (patch.bounds.z - patch.bounds.x) / 2)
    let y = min(reach, (patch.bounds.w - patch.bounds.y) / 2)
    let bounds =
      (patch.bounds + SIMD4(x, y, -x, -y)) / SIMD4(width, height, width, height)
    return (level, SIMD4(bounds))
  }

  /// Measured when a part is first drawn: what moves later changes little. A mouth or a lid that is closed then
  /// is squeezed in one direction, so the other one counts.
  private func measured(_ draw: DrawCommand, _ positions: UnsafeBufferPointer<SIMD2<Float>>) -> Patch {
    var (low, high) = (SIMD4<Double>(repeating: .infinity), SIMD4<Double>(repeating: -.infinity))
    for index in Int(draw.firstIndex)..<Int(draw.firstIndex) + Int(draw.indexCount) {
      let corner = corners[index]
      let position = positions[Int(corner.vertex)]
      let point = SIMD4<Double>(
        Double(corner.u), Double(corner.v), Double(position.x), Double(position.y))
      low = SIMD4(min(low.x, point.x), min(low.y, point.y), min(low.z, point.z), min(low.w, point.w))
      high = SIMD4(max(high.x, point.x), max(high.y, point.y), max(high.z, point.z), max(high.w, point.w))
    }
    let bounds = SIMD4(low.x * width, low.y * height, high.x * width, high.y * height)
    let density = min(
      (bounds.z - bounds.x) / (high.z - low.z), (bounds.w - bounds.y) / (high.w - low.w))
    return Patch(density: density.isNaN ? 0 : max(0, density), bounds: bounds)
  }
}
