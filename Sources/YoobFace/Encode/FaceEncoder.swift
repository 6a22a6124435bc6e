/// Turns the draw list of a frame into passes for a graphics device: masks first, then the pictures that they
/// cut, with the result of drawing in strict order.
///
/// ```swift
/// var encoder = FaceEncoder(face.puppet, levels: 4)
/// let (passes, draws) = encoder.encode(
///   face, layout: canvas.layout(width: 720, height: 1280), width: 720, height: 1280, into: buffers)
/// ```
/// Nothing is allocated while encoding. The 16 numbers of a draw:
///
/// | numbers | |
/// |---|---|
/// | 0...3 | scale x, scale y, offset x, offset y: canvas units to clip space (-1...1, y up) |
/// | 4...7 | 1 for the mask channel that cuts it, else 0 |
/// | 8, 9 | opacity 0...1, level of the atlas |
/// | 10, 11 | 0 |
/// | 12...15 | left, top, right and bottom of what may be read of the atlas, 0...1 |
public struct FaceEncoder: Sendable {
  /// Numbers of a draw.
  public static let numberCount = 16

  /// The most draws of a frame.
  public let mostDraws: Int
  /// The most passes of a frame.
  public let mostPasses: Int
  private var sampling: AtlasSampling

  /// An encoder for one character, whose atlas is there in `levels` sizes, each half of the one before.
  public init(_ puppet: Puppet, levels: Int) {
    // A layer that writes a mask is drawn twice.
    mostDraws = max(1, puppet.layers.count * 2)
    mostPasses = max(2, puppet.layers.count * 2 + 2)
    sampling = AtlasSampling(
      puppet, width: puppet.atlasWidth, height: puppet.atlasHeight, levels: levels)
  }

  /// Encodes the face as its last `advance` left it; as the other.
  public mutating func encode(
    _ face: FaceEngine, layout: FaceLayout, width: Int, height: Int, into buffers: FacePassBuffers
  ) -> (passes: Int, draws: Int) {
    encode(
      positions: face.positions, draws: face.draws, layout: layout, width: width, height: height,
      into: buffers)
  }

  /// Encodes a draw list for a view of `width` x `height` pixels. Returns how many passes and draws were
  /// written; what finds no room in the buffers is left out, and without a position for each vertex all is.
  public mutating func encode(
    positions: UnsafeBufferPointer<SIMD2<Float>>, draws: UnsafeBufferPointer<DrawCommand>,
    layout: FaceLayout, width: Int, height: Int, into buffers: FacePassBuffers
  ) -> (passes: Int, draws: Int) {
    guard positions.count >= sampling.vertexCount else { return (0, 0) }
    var page = Page(
      buffers: buffers, layout: layout, width: Double(max(1, width)), height: Double(max(1, height)))
    var start = 0
    repeat {
      let end = Self.roundEnd(draws, from: start)
      page.begin(.masks, clears: start == 0)
      for draw in draws[start..<end] where draw.mask > 0 && sampling.knows(draw) {
        page.write(draw, isMask: true, positions, &sampling)
      }
      page.begin(.pictures, clears: start == 0)
      for draw in draws[start..<end] where !draw.isMaskOnly && draw.opacity > 0 && sampling.knows(draw) {
        page.write(draw, isMask: false, positions, &sampling)
      }
      start = end
    } while start < draws.count
    page.end()
    return (page.passCount, page.drawCount)
  }

  /// Where the round that begins at `start` ends: a mask may move ahead of the pictures before it as long as
  /// none of them is cut by its channel.
  private static func roundEnd(_ draws: UnsafeBufferPointer<DrawCommand>, from start: Int) -> Int {
    var used: UInt32 = 0
    for index in start..<draws.count {
      let draw = draws[index]
      if draw.mask > 0, used & (1 << (draw.mask & 31)) != 0 { return index }
      if !draw.isMaskOnly, draw.opacity > 0, draw.clip > 0 { used |= 1 << (draw.clip & 31) }
    }
    return draws.count
  }
}

/// The buffers while they are filled.
private struct Page {
  let buffers: FacePassBuffers
  let layout: FaceLayout
  let width: Double
  let height: Double
  var passCount = 0
  var drawCount = 0
  private var pass = FacePass()
  private var isOpen = false

  init(buffers: FacePassBuffers, layout: FaceLayout, width: Double, height: Double) {
    self.buffers = buffers
    self.layout = layout
    self.width = width
    self.height = height
  }

  mutating func begin(_ target: FacePass.Target, clears: Bool) {
    end()
    pass.target = target
    pass.clears = clears
    pass.firstDraw = drawCount
    isOpen = true
  }

  mutating func end() {
    pass.drawCount = drawCount - pass.firstDraw
    // A pass that draws nothing still empties its target.
    if isOpen, pass.drawCount > 0 || pass.clears, passCount < buffers.passes.count {
      buffers.passes[passCount] = pass
      passCount += 1
    }
    isOpen = false
  }

  mutating func write(
    _ draw: DrawCommand, isMask: Bool, _ positions: UnsafeBufferPointer<SIMD2<Float>>,
    _ sampling: inout AtlasSampling
  ) {
    let offset = drawCount * buffers.stride
    guard drawCount < buffers.draws.count, passCount < buffers.passes.count,
      offset + FaceEncoder.numberCount * 4 <= buffers.numbers.count
    else { return }
    var item = FaceDraw()
    item.firstIndex = draw.firstIndex
    item.indexCount = draw.indexCount
    item.blend = draw.blend > 2 ? 0 : draw.blend
    item.channel = isMask ? draw.mask : draw.clip
    buffers.draws[drawCount] = item
    drawCount += 1

    let place = draw.isBackground ? layout.scene : layout.figure
    let (level, bounds) = sampling.sample(draw, positions, scale: place.scale)
    put(
      SIMD4(
        Float(2 * place.scale / width), Float(-2 * place.scale / height), Float(2 * place.x / width - 1),
        Float(1 - 2 * place.y / height)), offset)
    var selector = SIMD4<Float>.zero
    if (1...4).contains(draw.clip) { selector[Int(draw.clip) - 1] = 1 }
    put(selector, offset + 16)
    let opacity = draw.isBackground ? draw.opacity * layout.sceneOpacity : draw.opacity
    put(SIMD4(opacity, Float(level), 0, 0), offset + 32)
    put(bounds, offset + 48)
  }

  private func put(_ four: SIMD4<Float>, _ offset: Int) {
    for lane in 0..<4 {
      buffers.numbers.storeBytes(of: four[lane], toByteOffset: offset + 4 * lane, as: Float.self)
    }
  }
}
