import Foundation
import VoiceIO
import Yoob

/// A window of the desktop in which an avatar is seen (Linux; SDL2).
///
/// ```swift
/// let window = try await AvatarWindow.open(avatar)       // a prepared YoobAvatar
/// for await action in window.actions {
///   if action == .interrupt { avatar.interrupt() }
///   if action == .close { break }
/// }
/// await window.close()
/// ```
/// It can be resized, shows what is said over its lower edge, and draws nothing while it is minimised. The
/// avatar stays the caller's.
@MainActor public final class AvatarWindow {
  /// How the window begins.
  public struct Options: Sendable {
    /// Its title; nil is the character's name.
    public var title: String?
    /// Columns; less where the desktop is smaller.
    public var width = 480
    /// Rows; less where the desktop is smaller.
    public var height = 854
    /// Frames a second, 1...60.
    public var rate = 30.0
    /// SDL's video driver, such as "dummy"; nil is the desktop's.
    package var driver: String?

    /// A portrait of 480 x 854 at 30 frames a second.
    public init() {}
  }

  /// What the person asks for, for one reader; ends with the window.
  public nonisolated let actions: AsyncStream<WindowAction>

  private let avatar: YoobAvatar
  private let rate: Double
  private let shared: WindowShared
  private let clock = MonotonicClock()
  private var tasks: [Task<Void, Never>] = []
  private var frames: Task<Void, Never>?

  /// Opens a window for a prepared avatar.
  ///
  /// Throws `WindowError`.
  public static func open(_ avatar: YoobAvatar, _ options: Options = Options()) async throws(WindowError)
    -> AvatarWindow
  {
    #if canImport(CSDL)
      guard avatar.manifest != nil else { throw .failed("the avatar is not prepared; call prepare() first") }
      let window = AvatarWindow(avatar, options)
      let (demands, sendDemand) = AsyncStream<WindowLayout.Demand?>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      try await SDLThread.start(
        SDLThread.Settings(
          width: options.width, height: options.height, aspect: avatar.aspectRatio, driver: options.driver),
        window.shared, onAction: { [send = window.sendAction] in send.yield($0) },
        onDemand: { sendDemand.yield($0) })
      window.follow(demands)
      return window
    #else
      throw .notBuilt
    #endif
  }

  /// Says whether a window can be opened: the kind of display and its size, such as "x11, 1920 x 1080".
  ///
  /// Throws `WindowError`.
  public nonisolated static func examine() async throws(WindowError) -> String {
    #if canImport(CSDL)
      return try await SDLThread.examine()
    #else
      throw .notBuilt
    #endif
  }

  private nonisolated let sendAction: AsyncStream<WindowAction>.Continuation

  private init(_ avatar: YoobAvatar, _ options: Options) {
    self.avatar = avatar
    rate = min(60, max(1, options.rate))
    let title = options.title ?? avatar.manifest?.displayName ?? ""
    shared = WindowShared(WindowScene(title: title, opened: clock.now))
    (actions, sendAction) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(64))
  }

  // MARK: What is shown

  /// Shows whether the microphone is muted.
  public var isMuted = false {
    didSet { shared.change { [isMuted] in $0.scene.isMuted = isMuted } }
  }

  /// Shows what somebody says, in place of what the same side said last; with `isFinal` no more follows. What
  /// the avatar says is shown by itself where its voice gives the times of words.
  public func show(caption text: String, of role: YoobCaption.Role, isFinal: Bool) {
    let now = clock.now
    shared.change { work in
      switch role {
      case .user: work.scene.captions.takeUser(text, isFinal: isFinal, at: now)
      case .assistant: work.scene.captions.takeCharacter(text, isFinal: isFinal, at: now)
      }
    }
  }

  /// Shows a line at the top, for so many seconds or until the next; nil takes it away.
  public func show(notice: String?, seconds: Double = .infinity) {
    let end = clock.now + seconds
    shared.change { work in
      work.scene.notice = notice
      work.scene.noticeEnd = end
    }
  }

  /// Closes the window and waits until it is gone. Idempotent.
  public func close() async {
    shared.change { $0.isClosing = true }
    await shared.ended.value()
    sendAction.finish()
    frames?.cancel()
    for task in tasks { task.cancel() }
    tasks = []
  }

  deinit { shared.change { $0.isClosing = true } }

  // MARK: Frames

  private func follow(_ demands: AsyncStream<WindowLayout.Demand?>) {
    tasks.append(
      Task { [weak self] in
        for await demand in demands { self?.take(demand) }
      })
    tasks.append(
      Task { [weak self, captions = avatar.captions] in
        for await caption in captions {
          self?.show(caption: caption.text, of: caption.role, isFinal: caption.isFinal)
        }
      })
  }

  private func take(_ demand: WindowLayout.Demand?) {
    frames?.cancel()
    frames = nil
    guard let demand,
      let stream = try? avatar.frames(
        width: demand.width, height: demand.height, rate: rate, isSquareCrop: demand.framing == .square)
    else { return }
    frames = Task.detached { [shared] in
      for await frame in stream {
        if Task.isCancelled || shared.ended.isFired { break }
        shared.show(.init(frame: frame, framing: demand.framing))
      }
    }
  }
}
