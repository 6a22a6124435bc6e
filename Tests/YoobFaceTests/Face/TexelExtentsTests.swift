import Testing

@testable import YoobFace

@Suite("Texel extents")
struct TexelExtentsTests {
  /// A texture of 40 x 12 texels with random islands of colour in transparent rows.
  private static func texture(_ random: inout SeededGenerator) -> RasterTexture {
    var rgba = [UInt8](repeating: 0, count: 40 * 12 * 4)
    for y in 0..<12 where random.next() % 4 != 0 {
      let first = Int(random.next() % 30)
      let last = min(39, first + Int(random.next() % 14))
      let thin = random.next() % 3 == 0
      for x in first...last where random.next() % 3 != 0 || !thin {
        rgba[(y * 40 + x) * 4 + 3] = thin ? 200 : 255
      }
    }
    return RasterTexture(straight: PixelImage(width: 40, height: 12, rgba: rgba))
  }

  /// The alphas of the four texels of a sample, as bits that any and that all of them have.
  private static func alphas(_ texture: RasterTexture, _ u: Int32, _ v: Int32) -> (any: UInt32, all: UInt32) {
    let texel = texture.texels + Int(v >> 16) * texture.stride + Int(u >> 16)
    let four = [texel[0], texel[1], texel[texture.stride], texel[texture.stride + 1]].map { $0 >> 24 }
    return (four.reduce(0, |), four.reduce(255, &))
  }

  @Test("no visible place is cut from a span, and no other place is called opaque, whichever way it runs")
  func parts() {
    var random = SeededGenerator(seed: 40)
    var cut = 0
    var opaque = 0
    for _ in 0..<40 {
      let texture = Self.texture(&random)
      let extents = TexelExtents(texture)
      for _ in 0..<60 {
        let length = 1 + Int(random.next() % 24)
        let from = SIMD2(random.between(0, 51), random.between(0, 23))
        let to = SIMD2(random.between(0, 51), random.between(max(0, from.y - 3), min(23, from.y + 3)))
        let row = TexelRow(
          u: Int32(from.x * 65_536), v: Int32(from.y * 65_536),
          du: Int32((to.x - from.x) / Float(length) * 65_536),
          dv: Int32((to.y - from.y) / Float(length) * 65_536))
        let reach = TexelReach(row, length: length)
        guard let extent = extents.extent(reach) else { continue }
        let kept = Self.range(extent.visible(row, reach, length: length))
        let full = Self.range(extent.opaque(row, reach, length: length))
        #expect(kept.isEmpty || (kept.lowerBound >= 0 && kept.upperBound <= length))
        #expect(full.isEmpty || (full.lowerBound >= kept.lowerBound && full.upperBound <= kept.upperBound))
        #expect(extent.isOpaque(reach) == (full == 0..<length))
        for place in 0..<length {
          var at = row
          at.skip(place)
          let alphas = Self.alphas(texture, at.u, at.v)
          if !kept.contains(place) {
            cut += 1
            #expect(alphas.any == 0)
          }
          if full.contains(place) {
            opaque += 1
            #expect(alphas.all == 255)
          }
        }
      }
    }
    #expect(cut > 1000)
    #expect(opaque > 1000)
  }

  @Test("a span over opaque texels keeps its whole length, and one over empty rows keeps nothing")
  func wholeAndNothing() throws {
    var rgba = [UInt8](repeating: 255, count: 16 * 16 * 4)
    for index in 0..<(8 * 16) { rgba[index * 4 + 3] = 0 }
    let extents = TexelExtents(RasterTexture(straight: PixelImage(width: 16, height: 16, rgba: rgba)))
    let margin = Int32(RasterTexture.margin) << 16
    let empty = TexelRow(u: margin, v: margin + (2 << 16), du: 65_536, dv: 0)
    let full = TexelRow(u: margin, v: margin + (10 << 16), du: 65_536, dv: 0)
    let none = try #require(extents.extent(TexelReach(empty, length: 10)))
    #expect(none.visible(empty, TexelReach(empty, length: 10), length: 10).length == 0)
    #expect(none.opaque(empty, TexelReach(empty, length: 10), length: 10).length == 0)
    let all = try #require(extents.extent(TexelReach(full, length: 10)))
    #expect(all.visible(full, TexelReach(full, length: 10), length: 10) == (0, 10))
    #expect(all.opaque(full, TexelReach(full, length: 10), length: 10) == (0, 10))
  }

  private static func range(_ part: (skipped: Int, length: Int)) -> Range<Int> {
    part.skipped..<(part.skipped + part.length)
  }
}
