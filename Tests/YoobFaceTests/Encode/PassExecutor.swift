@testable import YoobFace

/// Draws encoded passes as a graphics device does, and knows nothing else of a face: the target, the blending,
/// the masks and the sampling of the page's shaders, one sample a pixel.
final class PassExecutor {
  let width: Int
  let height: Int
  /// Premultiplied, 0...1.
  private var frame: [SIMD4<Float>]
  private var masks: [SIMD4<Float>]
  private let levels: [PixelImage]
  private let uvs: [SIMD2<Float>]
  private let indices: [UInt16]

  init(_ puppet: Puppet, atlas: PixelImage, width: Int, height: Int) {
    self.width = width
    self.height = height
    levels = AtlasPyramid(straight: atlas).levels
    uvs = puppet.vertices.map { SIMD2($0.u, $0.v) }
    indices = puppet.indices
    frame = [SIMD4<Float>](repeating: .zero, count: width * height)
    masks = frame
  }

  var levelCount: Int { levels.count }

  /// The frame, premultiplied.
  var pixels: [UInt8] {
    frame.flatMap { pixel in
      (0..<4).map { UInt8(max(0, min(255, (pixel[$0] * 255).rounded()))) }
    }
  }

  func run(_ recorder: PassRecorder, _ positions: UnsafeBufferPointer<SIMD2<Float>>) {
    for pass in recorder.passes {
      if pass.clears {
        for pixel in 0..<(width * height) {
          if pass.target == .masks { masks[pixel] = .zero } else { frame[pixel] = .zero }
        }
      }
      for index in pass.firstDraw..<(pass.firstDraw + pass.drawCount) {
        draw(recorder.draws[index], recorder.numbers(index), pass.target, positions)
      }
    }
  }

  private func draw(
    _ draw: FaceDraw, _ numbers: [Float], _ target: FacePass.Target,
    _ positions: UnsafeBufferPointer<SIMD2<Float>>
  ) {
    let level = levels[Int(numbers[9])]
    let bounds = SIMD4(numbers[12], numbers[13], numbers[14], numbers[15])
    let selector = SIMD4(numbers[4], numbers[5], numbers[6], numbers[7])
    level.rgba.withUnsafeBufferPointer { texels in
      let first = Int(draw.firstIndex)
      for corner in stride(from: first, to: first + Int(draw.indexCount), by: 3) {
        let corners = (0..<3).map { Int(indices[corner + $0]) }
        let points = corners.map { vertex -> SIMD2<Float> in
          // Clip space, then pixels.
          let x = positions[vertex].x * numbers[0] + numbers[2]
          let y = positions[vertex].y * numbers[1] + numbers[3]
          return SIMD2((x + 1) / 2 * Float(width), (1 - y) / 2 * Float(height))
        }
        fill(points) { pixel, share in
          let uv = uvs[corners[0]] * share.x + uvs[corners[1]] * share.y + uvs[corners[2]] * share.z
          let ink = Self.sample(texels, level, uv, bounds) * numbers[8]
          if target == .masks {
            masks[pixel][Int(draw.channel) - 1] = ink.w
          } else if draw.channel > 0 {
            blend(ink * (masks[pixel] * selector).sum(), draw.blend, pixel)
          } else {
            blend(ink, draw.blend, pixel)
          }
        }
      }
    }
  }

  private func blend(_ ink: SIMD4<Float>, _ mode: UInt32, _ pixel: Int) {
    let below = frame[pixel]
    var result =
      switch mode {
      case 1: ink * below + below * (1 - ink.w)
      case 2: ink + below
      default: ink + below * (1 - ink.w)
      }
    if mode != 0 { result.w = below.w }
    for lane in 0..<4 { result[lane] = max(0, min(1, result[lane])) }
    frame[pixel] = result
  }

