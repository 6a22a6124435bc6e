import Observation
import Yoob

/// One character on the screen, and the conversation with it.
@MainActor @Observable final class CharacterModel {
  let avatar: YoobAvatar
  let conversation: YoobConversation
  /// What went wrong last, in words for the user.
  private(set) var problem: String?

  init(_ choice: CharacterChoice) {
    avatar = YoobAvatar(choice.source)
    var options = YoobConversation.Options()
    options.greet = true
    conversation = YoobConversation(avatar: avatar, options: options) {
      try await TokenServer.local.voiceSession()
    }
  }

  /// Whether a conversation runs or is being opened.
  var isTalking: Bool {
    switch conversation.state {
    case .idle, .ended: false
    case .connecting, .listening, .thinking, .speaking: true
    }
  }

  /// Whether the sample may be played.
  var canGreet: Bool { avatar.phase == .ready && !isTalking }

  func prepare() async { await attempt { try await self.avatar.prepare() } }

  func talk() async {
    if isTalking {
      conversation.stop()
    } else {
      await attempt { try await self.conversation.start() }
    }
  }

  func greet() async { await attempt { try Greeting.say(with: self.avatar) } }

  func send(_ text: String) { conversation.send(text: text) }

  func select(_ inputID: String?) async {
    await attempt { try self.avatar.microphone.select(inputID: inputID) }
  }

  func close() async {
    conversation.stop()
    await avatar.close()
  }

  private func attempt(_ body: @MainActor () async throws -> Void) async {
    problem = nil
    do {
      try await body()
    } catch is CancellationError {
      // The screen has gone on.
    } catch {
      problem = error.localizedDescription
    }
  }
}
