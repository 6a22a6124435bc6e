#if canImport(CSDL)
  import CSDL
  import Yoob

  /// The picture of a window in the desktop's lists.
  enum SDLIcon {
    static func set(_ frame: YoobFrame, of window: OpaquePointer) {
      var pixels = frame.rgba
      pixels.withUnsafeMutableBytes { bytes in
        guard
          let surface = SDL_CreateRGBSurfaceWithFormatFrom(
            bytes.baseAddress, Int32(frame.width), Int32(frame.height), 32, Int32(frame.width * 4),
            SDL_PIXELFORMAT_ABGR8888.rawValue)
        else { return }
        SDL_SetWindowIcon(window, surface)
        SDL_FreeSurface(surface)
      }
    }
  }
#endif