  /// Pixels whose centres lie in a triangle, on its left and upper edges included, with the corners' shares.
  private func fill(_ p: [SIMD2<Float>], _ body: (Int, SIMD3<Float>) -> Void) {
    var (a, b, c) = (p[0], p[1], p[2])
    var order = SIMD3(0, 1, 2)
    var area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    if area < 0 {
      swap(&b, &c)
      order = SIMD3(0, 2, 1)
      area = -area
    }
    guard area > 0, area.isFinite else { return }
    let top = max(0, Int(min(a.y, b.y, c.y) - 0.5))
    let bottom = min(height - 1, Int(max(a.y, b.y, c.y) + 0.5))
    let left = max(0, Int(min(a.x, b.x, c.x) - 0.5))
    let right = min(width - 1, Int(max(a.x, b.x, c.x) + 0.5))
    guard top <= bottom, left <= right else { return }
    let edges = [(b, c), (c, a), (a, b)]
    for y in top...bottom {
      for x in left...right {
        let point = SIMD2(Float(x) + 0.5, Float(y) + 0.5)
        var shares = SIMD3<Float>.zero
        var isInside = true
        for (corner, (from, to)) in edges.enumerated() {
          let side = to - from
          let value = side.x * (point.y - from.y) - side.y * (point.x - from.x)
          let isOwned = side.y < 0 || (side.y == 0 && side.x > 0)
          if value < 0 || (value == 0 && !isOwned) { isInside = false }
          shares[order[corner]] = value / area
        }
        if isInside { body(y * width + x, shares) }
      }
    }
  }

  private static func sample(
    _ texels: UnsafeBufferPointer<UInt8>, _ level: PixelImage, _ uv: SIMD2<Float>, _ bounds: SIMD4<Float>
  ) -> SIMD4<Float> {
    let u = min(max(uv.x, bounds.x), bounds.z) * Float(level.width) - 0.5
    let v = min(max(uv.y, bounds.y), bounds.w) * Float(level.height) - 0.5
    let (x, y) = (u.rounded(.down), v.rounded(.down))
    func texel(_ x: Float, _ y: Float) -> SIMD4<Float> {
      let column = max(0, min(level.width - 1, Int(x)))
      let row = max(0, min(level.height - 1, Int(y)))
      let at = (row * level.width + column) * 4
      return SIMD4(Float(texels[at]), Float(texels[at + 1]), Float(texels[at + 2]), Float(texels[at + 3]))
        / 255
    }
    let upper = texel(x, y) * (1 - (u - x)) + texel(x + 1, y) * (u - x)
    let lower = texel(x, y + 1) * (1 - (u - x)) + texel(x + 1, y + 1) * (u - x)
    return upper * (1 - (v - y)) + lower * (v - y)
  }
}

/// How far two pictures are apart.
struct PictureDistance {
  /// Mean of the channels' differences, 0...255.
  var mean = 0.0
  /// Share of the blocks that differ by more than 24 in a channel.
  var share = 0.0

  /// Compares the means of blocks of `block` x `block` pixels, without `margin` pixels on each side.
  init(_ a: [UInt8], _ b: [UInt8], width: Int, block: Int, margin: Int = 0) {
    var (sum, far, blocks) = (0.0, 0, 0)
    let height = a.count / 4 / width
    for top in stride(from: margin, to: height - margin - block + 1, by: block) {
      for left in stride(from: margin, to: width - margin - block + 1, by: block) {
        var most = 0.0
        for channel in 0..<4 {
          var difference = 0
          for y in top..<(top + block) {
            for x in left..<(left + block) {
              let at = (y * width + x) * 4 + channel
              difference += Int(a[at]) - Int(b[at])
            }
          }
          let distance = Double(abs(difference)) / Double(block * block)
          sum += distance
          most = max(most, distance)
        }
        if most > 24 { far += 1 }
        blocks += 1
      }
    }
    mean = sum / Double(max(1, blocks * 4))
    share = Double(far) / Double(max(1, blocks))
  }
}
