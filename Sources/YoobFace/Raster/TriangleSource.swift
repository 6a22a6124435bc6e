/// The triangles of a puppet with their places in the textures of their layers.
final class TriangleSource {
  /// A triangle as it was made: which vertices it joins, and what of its texture it shows.
  struct Triangle {
    let a: UInt16
    let b: UInt16
    let c: UInt16
    let content: TriangleTable.Content
    /// Texels, margin included.
    let placeA: SIMD2<Float>
    let placeB: SIMD2<Float>
    let placeC: SIMD2<Float>
  }

  let count: Int
  private let store: UnsafeMutablePointer<Triangle>

  init(_ puppet: Puppet, _ textures: [LayerTexture], _ table: TriangleTable) {
    count = puppet.indices.count / 3
    store = .allocate(capacity: max(1, count))
    var scale = [SIMD2<Float>](repeating: .zero, count: count)
    var shift = scale
    for (layer, texture) in zip(puppet.layers, textures) {
      for triangle in (layer.firstIndex / 3)..<((layer.firstIndex + layer.indexCount) / 3) {
        scale[triangle] = texture.size
        shift[triangle] = texture.shift
      }
    }
    for triangle in 0..<count {
      let corners = (0..<3).map { puppet.indices[triangle * 3 + $0] }
      let places = corners.map { corner in
        let vertex = puppet.vertices[Int(corner)]
        return SIMD2(vertex.u, vertex.v) * scale[triangle] + shift[triangle]
      }
      (store + triangle).initialize(
        to: Triangle(
          a: corners[0], b: corners[1], c: corners[2], content: table.entries[triangle * 3].content,
          placeA: places[0], placeB: places[1], placeC: places[2]))
    }
  }

  deinit { store.deallocate() }

  @inline(__always)
  subscript(_ index: Int) -> Triangle { store[index] }
}

/// The part of a frame that a triangle can reach, its last column and row included.
struct PixelBox {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  static let none = PixelBox(left: .max, top: .max, right: -1, bottom: -1)

  /// Nil if the triangle lies outside, or has no numbers for corners.
  @inline(__always)
  init?(_ p: SIMD2<Float>, _ q: SIMD2<Float>, _ r: SIMD2<Float>, width: Int, height: Int) {
    let left = min(p.x, q.x, r.x)
    let right = max(p.x, q.x, r.x)
    let top = min(p.y, q.y, r.y)
    let bottom = max(p.y, q.y, r.y)
    // The comparisons are false for values that are not numbers.
    guard right > 0, left < Float(width), bottom > 0, top < Float(height), left > -30_000, right < 30_000,
      top > -30_000, bottom < 30_000
    else { return nil }
    self.left = Int(max(0, left))
    self.top = Int(max(0, top))
    self.right = min(width &- 1, Int(right))
    self.bottom = min(height &- 1, Int(bottom))
  }

  init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Whether it can hide whole triangles.
  var isLarge: Bool { bottom - top > 16 && right - left > 16 }

  @inline(__always)
  func meets(_ other: PixelBox) -> Bool {
    left <= other.right && right >= other.left && top <= other.bottom && bottom >= other.top
  }

  @inline(__always)
  mutating func formUnion(_ other: PixelBox) {
    left = min(left, other.left)
    top = min(top, other.top)
    right = max(right, other.right)
    bottom = max(bottom, other.bottom)
  }
}
