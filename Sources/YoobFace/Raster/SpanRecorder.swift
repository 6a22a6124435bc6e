/// Notes the pixels of one layer that have to be painted.
struct SpanRecorder {
  let spans: SpanBuffer
  let hidden: HiddenPixels
  let extents: TexelExtents
  let width: Int
  /// Where the layer has to write its mask, which is done for hidden and for empty places too.
  let wanted: PixelBox
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
  func record(_ t: TriangleSetup, _ content: TriangleTable.Content, isMask: Bool) {
    var texels = TexelWalk(t)
    if isMask {
      t.forEachRow(width: width) { row, start, length in
        mask(texels, content, row, start, length)
      } next: {
        texels.advance()
      }
    } else if content == .opaque && replaces {
      t.forEachRow(width: width) { row, start, length in
        copy(texels, row, start, length)
      } next: {
        texels.advance()
      }
    } else {
      t.forEachRow(width: width) { row, start, length in
        blend(texels, row, start, length)
      } next: {
        texels.advance()
      }
    }
  }

  @inline(__always)
  private func copy(_ texels: TexelWalk, _ row: Int, _ start: Int, _ length: Int) {
    let shown = hidden.trim(row, start, length)
    if shown.length == 0 { return }
    let first = start &+ shown.skipped
    spans.append(
      row &* width &+ first, shown.length, .copy, texels.row(start, length, skipped: shown.skipped))
    if covers { hidden.cover(row, first, shown.length) }
  }

  @inline(__always)
  private func blend(_ texels: TexelWalk, _ row: Int, _ start: Int, _ length: Int) {
    let shown = hidden.trim(row, start, length)
    if shown.length == 0 { return }
    let first = start &+ shown.skipped
    var texel = texels.row(start, length, skipped: shown.skipped)
    let reach = TexelReach(texel, length: shown.length)
    guard let extent = extents.extent(reach) else {
      return spans.append(row &* width &+ first, shown.length, replaces ? .over : .blend, texel)
    }
    if replaces {
      if extent.isOpaque(reach) {
        spans.append(row &* width &+ first, shown.length, .copy, texel)
        if covers { hidden.cover(row, first, shown.length) }
        return
      }
      if covers {
        let opaque = extent.opaque(texel, reach, length: shown.length)
        if opaque.length > 0 { hidden.cover(row, first &+ opaque.skipped, opaque.length) }
      }
    }
    let seen = extent.visible(texel, reach, length: shown.length)
    if seen.length == 0 { return }
    texel.skip(seen.skipped)
    spans.append(
      row &* width &+ first &+ seen.skipped, seen.length, replaces ? .over : .blend, texel)
  }

  @inline(__always)
  private func mask(
    _ texels: TexelWalk, _ content: TriangleTable.Content, _ row: Int, _ start: Int, _ length: Int
  ) {
    let texel = texels.row(start, length)
    let place = row &* width &+ start
    var opaque = (skipped: 0, length: content == .opaque ? length : 0)
    if content == .mixed {
      let reach = TexelReach(texel, length: length)
      if let extent = extents.extent(reach) { opaque = extent.opaque(texel, reach, length: length) }
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
