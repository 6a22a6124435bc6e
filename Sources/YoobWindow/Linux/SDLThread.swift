#if canImport(CSDL)
  import CSDL
  import Foundation
  import VoiceIO

  /// The thread that owns SDL: it opens the window, draws, and hears the keys. SDL may be used from one
  /// thread only, and there is one SDL in a program.
  enum SDLThread {
    struct Settings: Sendable {
      var width: Int
      var height: Int
      var aspect: Double
      var driver: String?
    }

    private static let isInUse = Guarded(false)

    /// Opens a window; what the person does is told from its thread.
    static func start(
      _ settings: Settings, _ shared: WindowShared,
      onAction: @escaping @Sendable (WindowAction) -> Void,
      onDemand: @escaping @Sendable (WindowLayout.Demand?) -> Void
    ) async throws(WindowError) {
      let fault = await run { opened in
        do throws(WindowError) {
          let loop = try SDLLoop(settings, shared, onAction: onAction, onDemand: onDemand)
          opened(nil)
          loop.run()
          release()
        } catch {
          release()
          opened(error)
        }
        shared.ended.fire()
      }
      if let fault { throw fault }
    }

    /// The display, without opening a window.
    static func examine() async throws(WindowError) -> String {
      let text = Guarded("")
      let fault = await run { told in
        do throws(WindowError) {
          try SDLLoop.begin(driver: nil)
          let found = SDLLoop.display
          SDL_Quit()
          text.withLock { $0 = found }
          release()
          told(nil)
        } catch {
          release()
          told(error)
        }
      }
      if let fault { throw fault }
      return text.withLock { $0 }
    }

    /// SDL is free for the next one: before anybody is told, who may try again at once.
    private static func release() { isInUse.withLock { $0 = false } }

    /// Runs `body` on a thread of its own; returns what it tells, once, while it goes on.
    private static func run(
      _ body: @escaping @Sendable (_ tell: (WindowError?) -> Void) -> Void
    ) async -> WindowError? {
      let isFree = isInUse.withLock { isInUse in
        defer { isInUse = true }
        return !isInUse
      }
      guard isFree else { return .busy }
      return await withCheckedContinuation { continuation in
        let thread = Thread { body { continuation.resume(returning: $0) } }
        thread.name = "yoob.window"
        thread.start()
      }
    }
  }
#endif
