import VoiceIO
import YoobNet
import YoobWire

/// What a driver has around it.
struct ConversationPorts: Sendable {
  /// Where replies are heard.
  var voice: AvatarVoice
  var clock: any PacingClock
  var start: AvatarDevices.Start
  var connect: AvatarDevices.Connect
  /// Where the next socket is opened, with credentials of its own.
  var endpoint: @Sendable () async throws -> WebSocketRequest
  var tools: [YoobTool] = []
  /// Returns when nothing runs any more that `connect` began.
  var afterStop: @Sendable () async -> Void = {}
}

/// What a driver tells the app.
enum ConversationNews: Sendable, Equatable {
  case state(ConversationState)
  /// With the words that were heard, where their times are known.
  case transcript(ConversationTranscript, words: [YoobCaption.Word])
  case goAway(secondsLeft: Double)
  /// Another connection is being opened.
  case connecting
  case failure(YoobError)
}

extension YoobError {
  /// What a failure of the conversation means to the app.
  init(_ failure: ConversationFailure) {
    switch failure {
    case .unauthorized: self = .unauthorized
    case .outOfCredit: self = .outOfCredit
    case .network(let text): self = .network(text.withoutFullStop)
    case .unsupported(let text): self = .unsupported(text.withoutFullStop)
    case .voiceSession(let code, let message): self = .voiceSession(code: code, message: message)
    }
  }
}
