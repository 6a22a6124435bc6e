/// The client's side of a Gemini Live conversation: what happens in, actions out; no clock, no I/O.
///
/// It is driven like a `RealtimeClientSession`, but for the microphone's rate of 16 kHz: whoever records at
/// another rate resamples. Messages of the provider are text or binary frames, both with JSON.
/// ```swift
/// var session = GeminiClientSession(options: options)
/// perform(session.start(at: now))                      // .connect
/// perform(session.socketOpened(at: now))
/// perform(session.receive(text, at: now))              // each message
/// perform(session.microphone(pcm, at: now))            // 16 kHz mono PCM16
/// ```
/// A session outlives its connection: before the provider closes one, and after one was lost, it goes on with
/// the newest handle, or in a fresh session that is told what was said and heard. For each `connect` a driver
/// with ephemeral tokens may need a new one.
public struct GeminiClientSession: ConversationClient {
  /// Samples a second that `microphone(_:at:)` takes.
  public static let inputSampleRate = 16_000
  /// Seconds before the announced end of a connection at which a new one is opened in any case.
  static let goAwayMargin = 2.0

  /// What was asked for.
  public let options: GeminiClientOptions

  var core: ConversationCore
  var itemCount = 0

  /// The newest handle with which the session can be resumed, and how much of the history it knows.
  var handle: (value: String, historyTotal: Int)?
  /// The handle that the connection being opened was asked to resume.
  var resuming: (value: String, historyTotal: Int)?
  /// When a connection that ends soon is left in any case.
  var leaveAt: Double?

  /// The item that the model speaks; nil between items.
  var itemID: String?
  /// Whether the provider has not said that the turn of the model is complete.
  var isTurnOpen = false
  /// Whether the rest of the open turn is not wanted.
  var ignoresTurn = false
  /// Whether a question was asked that no sound has answered.
  var isAwaiting = false
  /// What the user says, as far as it is understood.
  var hearing: (itemID: String, text: String)?

  /// A conversation that is not started. `seed` decides the waits before new connections.
  public init(options: GeminiClientOptions, seed: UInt64 = .random(in: .min ... .max)) {
    self.options = options
    core = ConversationCore(seed: seed, greets: options.greet, sampleRate: Self.inputSampleRate)
  }

  /// When `tick(at:)` has to be called; nil when nothing is due.
  public var nextDeadline: Double? {
    guard !core.link.isEnded else { return nil }
    return (commonDeadlines + [leaveAt]).compactMap(\.self).min()
  }

  /// Where the conversation stands.
  public var state: ConversationState { core.state }

  /// Microphone sound that was dropped while there was no connection, in samples.
  public var droppedSamples: Int { core.packets.dropped / 2 }

  /// Takes what has happened and returns what follows.
  public mutating func take(_ event: ConversationEvent, at now: Double) -> [ConversationAction] {
    advance(event, at: now)
  }

  // MARK: What the driver reports

  mutating func setUp() -> [ConversationAction] {
    resuming = handle
    return [send("setup", .object(options.setup(handle: handle?.value)))]
  }

  /// The provider answers what it has heard.
  mutating func stopListening() -> [ConversationAction] { [send("realtimeInput", ["audioStreamEnd": true])] }

  /// A typed message interrupts a reply and is answered.
  mutating func type(_ text: String, at now: Double) -> [ConversationAction] {
    var actions = finishHearing() + interrupt(at: now)
    core.history.add(.user, text)
    actions.append(.transcript(.init(role: .user, itemID: newID("user"), text: text, isFinal: true)))
    isAwaiting = true
    // Before that the text is told with the rest of the history.
    if core.link.isReady {
      core.replyDeadline = now + ConversationLimits.reply
      actions.append(send("realtimeInput", ["text": .string(text)]))
    }
    return actions
  }

  mutating func stopReply(at now: Double) -> [ConversationAction] {
    let wasAwaiting = isAwaiting
    isAwaiting = false
    core.replyDeadline = nil
    let actions = interrupt(at: now)
    // An end of the turn that never comes must not silence the next one.
    if ignoresTurn { core.replyDeadline = now + ConversationLimits.reply }
    // Nor is a reply wanted that is still to begin.
    if wasAwaiting, !isTurnOpen {
      ignoresTurn = true
      core.replyDeadline = now + ConversationLimits.turn
    }
    return actions
  }

  mutating func passTime(at now: Double) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    if let deadline = core.replyDeadline, now >= deadline {
      core.replyDeadline = nil
      isAwaiting = false
      ignoresTurn = false
      actions += closeItem()
    }
    if let leaveAt, now >= leaveAt { actions += swap(at: now) }
    return actions
  }

  var readyState: ConversationState { isAwaiting || !core.calls.isEmpty ? .thinking : .listening }

  // MARK: For all parts

  func send(_ name: String, _ value: JSONValue) -> ConversationAction {
    .send(JSONValue.object(JSONObject([(name, value)])).text)
  }

  func audioMessage(_ pcm: [UInt8]) -> ConversationAction {
    send(
      "realtimeInput",
      ["audio": ["mimeType": "audio/pcm;rate=16000", "data": .string(Base64.encode(pcm))]])
  }

  mutating func newID(_ kind: String) -> String {
    itemCount &+= 1
    return "\(kind)_\(itemCount)"
  }
}
