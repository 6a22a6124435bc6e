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
  /// Rows of the frame.
  public let height: Int
  /// Premultiplied red, green, blue and alpha below everything.
  public var clear: SIMD4<UInt8> = SIMD4(0, 0, 0, 0) { didSet { baseIsValid = false } }
  /// Whether layers marked as background are drawn.
  public var drawsBackground = true { didSet { baseIsValid = false } }

  private let puppet: Puppet
  private let textures: [LayerTexture]
  /// The layer that begins at an index, or nothing.
  private let layerAt: [Int32]
  private let triangles: TriangleSource
  private let scale: Float
  private let offset: SIMD2<Float>
  private let scene: ScenePlace?
  private let inner: (width: Int, height: Int)
  private let supersample: Int
  private let frame: UnsafeMutablePointer<UInt32>
  private let base: UnsafeMutablePointer<UInt32>
  private let output: UnsafeMutablePointer<UInt32>
  private let masks: MaskPlanes
  private let screen: UnsafeMutablePointer<SIMD2<Float>>
  /// Leading layers that never move, by first index: they are drawn once and kept.
  private let stillLayers: [Int]
  private var baseIsValid = false
  /// Off for tests: the picture is the same.
  var leavesOutHidden = true
  private var stillDrawn = 0
  private let hidden: HiddenPixels
  private let spans: SpanBuffer
  /// Where the spans of each layer begin, from the front to the back.
  private let batches: UnsafeMutablePointer<Batch>
  private let batchCapacity: Int

  private struct Batch {
    var layer: Int
    var draw: Int
    var first: Int
  }

  /// A renderer for one character and one size of frame.
  ///
  /// `atlas` has straight alpha. `supersample` 2 draws at twice the size and averages, for posters.
  /// Throws: `RasterError` if the atlas is not the puppet's or the size is out of range (1...8192).
  public convenience init(
    puppet: Puppet, atlas: PixelImage, width: Int, height: Int, viewport: Viewport = .squareCrop,
    supersample: Int = 1
  ) throws(RasterError) {
    let factor = supersample == 2 ? 2 : 1
    let mapping =
      (1...8192).contains(width) && (1...8192).contains(height)
      ? viewport.mapping(puppet, width: width * factor, height: height * factor) : (1, .zero)
    try self.init(puppet, atlas, width, height, mapping, supersample: factor)
  }

  /// A renderer for a view of one size, in which character and scene lie as `layout` says.
  ///
  /// Throws: `RasterError` as the other.
  public convenience init(
    puppet: Puppet, atlas: PixelImage, width: Int, height: Int, layout: FaceLayout
  ) throws(RasterError) {
    let figure = layout.figure
    try self.init(
      puppet, atlas, width, height,
      (Float(figure.scale), SIMD2(Float(figure.x), Float(figure.y))), supersample: 1,
      scene: ScenePlace(puppet, layout))
  }

  private init(
    _ puppet: Puppet, _ atlas: PixelImage, _ width: Int, _ height: Int,
    _ mapping: (scale: Float, offset: SIMD2<Float>), supersample factor: Int, scene: ScenePlace? = nil
  ) throws(RasterError) {
    guard atlas.width == puppet.atlasWidth, atlas.height == puppet.atlasHeight else {
      throw .atlasSize(
        expectedWidth: puppet.atlasWidth, expectedHeight: puppet.atlasHeight, width: atlas.width,
        height: atlas.height)
    }
    guard (1...8192).contains(width), (1...8192).contains(height) else { throw .frameSize }
    self.puppet = puppet
    self.width = width
    self.height = height
    self.supersample = factor
    self.scene = scene
    inner = (width * factor, height * factor)
    (scale, offset) = mapping
    let reduction = LayerDensity.reduction(puppet, scale: scale)
    let painted = RasterTexture(straight: atlas)
    let full = reduction < 1 ? RasterTexture(painted, reducedBy: reduction) : painted
    let half = RasterTexture(half: full)
    let sizes = [full, half, RasterTexture(half: half)]
    let table = TriangleTable(
      puppet, texture: full,
      densities: LayerDensity.densities(puppet, width: full.width, height: full.height, scale: scale),
      levels: sizes.count)
    textures = LayerTexture.cut(puppet, sizes: sizes, table: table)
    triangles = TriangleSource(puppet, textures, table)
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
    masks = MaskPlanes(
      width: inner.width, height: inner.height,
      channels: puppet.layers.reduce(0) { max($0, $1.mask, $1.clip) })
    screen = .allocate(capacity: max(1, puppet.vertices.count))
    screen.initialize(repeating: .zero, count: max(1, puppet.vertices.count))
    stillLayers = StillLayers.leading(of: puppet)
    hidden = HiddenPixels(width: inner.width, height: inner.height)
    spans = SpanBuffer(
      capacity: max(SpanRecorder.spansPerRow * inner.height, inner.width * inner.height / 6))
    batchCapacity = max(1, puppet.layers.count)
    batches = .allocate(capacity: batchCapacity)
    batches.initialize(repeating: Batch(layer: 0, draw: 0, first: 0), count: batchCapacity)
  }

  deinit {
    frame.deallocate()
    base.deallocate()
    if supersample == 2 { output.deallocate() }
    batches.deallocate()
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
    scene?.place(positions, in: screen)
    masks.clear()
    hidden.clear()
    spans.removeAll()
    let still = stillCount(draws)
    drawBase(draws, still)
    if leavesOutHidden, let count = record(draws, still) {
      showBase(isPartlyHidden: true)
      var end = spans.count
      for index in stride(from: count - 1, through: 0, by: -1) {
        let batch = batches[index]
        painter(draws[batch.draw], batch.layer).paint(spans, batch.first..<end)
        end = batch.first
      }
    } else {
      hidden.clear()
      showBase(isPartlyHidden: false)
      for index in still..<draws.count { draw(draws[index]) }
    }
    if supersample == 2 { shrink() }
  }

  /// Draws the layers that never move where they are kept, unless that was done.
  private func drawBase(_ draws: UnsafeBufferPointer<DrawCommand>, _ still: Int) {
    guard !baseIsValid || still != stillDrawn else { return }
    let count = inner.width * inner.height
    wipe(count)
    for index in 0..<still { draw(draws[index]) }
    base.update(from: frame, count: count)
    baseIsValid = true
    stillDrawn = still
  }

  private func showBase(isPartlyHidden: Bool) {
    guard isPartlyHidden else { return frame.update(from: base, count: inner.width * inner.height) }
    for row in 0..<inner.height {
      hidden.forEachOpen(row, width: inner.width) { start, length in
        let place = row &* inner.width &+ start
        (frame + place).update(from: base + place, count: length)
      }
    }
  }

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

  private func isShown(_ command: DrawCommand) -> Bool {
    (drawsBackground || !command.isBackground)
      && Int(command.firstIndex) + Int(command.indexCount) <= puppet.indices.count
      && command.indexCount > 0
  }

  /// Notes what is to be painted of the layers from the front to the back; returns the number of batches,
  /// or nil if there is no room for them.
  private func record(_ draws: UnsafeBufferPointer<DrawCommand>, _ still: Int) -> Int? {
    var count = 0
    for draw in stride(from: draws.count - 1, through: still, by: -1) {
      guard let layer = layer(draws[draw]) else { continue }
      guard count < batchCapacity else { return nil }
      batches[count] = Batch(layer: layer, draw: draw, first: spans.count)
      count += 1
      let command = draws[draw]
      let painter = painter(command, layer)
      // Nothing that moves lies below the last layer.
      let recorder = recorder(
        painter, layer, covers: draw > still, wanted: painter.mask == nil ? .none : masks.wanted(command.mask)
      )
      var reached = PixelBox.none
      let first = Int(command.firstIndex) / 3
      // The last triangle lies in front of those before it.
      for index in stride(from: first + Int(command.indexCount) / 3 - 1, through: first, by: -1) {
        guard let box = box(index, recorder) else { continue }
        guard spans.hasRoom(for: SpanRecorder.spansPerRow * (box.bottom - box.top + 1)) else { return nil }
        record(index, box, recorder)
        reached.formUnion(box)
      }
      masks.note(command.mask, reached)
      masks.want(command.clip, reached)
      if recorder.replaces && reached.isLarge { hidden.settle(from: reached.top, to: reached.bottom + 1) }
    }
    return count
  }

  /// Draws a layer over what is in the frame.
  private func draw(_ command: DrawCommand) {
    guard let layer = layer(command) else { return }
    let painter = painter(command, layer)
    let recorder = recorder(painter, layer, covers: false, wanted: painter.mask == nil ? .none : whole)
    let first = Int(command.firstIndex) / 3
    for index in first..<(first + Int(command.indexCount) / 3) {
      guard let box = box(index, recorder) else { continue }
      spans.removeAll()
      record(index, box, recorder)
      painter.paint(spans, 0..<spans.count)
      masks.note(command.mask, box)
    }
  }

  /// The layer of a command, or nil if there is nothing to draw.
  private func layer(_ command: DrawCommand) -> Int? {
    guard isShown(command) else { return nil }
    let layer = Int(layerAt[Int(command.firstIndex)])
    guard layer >= 0 else { return nil }
    let isMask = masks.plane(command.mask) != nil
    return isMask || (!command.isMaskOnly && opacity(command) > 0) ? layer : nil
  }

  private func opacity(_ command: DrawCommand) -> UInt32 {
    let share = command.isBackground ? scene?.opacity ?? 1 : 1
    return UInt32(FaceMath.unit(command.opacity * share) * 256 + 0.5)
  }

  private func painter(_ command: DrawCommand, _ layer: Int) -> SpanPainter {
    let texture = textures[layer].texture
    return SpanPainter(
      pixels: frame, texels: texture.texels, stride: texture.stride, clip: masks.plane(command.clip),
      mask: masks.plane(command.mask),
      blend: BlendMode(rawValue: UInt8(truncatingIfNeeded: command.blend)) ?? .normal,
      opacity: opacity(command), paints: !command.isMaskOnly)
  }

  /// The whole frame.
  private var whole: PixelBox { PixelBox(left: 0, top: 0, right: inner.width - 1, bottom: inner.height - 1) }

  private func recorder(
    _ painter: SpanPainter, _ layer: Int, covers: Bool, wanted: PixelBox
  ) -> SpanRecorder {
    SpanRecorder(
      spans: spans, hidden: hidden, extents: textures[layer].extents, width: inner.width, wanted: wanted,
      fills: painter.fills, replaces: painter.replaces, paints: painter.paints, covers: covers)
  }

  /// The part of the frame that a triangle can reach; nil if nothing of it is wanted.
  @inline(__always)
  private func box(_ index: Int, _ recorder: SpanRecorder) -> PixelBox? {
    let triangle = triangles[index]
    guard
      let box = PixelBox(
        screen[Int(triangle.a)], screen[Int(triangle.b)], screen[Int(triangle.c)], width: inner.width,
        height: inner.height),
      box.meets(recorder.wanted)
        || (triangle.content != .empty && recorder.paints
          && !hidden.hides(left: box.left, top: box.top, right: box.right, bottom: box.bottom))
    else { return nil }
    return box
  }

  @inline(__always)
  private func record(_ index: Int, _ box: PixelBox, _ recorder: SpanRecorder) {
    let triangle = triangles[index]
    let a = RasterCorner(screen[Int(triangle.a)], triangle.placeA)
    let b = RasterCorner(screen[Int(triangle.b)], triangle.placeB)
    let c = RasterCorner(screen[Int(triangle.c)], triangle.placeC)
    if let setup = TriangleSetup(a, b, c, width: inner.width, height: inner.height) {
      recorder.record(setup, triangle.content, isMask: box.meets(recorder.wanted))
    }
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
