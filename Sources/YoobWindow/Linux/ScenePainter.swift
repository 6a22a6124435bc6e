#if canImport(CSDL)
  import CSDL
  import Foundation
  import Yoob

  /// Draws a window: the character, and over it the captions, the line at the top and the help.
  final class ScenePainter {
    private let renderer: OpaquePointer
    private let text: TextPainter
    private var texture: OpaquePointer?
    private var shown: WindowShared.Shown?
    private var wrapped = Wrapped()

    /// Lines that were broken last, which a frame later are the same.
    private struct Wrapped {
      var captions = CaptionBoard()
      var width = 0.0
      var size = 0
      var user = ""
      var character: [String] = []
    }

    init(_ renderer: OpaquePointer) {
      self.renderer = renderer
      text = TextPainter(renderer)
    }

    func close() {
      forget()
      text.close()
      SDL_DestroyRenderer(renderer)
    }

    /// The renderer lost its textures.
    func forget() {
      if let texture { SDL_DestroyTexture(texture) }
      texture = nil
      text.forget()
    }

    /// Pixels of the window.
    var size: (width: Int, height: Int) {
      var (width, height): (Int32, Int32) = (0, 0)
      guard SDL_GetRendererOutputSize(renderer, &width, &height) == 0 else { return (1, 1) }
      return (Int(width), Int(height))
    }

    /// Takes the frame that is drawn from now on.
    func take(_ frame: WindowShared.Shown) {
      if shown?.frame.width != frame.frame.width || shown?.frame.height != frame.frame.height {
        if let texture { SDL_DestroyTexture(texture) }
        texture = nil
      }
      shown = frame
      upload()
    }

    private func upload() {
      guard let frame = shown?.frame else { return }
      if texture == nil {
        texture = SDL_CreateTexture(
          renderer, SDL_PIXELFORMAT_ABGR8888.rawValue, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue),
          Int32(frame.width), Int32(frame.height))
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE)
      }
      frame.rgba.withUnsafeBytes { bytes in
        _ = SDL_UpdateTexture(texture, nil, bytes.baseAddress, Int32(frame.width * 4))
      }
    }

    /// Draws all of it at a time in seconds.
    func paint(_ scene: WindowScene, layout: WindowLayout, at time: Double) {
      SDL_SetRenderDrawColor(renderer, 24, 26, 38, 255)
      SDL_RenderClear(renderer)
      if texture == nil { upload() }
      if let texture, let shown { paint(texture, shown, layout) }
      if !scene.isHelpShown { paint(scene.captions, layout, opacity: scene.captions.opacity(at: time)) }
      let unit = Self.unit(layout)
      if let line = scene.line(at: time) { paint(line: line, layout, unit) }
      if scene.isHelpShown { paintHelp(layout, unit) }
      text.forgetUnused()
      SDL_RenderPresent(renderer)
    }

    // MARK: The character

    private func paint(_ texture: OpaquePointer, _ shown: WindowShared.Shown, _ layout: WindowLayout) {
      let (columns, rows) = (Int32(shown.frame.width), Int32(shown.frame.height))
      let place = layout.place(shown.framing).fitted(to: shown.frame.width, shown.frame.height)
      func copy(_ source: SDL_Rect, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        guard width > 0, height > 0 else { return }
        var (source, target) = (
          source, SDL_FRect(x: Float(x), y: Float(y), w: Float(width), h: Float(height))
        )
        SDL_RenderCopyF(renderer, texture, &source, &target)
      }
      // What the picture does not reach goes on as its edge: the outermost pixels may be mixed with nothing.
      let (right, bottom) = (place.x + place.width, place.y + place.height)
      copy(SDL_Rect(x: 1, y: 0, w: 1, h: rows), 0, place.y, place.x + 1, place.height)
      copy(
        SDL_Rect(x: columns - 2, y: 0, w: 1, h: rows), right - 1, place.y, layout.width - right + 1,
        place.height)
      copy(SDL_Rect(x: 0, y: 1, w: columns, h: 1), place.x, 0, place.width, place.y + 1)
      copy(
        SDL_Rect(x: 0, y: rows - 2, w: columns, h: 1), place.x, bottom - 1, place.width,
        layout.height - bottom + 1)
      copy(SDL_Rect(x: 0, y: 0, w: columns, h: rows), place.x, place.y, place.width, place.height)
    }

    // MARK: Words

    /// Pixels of a letter of her captions.
    private static func unit(_ layout: WindowLayout) -> Double {
      min(44, max(11, 0.042 * min(layout.width, layout.height * 0.9)))
    }

    private func paint(_ captions: CaptionBoard, _ layout: WindowLayout, opacity: Double) {
      // A window of a few centimetres shows her alone.
      guard opacity > 0, layout.width >= 200, layout.height >= 180 else { return }
      let unit = Self.unit(layout)
      let size = Int(unit.rounded())
      let small = max(10, Int((unit * 0.8).rounded()))
      let width = min(layout.width - 3.2 * unit, 34 * unit)
      if wrapped.captions != captions || wrapped.width != width || wrapped.size != size {
        wrapped = Wrapped(captions: captions, width: width, size: size)
        wrapped.character = CaptionLines.last(
          layout.height > 20 * unit ? 3 : 2, of: captions.character.text, width: width
        ) { text.width($0, size) }
        if !captions.user.text.isEmpty {
          wrapped.user = CaptionLines.end(
            of: String(captions.user.text.suffix(300)), width: width - text.width("You: ", small)
          ) { text.width($0, small) }
        }
      }
      guard !wrapped.user.isEmpty || !wrapped.character.isEmpty else { return }
      let line = (unit * 1.36).rounded()
      let height =
        line * Double(wrapped.character.count) + (wrapped.user.isEmpty ? 0 : 1.25 * unit) + 0.9 * unit
      let user = wrapped.user.isEmpty ? "" : "You: " + wrapped.user
      let widest = max(text.width(user, small), wrapped.character.map { text.width($0, size) }.max() ?? 0)
      var y = layout.height - 0.8 * unit - height
      panel(
        x: (layout.width - widest) / 2 - 0.8 * unit, y: y, width: widest + 1.6 * unit, height: height,
        radius: 0.7 * unit, opacity: 0.62 * opacity)
      y += 0.4 * unit
      if !user.isEmpty {
        text.draw(user, small, centre: layout.width / 2, y: y, opacity: 0.88 * opacity)
        y += 1.25 * unit
      }
      for words in wrapped.character {
        text.draw(words, size, centre: layout.width / 2, y: y, opacity: opacity)
        y += line
      }
    }

    private func paint(line: String, _ layout: WindowLayout, _ unit: Double) {
      guard layout.width >= 200, layout.height >= 180 else { return }
      let size = max(10, Int((unit * 0.8).rounded()))
      let lines = CaptionLines.last(3, of: line, width: layout.width - 4 * unit) { text.width($0, size) }
      let widest = lines.map { text.width($0, size) }.max() ?? 0
      let step = Double(size) * 1.35
      let height = step * Double(lines.count) + 0.8 * unit
      panel(
        x: (layout.width - widest) / 2 - unit, y: 0.7 * unit, width: widest + 2 * unit, height: height,
        radius: min(height / 2, unit), opacity: 0.6)
      for (index, words) in lines.enumerated() {
        text.draw(words, size, centre: layout.width / 2, y: 1.1 * unit + step * Double(index), opacity: 1)
      }
    }

    private func paintHelp(_ layout: WindowLayout, _ unit: Double) {
      let size = min(
        max(10, Int((unit * 0.9).rounded())),
        max(7, Int(layout.height / Double(WindowAction.help.count * 2 + 2))))
      let widest = WindowAction.help.map { text.width($0.text, size) }.max() ?? 0
      let keys = WindowAction.help.map { text.width($0.key, size) }.max() ?? 0
      let (gap, step) = (Double(size) * 1.2, Double(size) * 1.7)
      let width = keys + gap + widest + 3 * gap
      let height = step * Double(WindowAction.help.count) + 2 * gap
      // Below her face, where there is room for that.
      let (x, y) = (
        (layout.width - width) / 2, max(0, min(layout.height * 0.52, layout.height - height - gap))
      )
      panel(x: x, y: y, width: width, height: height, radius: gap, opacity: 0.78)
      for (index, entry) in WindowAction.help.enumerated() {
        let row = y + gap + step * Double(index)
        text.draw(entry.key, size, x: x + 1.5 * gap, y: row, opacity: 1)
        text.draw(entry.text, size, x: x + 2.5 * gap + keys, y: row, opacity: 0.85)
      }
    }

    // MARK: Shapes

    /// A dark panel with round corners, drawn row by row.
    private func panel(
      x: Double, y: Double, width: Double, height: Double, radius: Double, opacity: Double
    ) {
      SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND)
      SDL_SetRenderDrawColor(renderer, 14, 14, 30, UInt8(255 * opacity))
      let rows = Int(height.rounded())
      let rectangles = (0..<max(0, rows)).map { row in
        let middle = Double(row) + 0.5
        let beyond = max(0, radius - middle, middle - (Double(rows) - radius))
        let inset = radius - max(0, radius * radius - beyond * beyond).squareRoot()
        return SDL_FRect(
          x: Float(x + inset), y: Float(y.rounded() + Double(row)), w: Float(width - 2 * inset), h: 1)
      }
      SDL_RenderFillRectsF(renderer, rectangles, Int32(rectangles.count))
    }
  }
#endif
