#if canImport(CSDL)
  import CSDL
  import Yoob

  /// The picture of a window in the desktop's lists.
  enum SDLIcon {
    private static let side: Int32 = 128

    /// Takes the upper part of a frame, a square in which her head is.
    static func set(_ frame: YoobFrame, of window: OpaquePointer) {
      let format = SDL_PIXELFORMAT_ABGR8888.rawValue
      let (width, height) = (Int32(frame.width), Int32(frame.height))
      let edge = min(width, height)
      var part = SDL_Rect(
        x: (width - edge) / 2, y: Int32(Double(height - edge) * WindowLayout.shareAbove), w: edge, h: edge)
      var pixels = frame.rgba
      pixels.withUnsafeMutableBytes { bytes in
        guard
          let picture = SDL_CreateRGBSurfaceWithFormatFrom(
            bytes.baseAddress, width, height, 32, width * 4, format)
        else { return }
        defer { SDL_FreeSurface(picture) }
        guard let icon = SDL_CreateRGBSurfaceWithFormat(0, side, side, 32, format) else { return }
        defer { SDL_FreeSurface(icon) }
        var whole = SDL_Rect(x: 0, y: 0, w: side, h: side)
        guard SDL_SoftStretchLinear(picture, &part, icon, &whole) == 0 else { return }
        SDL_SetWindowIcon(window, icon)
      }
    }
  }
#endif
