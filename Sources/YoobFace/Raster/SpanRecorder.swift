/// Notes the pixels of one layer that have to be painted.
struct SpanRecorder {
  let spans: SpanBuffer
  let hidden: HiddenPixels
  let extents: TexelExtents
  let width: Int
  /// Whether the layer writes a mask, which is done for hidden and for empty places too.
  let isMask: Bool
  /// Whether opaque texels fill the mask.
  let fills: Bool
  /// Whether opaque texels replace what is below.
  let replaces: Bool
  /// Whether the layer paints at all.
  let paints: Bool
  /// Whether it hides the layers that are noted after it.
  let covers: Bool

  /// Spans that a row can take.
  static let spansPerRow = 2

  @inline(never)
  func record(_ t: TriangleSetup, _ content: TriangleTable.Content) {
    let texels = TexelWalk(t)
    if isMask {
      t.forEachRow(width: width) { row, start, length in mask(texels, content, row, start, length) }
    } else if content == .opaque && replaces {
      t.forEachRow(width: width) { row, start, length in copy(texels, row, start, length) }
    } else {
      t.forEachRow(width: width) { row, start, length in blend(texels, row, start, length) }
    }
  }

  @inline(__always)
  private func copy(_ texels: TexelWalk, _ row: Int, _ start: Int, _ length: Int) {
    let shown = hidden.trim(row, start, length)
    if shown.length == 0 { return }
    var texel = texels.row(row, start, length)
    texel.skip(shown.skipped)
    let first = start &+ shown.skipped
    spans.append(row &* width &+ first, shown.length, .copy, texel)
    if covers { hidden.cover(row, first, shown.length) }
  }

  @inline(__always)
  private func blend(_ texels: TexelWalk, _ row: Int, _ start: Int, _ length: Int) {
    let shown = hidden.trim(row, start, length)
    if shown.length == 0 { return }
    var texel = texels.row(row, start, length)
    texel.skip(shown.skipped)
    let parts = extents.parts(texel, length: shown.length)
    if parts.length == 0 { return }
    let first = start &+ shown.skipped
    if replaces && covers && parts.opaqueLength > 0 {
      hidden.cover(row, first &+ parts.opaqueSkipped, parts.opaqueLength)
    }
    texel.skip(parts.skipped)
    spans.append(
      row &* width &+ first &+ parts.skipped, parts.length,
      replaces && parts.opaqueLength == parts.length ? .copy : .blend, texel)
  }

  @inline(__always)
  private func mask(
    _ texels: TexelWalk, _ content: TriangleTable.Content, _ row: Int, _ start: Int, _ length: Int
  ) {
    let texel = texels.row(row, start, length)
    let place = row &* width &+ start
    var opaque = (skipped: 0, length: content == .opaque ? length : 0)
    if content == .mixed {
      let parts = extents.parts(texel, length: length)
      opaque = (parts.opaqueSkipped, parts.opaqueLength)
    }
    if fills && opaque.length == length {
      spans.append(place, length, .fill, texel)
      if paints { copy(texels, row, start, length) }
    } else {
      spans.append(place, length, .blend, texel)
      if replaces && covers && opaque.length > 0 {
        hidden.cover(row, start &+ opaque.skipped, opaque.length)
      }
    }
  }
}
