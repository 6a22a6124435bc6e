import VoiceIO
import Yoob

/// What the avatar's side and the window's thread share.
final class WindowShared: Sendable {
  /// A frame and the part of the character that it shows.
  struct Shown: Sendable {
    var frame: YoobFrame
    var framing: WindowLayout.Framing
  }

  /// What is to be drawn; what was taken is not taken twice.
  struct Work {
    var frame: Shown?
    var scene: WindowScene
    var isClosing = false
  }

  private struct State {
    var work: Work
    /// Wakes the thread; nil once it has ended.
    var wake: (@Sendable () -> Void)?
    var isWoken = false
  }

  private let state: Guarded<State>
  /// Fires when the window is gone.
  let ended = OneShot()

  init(_ scene: WindowScene) { state = Guarded(State(work: Work(scene: scene))) }

  /// Shows a frame, in place of one that was not drawn yet.
  func show(_ frame: Shown) { change { $0.frame = frame } }

  /// Changes what is to be drawn, and wakes the thread.
  func change(_ body: (inout Work) -> Void) {
    // Under the lock: the thread takes its waker away before it closes what that needs.
    state.withLock { state in
      body(&state.work)
      guard !state.isWoken, let wake = state.wake else { return }
      state.isWoken = true
      wake()
    }
  }

  /// What there is to do. On the window's thread.
  func take() -> Work {
    state.withLock { state in
      state.isWoken = false
      defer { state.work.frame = nil }
      return state.work
    }
  }

  /// How the thread is woken from now on. On the window's thread.
  func setWake(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }
}
