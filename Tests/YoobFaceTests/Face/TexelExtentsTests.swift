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
      for x in first...last where random.next() % 3 != 0 { rgba[(y * 40 + x) * 4 + 3] = 200 }
    }
    return RasterTexture(straight: PixelImage(width: 40, height: 12, rgba: rgba))
  }

  /// Whether any of the four texels of a sample can be seen.
  private static func isSeen(_ texture: RasterTexture, _ u: Int32, _ v: Int32) -> Bool {
    let texel = texture.texels + Int(v >> 16) * texture.stride + Int(u >> 16)
    return (texel[0] | texel[1] | texel[texture.stride] | texel[texture.stride + 1]) >> 24 != 0
  }

  @Test("no visible place is cut from a span, whichever way it runs")
  func keepsVisible() {
    var random = SeededGenerator(seed: 40)
    var cut = 0
    for _ in 0..<40 {
      let texture = Self.texture(&random)
      let extents = TexelExtents(texture)
      for _ in 0..<60 {
        let length = 1 + Int(random.next() % 24)
        let from = SIMD2(random.between(0, 51), random.between(0, 23))
        let to = SIMD2(random.between(0, 51), random.between(max(0, from.y - 3), min(23, from.y + 3)))
        let u = Int32(from.x * 65_536)
        let v = Int32(from.y * 65_536)
        let du = Int32((to.x - from.x) / Float(length) * 65_536)
        let dv = Int32((to.y - from.y) / Float(length) * 65_536)
        let kept = extents.trim(u: u, v: v, du: du, dv: dv, length: length)
        #expect(kept.skipped >= 0 && kept.length >= 0)
        #expect(kept.length == 0 || kept.skipped + kept.length <= length)
        for place in 0..<length
        where kept.length == 0 || place < kept.skipped
          || place >= kept.skipped + kept.length
        {
          cut += 1
          let k = Int32(place)
          #expect(!Self.isSeen(texture, u + du * k, v + dv * k))
        }
      }
    }
    #expect(cut > 1000)
  }

  @Test("a span over visible texels keeps its whole length, and one over empty rows keeps nothing")
  func wholeAndNothing() {
    var rgba = [UInt8](repeating: 255, count: 16 * 16 * 4)
    for index in 0..<(8 * 16) { rgba[index * 4 + 3] = 0 }
    let extents = TexelExtents(RasterTexture(straight: PixelImage(width: 16, height: 16, rgba: rgba)))
    let margin = Int32(RasterTexture.margin) << 16
    let empty = extents.trim(u: margin, v: margin + (2 << 16), du: 65_536, dv: 0, length: 10)
    #expect(empty.length == 0)
    let full = extents.trim(u: margin, v: margin + (10 << 16), du: 65_536, dv: 0, length: 10)
    #expect(full.skipped == 0 && full.length == 10)
  }
}
