import Foundation
import RunAnywhere
import VoiceIO
import Yoob
import YoobFace
import YoobWindow

/// Her face in a window while a conversation goes on.
@MainActor final class TalkWindow {
  /// Who is seen, and how the window begins.
  struct Options: Sendable {
    var pack: URL
    /// Who may have signed it, in base64 by their ids.
    var keys: [String: String] = [:]
    var width: Int
    var height: Int
    var emotion = FaceEmotion.neutral
  }

  /// Where she is heard through, so that her lips follow.
  nonisolated let sink: any SpeechSink
  private let avatar: YoobAvatar
  private let window: AvatarWindow
  private nonisolated let events: AsyncStream<VoiceEvent>.Continuation
  private var tasks: [Task<Void, Never>] = []

  /// Opens a window; what is given to its `sink` is heard through `sink`. Throws `YoobError` and `WindowError`.
  static func open(_ options: Options, sink: any SpeechSink, clock: any PacingClock) async throws
    -> TalkWindow
  {
    if !options.keys.isEmpty { Yoob.configure(trustedKeys: options.keys) }
    let avatar = YoobAvatar(.local(options.pack), devices: AvatarDevices(sink: sink, clock: clock))
    do {
      try await avatar.prepare()
      avatar.setEmotion(options.emotion)
      var begin = AvatarWindow.Options()
      (begin.width, begin.height) = (options.width, options.height)
      return TalkWindow(avatar, try await AvatarWindow.open(avatar, begin))
    } catch {
      await avatar.close()
      throw error
    }
  }

  /// Refuses early where no window can be opened.
  nonisolated static func check() async throws {
    do {
      _ = try await AvatarWindow.examine()
    } catch WindowError.noDisplay {
      throw FileFault(noDisplay)
    }
  }

  private nonisolated static var noDisplay: String {
    let environment = ProcessInfo.processInfo.environment
    var places: [String] = []
    for name in ["DISPLAY", "WAYLAND_DISPLAY"] {
      if let value = environment[name], !value.isEmpty { places.append("\(name)=\(value)") }
    }
    let place = places.isEmpty ? "" : ": nothing answers at \(places.joined(separator: " or "))"
    return "No display was found for --window\(place). Run it in a desktop session, where DISPLAY or "
      + "WAYLAND_DISPLAY is set, or use --output for a film."
  }

  private init(_ avatar: YoobAvatar, _ window: AvatarWindow) {
    self.avatar = avatar
    self.window = window
    sink = avatar.sink
    let (events, send) = AsyncStream<VoiceEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
    self.events = send
    tasks.append(
      Task { [weak self] in
        for await event in events { self?.take(event) }
      })
  }

  /// Calls `action` for what the person at the window asks for; M gives whether the microphone is muted now.
  func onAction(_ action: @escaping @MainActor (WindowAction) -> Void) {
    tasks.append(
      Task { [window] in
        for await asked in window.actions { action(asked) }
      })
  }

  /// Shows that the microphone is muted, or is not.
  func show(isMuted: Bool) { window.isMuted = isMuted }

  /// Shows a line at the top, until the next; nil takes it away.
  nonisolated func show(notice: String?) {
    Task { @MainActor in window.show(notice: notice) }
  }

  /// Follows the session.
  nonisolated func handle(_ event: VoiceEvent) { events.yield(event) }

  /// Closes the window, and ends her face. Idempotent.
  func close() async {
    events.finish()
    await window.close()
    for task in tasks { task.cancel() }
    tasks = []
    await avatar.close()
  }

  private func take(_ event: VoiceEvent) {
    switch event {
    case .userTranscribed(let text, let isFinal):
      window.show(caption: text, of: .user, isFinal: isFinal)
    case .agentStateChanged(let state):
      avatar.attention =
        switch state {
        case .listening: .listening
        case .thinking: .thinking
        case .speaking: .speaking
        }
    case .error(let message, _): window.show(notice: Program.namingQuoted(message), seconds: 8)
    case .agentResponse, .speechStarted, .speechEnded: break
    }
  }
}
