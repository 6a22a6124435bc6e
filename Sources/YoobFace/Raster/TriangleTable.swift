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

  /// `scale` is pixels of the frame to a canvas unit.
  init(_ puppet: Puppet, texture: RasterTexture, scale: Float, levels: Int) {
    let alpha = AlphaSums(texture)
    var entries = [Entry](
      repeating: Entry(level: 0, content: .mixed), count: puppet.indices.count)
    for layer in puppet.layers {
      let level = Self.level(of: layer, puppet, texture, scale, levels)
      for corner in stride(from: layer.firstIndex, to: layer.firstIndex + layer.indexCount, by: 3) {
        entries[corner] = Entry(
          level: level, content: alpha.content(of: corner, puppet, margin: 2 << Int(level)))
      }
    }
    self.entries = entries
  }

  /// One size for a layer, so that no seam shows inside it.
  private static func level(
    of layer: PuppetLayer, _ puppet: Puppet, _ texture: RasterTexture, _ scale: Float, _ levels: Int
  ) -> UInt8 {
    var texels: Float = 0
    var pixels: Float = 0
    for corner in stride(from: layer.firstIndex, to: layer.firstIndex + layer.indexCount, by: 3) {
      let a = puppet.vertices[Int(puppet.indices[corner])]
      let b = puppet.vertices[Int(puppet.indices[corner + 1])]
      let c = puppet.vertices[Int(puppet.indices[corner + 2])]
      let area = (b.u - a.u) * (c.v - a.v) - (c.u - a.u) * (b.v - a.v)
      texels += abs(area) * Float(texture.width) * Float(texture.height)
      let p = b.position - a.position
      let q = c.position - a.position
      pixels += abs(p.x * q.y - q.x * p.y) * scale * scale
    }
    guard pixels > 0 else { return 0 }
    let ratio = texels / pixels
    // Bilinear sampling stays clean up to about 1.5 texels a pixel.
    if ratio > 9 && levels > 2 { return 2 }
    return ratio > 1.0 && levels > 1 ? 1 : 0
  }
}

/// Counts of visible and of translucent texels, for asking about any rectangle.
private struct AlphaSums {
  private let width: Int
  private let height: Int
  private var visible: [Int32]
  private var translucent: [Int32]

  init(_ texture: RasterTexture) {
    width = texture.width
    height = texture.height
    let row = width + 1
    visible = [Int32](repeating: 0, count: row * (height + 1))
    translucent = visible
    for y in 0..<height {
      var seen: Int32 = 0
      var thin: Int32 = 0
      let texels = texture.texels + (y + RasterTexture.margin) * texture.stride + RasterTexture.margin
      for x in 0..<width {
        let alpha = texels[x] >> 24
        if alpha > 0 { seen += 1 }
        if alpha < 255 { thin += 1 }
        visible[(y + 1) * row + x + 1] = visible[y * row + x + 1] + seen
        translucent[(y + 1) * row + x + 1] = translucent[y * row + x + 1] + thin
      }
    }
  }

  func content(of corner: Int, _ puppet: Puppet, margin: Int) -> TriangleTable.Content {
    let a = puppet.vertices[Int(puppet.indices[corner])]
    let b = puppet.vertices[Int(puppet.indices[corner + 1])]
    let c = puppet.vertices[Int(puppet.indices[corner + 2])]
    let left = max(0, Int(min(a.u, b.u, c.u) * Float(width)) - margin)
    let right = min(width, Int(max(a.u, b.u, c.u) * Float(width)) + 1 + margin)
    let top = max(0, Int(min(a.v, b.v, c.v) * Float(height)) - margin)
    let bottom = min(height, Int(max(a.v, b.v, c.v) * Float(height)) + 1 + margin)
    if count(visible, left, top, right, bottom) == 0 { return .empty }
    return count(translucent, left, top, right, bottom) == 0 ? .opaque : .mixed
  }

  private func count(_ sums: [Int32], _ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> Int32 {
    let row = width + 1
    return sums[bottom * row + right] - sums[top * row + right] - sums[bottom * row + left]
      + sums[top * row + left]
  }
}
