import YoobWire

/// A conversation's protocol: what happens in, actions out, with no clock and no network of its own.
protocol ConversationSession: Sendable {
  /// Samples a second that `microphone(_:at:)` takes.
  static var inputRate: Int { get }

  var state: ConversationState { get }
  var nextDeadline: Double? { get }

  mutating func start(at now: Double) -> [ConversationAction]
  mutating func socketOpened(at now: Double) -> [ConversationAction]
  mutating func connectionFailed(status: Int?, at now: Double) -> [ConversationAction]
  mutating func socketClosed(code: Int?, reason: String, at now: Double) -> [ConversationAction]
  mutating func receive(_ text: String, at now: Double) -> [ConversationAction]
  mutating func microphoneStarted(at now: Double) -> [ConversationAction]
  mutating func microphoneStopped(at now: Double) -> [ConversationAction]
  mutating func microphone(_ pcm: [UInt8], at now: Double) -> [ConversationAction]
  mutating func type(_ text: String, at now: Double) -> [ConversationAction]
  mutating func userInterrupts(at now: Double) -> [ConversationAction]
  mutating func played(samples: Int, of itemID: String?, at now: Double) -> [ConversationAction]
  mutating func utteranceFinished(_ itemID: String?, at now: Double) -> [ConversationAction]
  mutating func playbackInterrupted(
    heardSamples: Int, of itemID: String?, at now: Double
  ) -> [ConversationAction]
  mutating func toolResult(id: String, output: String, at now: Double) -> [ConversationAction]
  mutating func tick(at now: Double) -> [ConversationAction]
  mutating func stop(at now: Double) -> [ConversationAction]
  mutating func fail(_ failure: ConversationFailure, at now: Double) -> [ConversationAction]
}

extension RealtimeClientSession: ConversationSession {
  static var inputRate: Int { sampleRate }

  /// A second of silence, so that a turn which had begun comes to its end.
  mutating func microphoneStopped(at now: Double) -> [ConversationAction] {
    microphone([UInt8](repeating: 0, count: Self.sampleRate * 2), at: now)
  }
}

extension GeminiClientSession: ConversationSession {
  static var inputRate: Int { inputSampleRate }
}
