/// What is known of each triangle before anything moves.
struct TriangleTable {
  /// How a triangle's part of the atlas looks.
  enum Content: UInt8 {
    case empty, opaque, mixed
  }

  struct Entry {
    /// Atlas size to sample: 0 full, 1 half, 2 quarter.
    var level: UInt8
    var content: Content
  }

  /// Addressed by the index of a triangle's first corner.
  let entries: [Entry]

  /// `densities` are the texels to a pixel (areas) of each layer, for the largest of `levels` sizes.
  init(_ puppet: Puppet, texture: RasterTexture, densities: [Float], levels: Int) {
    let alpha = AlphaSums(texture)
    var entries = [Entry](
      repeating: Entry(level: 0, content: .mixed), count: puppet.indices.count)
    for (layer, density) in zip(puppet.layers, densities) {
      let level = Self.level(density, levels)
      for corner in stride(from: layer.firstIndex, to: layer.firstIndex + layer.indexCount, by: 3) {
        entries[corner] = Entry(
          level: level, content: alpha.content(of: corner, puppet, margin: Float(2 << Int(level))))
      }
    }
    self.entries = entries
  }

  /// One size for a layer, so that no seam shows inside it. Bilinear sampling stays clean up to about 1.5
  /// texels a pixel and axis.
  private static func level(_ density: Float, _ levels: Int) -> UInt8 {
    if density > 9 && levels > 2 { return 2 }
    return density > 2.3 && levels > 1 ? 1 : 0
  }
}

/// How densely the layers of a puppet are painted.
enum LayerDensity {
  /// Texels of a `width` x `height` atlas to a pixel, as areas, at `scale` pixels to a canvas unit.
  static func densities(_ puppet: Puppet, width: Int, height: Int, scale: Float) -> [Float] {
    areas(puppet).map { area in
      let pixels = area.canvas * scale * scale
      return pixels > 0 ? area.atlas * Float(width) * Float(height) / pixels : 0
    }
  }

  /// The factor by which the atlas is best scaled once so that its finely painted layers have about one
  /// texel to a pixel; 1 if it is coarse already.
  static func reduction(_ puppet: Puppet, scale: Float) -> Float {
    let densities = densities(puppet, width: puppet.atlasWidth, height: puppet.atlasHeight, scale: scale)
    let weighted = zip(densities, areas(puppet)).sorted { $0.0 < $1.0 }
    let total = weighted.reduce(0) { $0 + $1.1.canvas }
    var sum: Float = 0
    for (density, area) in weighted {
      sum += area.canvas
      if sum >= total * 0.75 { return density > 1.25 ? max(0.125, 1 / density.squareRoot()) : 1 }
    }
    return 1
  }

  /// Area of each layer in the atlas (of 1) and on the canvas; backgrounds count little, as they are soft.
  private static func areas(_ puppet: Puppet) -> [(atlas: Float, canvas: Float)] {
    puppet.layers.map { layer in
      var atlas: Float = 0
      var canvas: Float = 0
      for corner in stride(from: layer.firstIndex, to: layer.firstIndex + layer.indexCount, by: 3) {
        let a = puppet.vertices[Int(puppet.indices[corner])]
        let b = puppet.vertices[Int(puppet.indices[corner + 1])]
        let c = puppet.vertices[Int(puppet.indices[corner + 2])]
        atlas += abs((b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v))
        let p = b.position - a.position
        let q = c.position - a.position
        canvas += abs(p.x * q.y - q.x * p.y)
      }
      return layer.isBackground ? (atlas * 1e-6, canvas * 1e-6) : (atlas, canvas)
    }
  }
}

/// Counts of visible and of translucent texels along each row, for asking about any triangle.
private struct AlphaSums {
  private let width: Int
  private let height: Int
  private var visible: [Int32]
  private var translucent: [Int32]

  init(_ texture: RasterTexture) {
    width = texture.width
    height = texture.height
    let row = width + 1
    visible = [Int32](repeating: 0, count: row * height)
    translucent = visible
    for y in 0..<height {
      var seen: Int32 = 0
      var thin: Int32 = 0
      let texels = texture.texels + (y + RasterTexture.margin) * texture.stride + RasterTexture.margin
      for x in 0..<width {
        let alpha = texels[x] >> 24
        if alpha > 0 { seen += 1 }
        if alpha < 255 { thin += 1 }
        visible[y * row + x + 1] = seen
        translucent[y * row + x + 1] = thin
      }
    }
  }

  /// Looks at every texel within `margin` of a triangle.
  func content(of corner: Int, _ puppet: Puppet, margin: Float) -> TriangleTable.Content {
    let size = SIMD2(Float(width), Float(height))
    let p = (0..<3).map { index -> SIMD2<Float> in
      let vertex = puppet.vertices[Int(puppet.indices[corner + index])]
      return SIMD2(vertex.u, vertex.v) * size
    }
    let top = max(0, Int(min(p[0].y, p[1].y, p[2].y) - margin))
    let bottom = min(height, Int(max(p[0].y, p[1].y, p[2].y) + margin) + 1)
    var isSeen = false
    var isThin = false
    for y in top..<max(top, bottom) {
      // The widest extent of the triangle between the rows y - margin and y + 1 + margin.
      var low = Float.infinity
      var high = -Float.infinity
      for side in 0..<3 {
        let a = p[side]
        let b = p[(side + 1) % 3]
        guard max(a.y, b.y) >= Float(y) - margin, min(a.y, b.y) <= Float(y) + 1 + margin else { continue }
        for edge in [Float(y) - margin, Float(y) + 1 + margin] {
          let part = b.y == a.y ? 0 : FaceMath.unit((edge - a.y) / (b.y - a.y))
          let x = a.x + (b.x - a.x) * part
          low = min(low, x)
          high = max(high, x)
          if b.y == a.y {
            low = min(low, b.x)
            high = max(high, b.x)
          }
        }
      }
      guard low <= high else { continue }
      let left = max(0, min(width, Int(low - margin)))
      let right = max(left, min(width, Int(high + margin) + 1))
      let row = y * (width + 1)
      if visible[row + right] > visible[row + left] { isSeen = true }
      if translucent[row + right] > translucent[row + left] { isThin = true }
      if isSeen && isThin { return .mixed }
    }
    return isSeen ? .opaque : .empty
  }
}
