#if canImport(CSDL)
  import CSDL
  import Foundation
  import VoiceIO

  /// A window and its loop, which waits until there is something to do. On one thread.
  final class SDLLoop {
    private static let centred = Int32(bitPattern: SDL_WINDOWPOS_CENTERED_MASK)

    private let shared: WindowShared
    private let onAction: @Sendable (WindowAction) -> Void
    private let onDemand: @Sendable (WindowLayout.Demand?) -> Void
    private let clock = MonotonicClock()
    private let aspect: Double
    private let window: OpaquePointer
    private let painter: ScenePainter
    private var pacer = DemandPacer()
    private var scene: WindowScene
    private var title = ""
    private var hasIcon = false
    private var isVisible = true
    private var isFullScreen = false
    private var isOver = false
    private var isDirty = true

    /// Opens a window. Throws `WindowError`.
    init(
      _ settings: SDLThread.Settings, _ shared: WindowShared,
      onAction: @escaping @Sendable (WindowAction) -> Void,
      onDemand: @escaping @Sendable (WindowLayout.Demand?) -> Void
    ) throws(WindowError) {
      (self.shared, self.onAction, self.onDemand) = (shared, onAction, onDemand)
      aspect = settings.aspect
      scene = shared.take().scene
      try Self.begin(driver: settings.driver)
      var room = SDL_Rect()
      let hasRoom = SDL_GetDisplayUsableBounds(0, &room) == 0 && room.w > 0 && room.h > 0
      let size = WindowLayout.fit(
        (settings.width, settings.height),
        room: hasRoom ? (Int(room.w), Int(room.h)) : (settings.width * 2, settings.height * 2))
      let flags =
        SDL_WINDOW_RESIZABLE.rawValue | SDL_WINDOW_ALLOW_HIGHDPI.rawValue | SDL_WINDOW_SHOWN.rawValue
      guard
        let window = SDL_CreateWindow(
          scene.fullTitle, Self.centred, Self.centred, Int32(size.width), Int32(size.height), flags)
      else { throw Self.failure() }
      self.window = window
      title = scene.fullTitle
      SDL_SetWindowMinimumSize(window, 120, 120)
      guard let renderer = SDLRenderer.create(window) else { throw Self.failure() }
      painter = ScenePainter(renderer)
      // Nobody types text here, and the desktop's input methods would take keys.
      SDL_StopTextInput()
    }

    /// Starts SDL's video. Throws `WindowError`.
    static func begin(driver: String?) throws(WindowError) {
      let drivers = driver ?? DisplayDrivers.named(in: ProcessInfo.processInfo.environment)
      guard !drivers.isEmpty else { throw .noDisplay }
      SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1")  // signals are the program's
      SDL_SetHint(SDL_HINT_APP_NAME, "Yoob")
      SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear")
      SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0")  // a window among others
      SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, drivers, SDL_HINT_OVERRIDE)
      guard SDL_Init(SDL_INIT_VIDEO) == 0 else {
        SDL_Quit()
        throw .noDisplay
      }
    }

    /// The kind of display and its size.
    static var display: String {
      let driver = SDL_GetCurrentVideoDriver().map { String(cString: $0) } ?? "?"
      var mode = SDL_DisplayMode()
      guard SDL_GetDesktopDisplayMode(0, &mode) == 0 else { return driver }
      return "\(driver), \(mode.w) x \(mode.h)"
    }

    private static func failure() -> WindowError {
      let reason = String(cString: SDL_GetError())
      SDL_Quit()
      return .failed(reason.isEmpty ? "SDL gives no reason" : reason)
    }

    /// Runs until the window is to be closed, and closes it.
    func run() {
      shared.setWake {
        var event = SDL_Event()
        event.type = SDL_USEREVENT.rawValue
        SDL_PushEvent(&event)
      }
      look()
      while !isOver {
        pace()
        takeWork()
        if isDirty, isVisible, !isOver { draw() }
        guard !isOver else { break }
        wait()
      }
      shared.setWake(nil)
      onDemand(nil)
      painter.close()
      SDL_DestroyWindow(window)
      SDL_Quit()
    }

    private func wait() {
      let now = clock.now
      // Whatever changes by itself changes within half a second; frames and keys wake at once.
      let seconds = min(0.5, max(0, (pacer.due ?? .infinity) - now))
      var event = SDL_Event()
      guard SDL_WaitEventTimeout(&event, Int32((seconds * 1000).rounded(.up))) != 0 else {
        isDirty = true
        return
      }
      repeat { handle(event) } while SDL_PollEvent(&event) != 0
    }

    private func takeWork() {
      let work = shared.take()
      if work.isClosing { isOver = true }
      var new = work.scene
      new.isHelpShown = scene.isHelpShown
      if new != scene {
        scene = new
        isDirty = true
      }
      if scene.fullTitle != title {
        title = scene.fullTitle
        SDL_SetWindowTitle(window, title)
      }
      if let frame = work.frame {
        if !hasIcon { SDLIcon.set(frame.frame, of: window) }
        hasIcon = true
        painter.take(frame)
        isDirty = true
      }
    }

    private func draw() {
      isDirty = false
      painter.paint(scene, layout: layout, at: clock.now)
    }

    private var layout: WindowLayout {
      let size = painter.size
      return WindowLayout(width: size.width, height: size.height, aspect: aspect)
    }

    /// The size, or whether it is seen, may have changed.
    private func look() {
      pacer.want(isVisible ? layout.demand : nil, at: clock.now)
      isDirty = true
    }

    private func pace() {
      if case .some(let demand) = pacer.take(at: clock.now) { onDemand(demand) }
    }

    // MARK: Events

    private func handle(_ event: SDL_Event) {
      switch SDL_EventType(event.type) {
      case SDL_QUIT: onAction(.close)
      case SDL_KEYDOWN where event.key.repeat == 0: press(event.key.keysym)
      case SDL_MOUSEBUTTONDOWN where event.button.clicks == 2: toggleFullScreen()
      case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET:
        painter.forget()
        isDirty = true
      case SDL_WINDOWEVENT: handle(window: SDL_WindowEventID(UInt32(event.window.event)))
      default: break
      }
    }

    private func handle(window event: SDL_WindowEventID) {
      switch event {
      case SDL_WINDOWEVENT_MINIMIZED, SDL_WINDOWEVENT_HIDDEN:
        isVisible = false
        look()
      case SDL_WINDOWEVENT_RESTORED, SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_MAXIMIZED:
        isVisible = true
        look()
      case SDL_WINDOWEVENT_SIZE_CHANGED: look()
      case SDL_WINDOWEVENT_EXPOSED: isDirty = true
      default: break
      }
    }

    private func press(_ key: SDL_Keysym) {
      let modifiers = UInt32(key.mod)
      let action = WindowAction(
        key: key.sym, isShifted: modifiers & (KMOD_LSHIFT.rawValue | KMOD_RSHIFT.rawValue) != 0,
        isModified: modifiers
          & (KMOD_LCTRL.rawValue | KMOD_RCTRL.rawValue | KMOD_LALT.rawValue | KMOD_LGUI.rawValue
            | KMOD_RGUI.rawValue) != 0,
        isFullScreen: isFullScreen)
      guard let action else { return }
      switch action {
      case .toggleFullScreen: toggleFullScreen()
      case .toggleHelp:
        scene.isHelpShown.toggle()
        isDirty = true
      case .close, .interrupt, .toggleMute: break
      }
      onAction(action)
    }

    private func toggleFullScreen() {
      isFullScreen.toggle()
      SDL_SetWindowFullscreen(window, isFullScreen ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0)
      SDL_ShowCursor(isFullScreen ? SDL_DISABLE : SDL_ENABLE)
      look()
    }
  }
#endif
