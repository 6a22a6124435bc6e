#if canImport(CSDL)
  import CSDL
  import Foundation

  /// The way in which a window is drawn: by the graphics card in step with the display, or where there is none by
  /// the processor itself, which is cheaper than an OpenGL that computes on it (a hundred megabytes and half as
  /// much time again).
  enum SDLRenderer {
    static func create(_ window: OpaquePointer) -> OpaquePointer? {
      let flags = SDL_RENDERER_ACCELERATED.rawValue | SDL_RENDERER_PRESENTVSYNC.rawValue
      if hasGraphicsCard, let renderer = SDL_CreateRenderer(window, -1, flags) {
        if !isComputed { return renderer }
        SDL_DestroyRenderer(renderer)
      }
      // Or SDL shows what the processor has drawn by OpenGL after all.
      SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0")
      return SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE.rawValue)
    }

    /// Whether the system has a device that may draw: of Mesa, of NVIDIA, of Windows' Linux.
    private static var hasGraphicsCard: Bool {
      ["/dev/dri", "/dev/nvidia0", "/dev/nvidiactl", "/dev/dxg"].contains {
        FileManager.default.fileExists(atPath: $0)
      }
    }

    /// Whether the OpenGL of the renderer that was just made is computed by the processor.
    private static var isComputed: Bool {
      typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?
      guard SDL_GL_GetCurrentContext() != nil, let address = SDL_GL_GetProcAddress("glGetString") else {
        return false
      }
      let nameOfRenderer: UInt32 = 0x1F01  // GL_RENDERER
      guard let name = unsafeBitCast(address, to: GetString.self)(nameOfRenderer) else { return false }
      let text = String(cString: name).lowercased()
      return ["llvmpipe", "softpipe", "software rasterizer", "swrast"].contains { text.contains($0) }
    }
  }
#endif
