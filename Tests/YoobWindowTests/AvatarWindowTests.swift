import Foundation
import Testing
import VoiceIO
import Yoob

@testable import YoobWindow

#if canImport(CSDL)
  /// Windows of SDL's own display without a screen. There is one SDL in a program, so one at a time.
  @MainActor @Suite("Windows", .serialized, .timeLimit(.minutes(5))) struct AvatarWindowTests {
    private static let pack = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../characters/luna-anime/pack")

    private var options: AvatarWindow.Options {
      var options = AvatarWindow.Options()
      (options.width, options.height, options.driver) = (180, 320, "dummy")
      return options
    }

    private func avatar() async throws -> YoobAvatar {
      let avatar = YoobAvatar(
        .local(Self.pack),
        devices: AvatarDevices(sink: RecordingSink(clock: MonotonicClock()), clock: MonotonicClock()))
      try await avatar.prepare()
      return avatar
    }

    @Test("a window draws the avatar's frames until it is closed")
    func windowDrawsAvatarsFrames() async throws {
      let avatar = try await avatar()
      let window = try await AvatarWindow.open(avatar, options)
      while avatar.stats.framesShown < 3 { await Task.yield() }
      window.show(caption: "What is that?", of: .user, isFinal: true)
      window.show(caption: "A window.", of: .assistant, isFinal: true)
      window.show(notice: "A notice.")
      window.isMuted = true
      await window.close()
      await window.close()
      var actions: [WindowAction] = []
      for await action in window.actions { actions.append(action) }
      #expect(actions.isEmpty)
      await avatar.close()
    }

    @Test("a second window is refused until the first is closed")
    func secondWindowRefusedUntil() async throws {
      let avatar = try await avatar()
      let window = try await AvatarWindow.open(avatar, options)
      await #expect(throws: WindowError.busy) { try await AvatarWindow.open(avatar, options) }
      await window.close()
      let next = try await AvatarWindow.open(avatar, options)
      await next.close()
      await avatar.close()
    }

    @Test("an avatar that is not prepared is refused")
    func avatarNotPreparedRefused() async throws {
      let avatar = YoobAvatar(
        .local(Self.pack),
        devices: AvatarDevices(sink: RecordingSink(clock: MonotonicClock()), clock: MonotonicClock()))
      await #expect(throws: WindowError.self) { try await AvatarWindow.open(avatar, options) }
    }

    @Test("a display that SDL does not know is told of as none")
    func displaySdlDoesNot() async throws {
      let avatar = try await avatar()
      var options = options
      options.driver = "no-such-driver"
      await #expect(throws: WindowError.noDisplay) { try await AvatarWindow.open(avatar, options) }
      await avatar.close()
    }
  }
#endif
