/// The texels of one layer, cut out of the atlas.
///
/// A layer's own short rows lie close together in memory; rows of a whole atlas are thousands of bytes
/// apart, and fetching them takes longer than everything else that is done to a pixel.
struct LayerTexture {
  let texture: RasterTexture
  let extents: TexelExtents
  /// Texels of the whole atlas at this size.
  let size: SIMD2<Float>
  /// What is added to a place in the atlas, in texels, to find it here.
  let shift: SIMD2<Float>

  /// The textures of a puppet's layers. `sizes` holds the atlas at full, half and quarter size.
  static func cut(_ puppet: Puppet, sizes: [RasterTexture], table: TriangleTable) -> [LayerTexture] {
    puppet.layers.map { layer in
      let level = layer.indexCount > 0 ? Int(table.entries[layer.firstIndex].level) : 0
      let atlas = sizes[level]
      // Coarser sizes are halves rounded up: places scale with the exact half.
      let size = SIMD2(Float(sizes[0].width), Float(sizes[0].height)) / Float(1 << level)
      var low = SIMD2<Float>(1, 1)
      var high = SIMD2<Float>(0, 0)
      for corner in layer.firstIndex..<(layer.firstIndex + layer.indexCount) {
        let vertex = puppet.vertices[Int(puppet.indices[corner])]
        low = SIMD2(min(low.x, vertex.u), min(low.y, vertex.v))
        high = SIMD2(max(high.x, vertex.u), max(high.y, vertex.v))
      }
      if layer.indexCount == 0 { low = .zero }
      let x = max(0, min(atlas.width - 1, Int(low.x * size.x) - 2))
      let y = max(0, min(atlas.height - 1, Int(low.y * size.y) - 2))
      let right = max(x + 1, min(atlas.width, Int(high.x * size.x) + 3))
      let bottom = max(y + 1, min(atlas.height, Int(high.y * size.y) + 3))
      let margin = Float(RasterTexture.margin) - 0.5
      let texture = RasterTexture(atlas, x: x, y: y, width: right - x, height: bottom - y)
      return LayerTexture(
        texture: texture, extents: TexelExtents(texture), size: size,
        shift: SIMD2(margin - Float(x), margin - Float(y)))
    }
  }
}
