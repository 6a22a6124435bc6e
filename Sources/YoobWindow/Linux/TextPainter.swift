#if canImport(CSDL)
  import CSDL
  import Foundation

  /// Draws lines of text in the system's sans serif, with a soft shadow. Without a font nothing is drawn.
  final class TextPainter {
    /// Where distributions keep a font with many letters; Debian's `fonts-dejavu-core` is the first.
    private static let fonts = [
      "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
      "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
      "/usr/share/fonts/google-noto/NotoSans-Regular.ttf",
      "/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
      "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
      "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    ]

    private struct Key: Hashable {
      var text: String
      var size: Int
    }
    private struct Drawn {
      var texture: OpaquePointer
      var width: Int32
      var height: Int32
      var isUsed: Bool
    }

    private let renderer: OpaquePointer
    private let path: String?
    private var sizes: [Int: OpaquePointer] = [:]
    private var drawn: [Key: Drawn] = [:]

    init(_ renderer: OpaquePointer) {
      self.renderer = renderer
      let found = Self.fonts.first { FileManager.default.isReadableFile(atPath: $0) }
      path = TTF_Init() == 0 ? found : nil
    }

    func close() {
      forget()
      for font in sizes.values { TTF_CloseFont(font) }
      sizes = [:]
      TTF_Quit()
    }

    /// The renderer lost its textures.
    func forget() {
      for line in drawn.values { SDL_DestroyTexture(line.texture) }
      drawn = [:]
    }

    /// Forgets the lines that were not drawn since the last call.
    func forgetUnused() {
      for (key, line) in drawn {
        if line.isUsed {
          drawn[key]?.isUsed = false
        } else {
          SDL_DestroyTexture(line.texture)
          drawn[key] = nil
        }
      }
    }

    /// Pixels from the first letter to the last; 0 without a font.
    func width(_ text: String, _ size: Int) -> Double {
      var width: Int32 = 0
      guard let font = font(size), TTF_SizeUTF8(font, text, &width, nil) == 0 else { return 0 }
      return Double(width)
    }

    /// Draws a line whose middle is at `centre`.
    func draw(_ text: String, _ size: Int, centre: Double, y: Double, opacity: Double) {
      draw(text, size, x: centre - width(text, size) / 2, y: y, opacity: opacity)
    }

    /// Draws a line whose upper left corner is at `x`, `y`.
    func draw(_ text: String, _ size: Int, x: Double, y: Double, opacity: Double) {
      guard let line = line(text, size) else { return }
      let alpha = UInt8(255 * min(1, max(0, opacity)))
      let (x, y) = (Float(x.rounded()), Float(y.rounded()))
      let shift = Float(max(1, (Double(size) / 18).rounded()))
      var target = SDL_FRect(x: x, y: y + shift, w: Float(line.width), h: Float(line.height))
      SDL_SetTextureColorMod(line.texture, 8, 8, 20)
      SDL_SetTextureAlphaMod(line.texture, UInt8(Double(alpha) * 0.7))
      SDL_RenderCopyF(renderer, line.texture, nil, &target)
      target.y = y
      SDL_SetTextureColorMod(line.texture, 255, 255, 255)
      SDL_SetTextureAlphaMod(line.texture, alpha)
      SDL_RenderCopyF(renderer, line.texture, nil, &target)
    }

    private func line(_ text: String, _ size: Int) -> Drawn? {
      let key = Key(text: text, size: size)
      if let line = drawn[key] {
        drawn[key]?.isUsed = true
        return line
      }
      let white = SDL_Color(r: 255, g: 255, b: 255, a: 255)
      guard !text.isEmpty, let font = font(size), let surface = TTF_RenderUTF8_Blended(font, text, white)
      else { return nil }
      defer { SDL_FreeSurface(surface) }
      guard let texture = SDL_CreateTextureFromSurface(renderer, surface) else { return nil }
      SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND)
      let line = Drawn(texture: texture, width: surface.pointee.w, height: surface.pointee.h, isUsed: true)
      drawn[key] = line
      return line
    }

    private func font(_ size: Int) -> OpaquePointer? {
      if let font = sizes[size] { return font }
      // A window that is being resized goes through many sizes.
      if sizes.count > 8 {
        for font in sizes.values { TTF_CloseFont(font) }
        sizes = [:]
      }
      guard let path, let font = TTF_OpenFont(path, Int32(size)) else { return nil }
      sizes[size] = font
      return font
    }
  }
#endif
