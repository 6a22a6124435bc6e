/// The reference renderer: draws a face into memory on one core.
///
/// ```swift
/// let frame = try CPURasterizer(puppet: face.puppet, atlas: atlas, width: 720, height: 720)
/// face.advance(to: time, playhead: heard)
/// frame.render(face)
/// write(frame.image)
/// ```
/// Nothing is allocated while rendering.
public final class CPURasterizer {
  /// Pixels of the frame.
  public let width: Int
  public let height: Int
  /// What the frame shows.
  public let viewport: Viewport
  /// Premultiplied red, green, blue and alpha below everything.
  public var clear: SIMD4<UInt8> = SIMD4(0, 0, 0, 0) { didSet { baseIsValid = false } }
  /// Whether layers marked as background are drawn.
  public var drawsBackground = true { didSet { baseIsValid = false } }

  private let puppet: Puppet
  private let textures: [LayerTexture]
  /// The layer that begins at an index, or nothing.
  private let layerAt: [Int32]
  private let table: TriangleTable
  private let scale: Float
  private let offset: SIMD2<Float>
  private let inner: (width: Int, height: Int)
  private let supersample: Int
  private let frame: UnsafeMutablePointer<UInt32>
  private let base: UnsafeMutablePointer<UInt32>
  private let output: UnsafeMutablePointer<UInt32>
  private let coverage: UnsafeMutablePointer<UInt8>
  private let channels: Int
  private let screen: UnsafeMutablePointer<SIMD2<Float>>
  /// Leading layers that never move, by first index: they are drawn once and kept.
  private let stillLayers: [Int]
  private var baseIsValid = false

  /// A renderer for one character and one size of frame.
  ///
  /// `atlas` has straight alpha. `supersample` 2 draws at twice the size and averages, for posters.
  /// Throws: `RasterError` if the atlas is not the puppet's or the size is out of range (1...8192).
  public init(
    puppet: Puppet, atlas: PixelImage, width: Int, height: Int, viewport: Viewport = .squareCrop,
    supersample: Int = 1
  ) throws(RasterError) {
    guard atlas.width == puppet.atlasWidth, atlas.height == puppet.atlasHeight else {
      throw .atlasSize(
        expectedWidth: puppet.atlasWidth, expectedHeight: puppet.atlasHeight, width: atlas.width,
        height: atlas.height)
    }
    let factor = supersample == 2 ? 2 : 1
    guard (1...8192).contains(width), (1...8192).contains(height) else { throw .frameSize }
    self.puppet = puppet
    self.width = width
    self.height = height
    self.viewport = viewport
    self.supersample = factor
    inner = (width * factor, height * factor)
    (scale, offset) = viewport.mapping(puppet, width: width * factor, height: height * factor)
    let reduction = LayerDensity.reduction(puppet, scale: scale)
    let painted = RasterTexture(straight: atlas)
    let full = reduction < 1 ? RasterTexture(painted, reducedBy: reduction) : painted
    let half = RasterTexture(half: full)
    let sizes = [full, half, RasterTexture(half: half)]
    table = TriangleTable(
      puppet, texture: full,
      densities: LayerDensity.densities(puppet, width: full.width, height: full.height, scale: scale),
      levels: sizes.count)
    textures = LayerTexture.cut(puppet, sizes: sizes, table: table)
    var layerAt = [Int32](repeating: -1, count: puppet.indices.count + 1)
    for (index, layer) in puppet.layers.enumerated() { layerAt[layer.firstIndex] = Int32(index) }
    self.layerAt = layerAt
    let count = inner.width * inner.height + 4
    frame = .allocate(capacity: count)
    base = .allocate(capacity: count)
    frame.initialize(repeating: 0, count: count)
    base.initialize(repeating: 0, count: count)
    if factor == 2 {
      output = .allocate(capacity: width * height)
      output.initialize(repeating: 0, count: width * height)
    } else {
      output = frame
    }
    channels = puppet.layers.reduce(0) { max($0, $1.mask, $1.clip) }
    coverage = .allocate(capacity: max(1, channels * count))
    coverage.initialize(repeating: 0, count: max(1, channels * count))
    screen = .allocate(capacity: max(1, puppet.vertices.count))
    screen.initialize(repeating: .zero, count: max(1, puppet.vertices.count))
    stillLayers = StillLayers.leading(of: puppet)
  }

  deinit {
    frame.deallocate()
    base.deallocate()
    if supersample == 2 { output.deallocate() }
    coverage.deallocate()
    screen.deallocate()
  }

  /// The frame: premultiplied RGBA, 4 bytes a pixel, rows from the top; changes with the next `render`.
  public var pixels: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: output, count: width * height * 4)
  }

  /// A copy of the frame, premultiplied.
  public var image: PixelImage { PixelImage(width: width, height: height, rgba: Array(pixels)) }

  /// Draws the face as its last `advance` left it. The face must be of the same puppet.
  public func render(_ face: FaceEngine) {
    render(positions: face.positions, draws: face.draws)
  }

  /// Draws layers at the given positions, one for each vertex of the puppet, in canvas units.
  public func render(positions: UnsafeBufferPointer<SIMD2<Float>>, draws: UnsafeBufferPointer<DrawCommand>) {
    guard positions.count >= puppet.vertices.count else { return }
    for index in 0..<puppet.vertices.count { screen[index] = positions[index] * scale + offset }
    let count = inner.width * inner.height
    if channels > 0 { coverage.update(repeating: 0, count: channels * (count + 4)) }
    let still = stillCount(draws)
    if !baseIsValid || still != stillDrawn {
      wipe(count)
      for index in 0..<still { draw(draws[index]) }
      base.update(from: frame, count: count)
      baseIsValid = true
      stillDrawn = still
    } else {
      frame.update(from: base, count: count)
    }
    for index in still..<draws.count { draw(draws[index]) }
    if supersample == 2 { shrink() }
  }

  private var stillDrawn = 0

  /// How many of the leading commands are layers that never move.
  private func stillCount(_ draws: UnsafeBufferPointer<DrawCommand>) -> Int {
    var count = 0
    while count < draws.count && count < stillLayers.count
      && Int(draws[count].firstIndex) == stillLayers[count]
    {
      count += 1
    }
    return count
  }

  private func wipe(_ count: Int) {
    let colour =
      UInt32(clear.x) | UInt32(clear.y) << 8 | UInt32(clear.z) << 16 | UInt32(clear.w) << 24
    frame.update(repeating: colour, count: count)
  }

  private func plane(_ channel: UInt32) -> UnsafeMutablePointer<UInt8>? {
    guard channel >= 1, channel <= channels else { return nil }
    return coverage + (Int(channel) - 1) * (inner.width * inner.height + 4)
  }

  private func isShown(_ command: DrawCommand) -> Bool {
    (drawsBackground || !command.isBackground)
      && Int(command.firstIndex) + Int(command.indexCount) <= puppet.indices.count
      && command.indexCount > 0
  }

  private func draw(_ command: DrawCommand) {
    guard isShown(command) else { return }
    let opacity = UInt32(FaceMath.unit(command.opacity) * 256 + 0.5)
    let mask = plane(command.mask)
    if opacity == 0 && mask == nil { return }
    let layer = Int(layerAt[Int(command.firstIndex)])
    guard layer >= 0 else { return }
    let texture = textures[layer].texture
    let painter = SpanPainter(
      pixels: frame, width: inner.width, height: inner.height, texels: texture.texels,
      stride: texture.stride, extents: textures[layer].extents, clip: plane(command.clip), mask: mask,
      blend: BlendMode(rawValue: UInt8(truncatingIfNeeded: command.blend)) ?? .normal, opacity: opacity,
      paints: !command.isMaskOnly)
    forEachTriangle(command, textures[layer], { $0 != .empty || mask != nil }) { triangle, content in
      painter.fill(triangle, content: content)
    }
  }

  /// Calls `body` for each triangle of a layer that is wanted and may have pixels in the frame.
  @inline(__always)
  private func forEachTriangle(
    _ command: DrawCommand, _ texture: LayerTexture, _ isWanted: (TriangleTable.Content) -> Bool,
    _ body: (TriangleSetup, TriangleTable.Content) -> Void
  ) {
    var corner = Int(command.firstIndex)
    let end = corner + Int(command.indexCount)
    puppet.indices.withUnsafeBufferPointer { indices in
      puppet.vertices.withUnsafeBufferPointer { vertices in
        table.entries.withUnsafeBufferPointer { entries in
          while corner < end {
            defer { corner += 3 }
            guard isWanted(entries[corner].content) else { continue }
            let a = Self.corner(Int(indices[corner]), vertices, screen, texture)
            let b = Self.corner(Int(indices[corner + 1]), vertices, screen, texture)
            let c = Self.corner(Int(indices[corner + 2]), vertices, screen, texture)
            if let setup = TriangleSetup(a, b, c, width: inner.width, height: inner.height) {
              body(setup, entries[corner].content)
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func corner(
    _ index: Int, _ vertices: UnsafeBufferPointer<PuppetVertex>,
    _ screen: UnsafeMutablePointer<SIMD2<Float>>, _ texture: LayerTexture
  ) -> RasterCorner {
    let place = SIMD2(vertices[index].u, vertices[index].v) * texture.size + texture.shift
    return RasterCorner(x: screen[index].x, y: screen[index].y, u: place.x, v: place.y)
  }

  private func shrink() {
    let mask: UInt32 = 0x00FF_00FF
    for y in 0..<height {
      let top = frame + 2 * y * inner.width
      let bottom = top + inner.width
      let row = output + y * width
      for x in 0..<width {
        let a = top[2 * x]
        let b = top[2 * x + 1]
        let c = bottom[2 * x]
        let d = bottom[2 * x + 1]
        let even = ((a & mask) + (b & mask) + (c & mask) + (d & mask) + 0x0002_0002) >> 2 & mask
        let odd =
          ((a >> 8 & mask) + (b >> 8 & mask) + (c >> 8 & mask) + (d >> 8 & mask) + 0x0002_0002) >> 2 & mask
        row[x] = even | odd << 8
      }
    }
  }
}
