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
public struct GeminiClientSession: ConversationSession {
  /// Samples a second that `microphone(_:at:)` takes.
  public static let inputSampleRate = 16_000
  /// Bytes of a typed message, at most.
  public static let maximumText = 64 << 10
  static let maximumToolCalls = 16
  /// Bytes of the arguments of a tool call, at most.
  static let maximumArguments = 256 << 10
  /// Seconds without a sign of an expected reply after which it is given up.
  static let replyTimeout = 30.0
  /// Seconds that the sink has to answer an interruption.
  static let sinkTimeout = 2.0
  /// Seconds before the announced end of a connection at which a new one is opened in any case.
  static let goAwayMargin = 2.0

  /// What was asked for.
  public let options: GeminiClientOptions
  /// Where the conversation stands.
  public internal(set) var state: ConversationState = .idle

  var link: ConversationLink
  var ledger = PlaybackLedger()
  var history = ConversationHistory()
  var packets = MicrophonePackets(sampleRate: inputSampleRate)
  var isMicrophoneLive = false
  var greetsLater: Bool
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
  var replyDeadline: Double?
  /// What the user says, as far as it is understood.
  var hearing: (itemID: String, text: String)?
  var interruption: Interruption?
  var calls: [ToolCall] = []
  var knownCalls = RecentIDs(capacity: 128)
  /// Results that wait for a connection.
  var results: [(call: ToolCall, output: String)] = []

  struct Interruption: Sendable {
    var entries: [PlaybackLedger.Entry]
    var currentID: String?
    /// Until when the sink must have answered.
    var deadline: Double
  }

  struct ToolCall: Sendable {
    var id: String
    var name: String
    /// The connection that knows of the call.
    var epoch: Int
  }

  /// A conversation that is not started. `seed` decides the waits before new connections.
  public init(options: GeminiClientOptions, seed: UInt64 = .random(in: .min ... .max)) {
    self.options = options
    link = ConversationLink(seed: seed)
    greetsLater = options.greet
  }

  /// When `tick(at:)` has to be called; nil when nothing is due.
  public var nextDeadline: Double? {
    guard !link.isEnded else { return nil }
    return [link.deadline, leaveAt, replyDeadline, interruption?.deadline].compactMap(\.self).min()
  }

  /// Microphone sound that was dropped while there was no connection, in samples.
  public var droppedSamples: Int { packets.dropped / 2 }

  // MARK: What the driver reports

  /// Begins. A session that has begun stays as it is.
  public mutating func start(at now: Double) -> [ConversationAction] {
    guard link.phase == .idle else { return [] }
    link.start(after: 0, at: now)
    return settle([.connect(after: 0)])
  }

  /// The socket that was asked for is open.
  public mutating func socketOpened(at now: Double) -> [ConversationAction] {
    guard link.isOpening else { return [] }
    link.socketOpened()
    resuming = handle
    return settle([send("setup", .object(options.setup(handle: handle?.value)))])
  }

  /// The microphone delivers from now on: a greeting waits for it.
  public mutating func microphoneStarted(at now: Double) -> [ConversationAction] {
    guard !link.isEnded else { return [] }
    isMicrophoneLive = true
    return settle(greetIfDue(at: now))
  }

  /// The microphone is muted or off: the provider answers what it has heard.
  public mutating func microphoneStopped(at now: Double) -> [ConversationAction] {
    packets.clear()
    guard link.isReady else { return [] }
    return [send("realtimeInput", ["audioStreamEnd": true])]
  }

  /// Sound of the user: mono PCM16 little-endian at 16 kHz. While there is no connection the newest second is
  /// kept.
  public mutating func microphone(_ pcm: [UInt8], at now: Double) -> [ConversationAction] {
    guard !link.isEnded, link.phase != .idle else { return [] }
    return packets.take(pcm, isReady: link.isReady).map(audioMessage)
  }

  /// A typed message: interrupts a reply and is answered.
  public mutating func send(text: String, at now: Double) -> [ConversationAction] {
    let text = text.trimmedPrefix(maximumBytes: Self.maximumText)
    guard !text.isEmpty, !link.isEnded, link.phase != .idle else { return [] }
    var actions = finishHearing() + interrupt(at: now)
    history.add(.user, text)
    actions.append(.transcript(.init(role: .user, itemID: newID("user"), text: text, isFinal: true)))
    isAwaiting = true
    // Before that the text is told with the rest of the history.
    if link.isReady {
      replyDeadline = now + Self.replyTimeout
      actions.append(send("realtimeInput", ["text": .string(text)]))
    }
    return settle(actions)
  }

  /// The user wants the reply to stop, as by a button.
  public mutating func userInterrupts(at now: Double) -> [ConversationAction] {
    guard !link.isEnded else { return [] }
    let wasAwaiting = isAwaiting
    isAwaiting = false
    replyDeadline = nil
    let actions = interrupt(at: now)
    // An end of the turn that never comes must not silence the next one.
    if ignoresTurn { replyDeadline = now + Self.replyTimeout }
    // Nor is a reply wanted that is still to begin.
    if wasAwaiting, !isTurnOpen {
      ignoresTurn = true
      replyDeadline = now + RealtimeClientSession.turnTimeout
    }
    return settle(actions)
  }

  /// Ends the conversation. Idempotent.
  public mutating func stop(at now: Double) -> [ConversationAction] { end(nil, at: now) }

  /// Ends the conversation for a reason that the driver knows, as a token that it could not get.
  public mutating func fail(_ failure: ConversationFailure, at now: Double) -> [ConversationAction] {
    end(failure, at: now)
  }

  /// Time has come to `nextDeadline`, or any other time.
  public mutating func tick(at now: Double) -> [ConversationAction] {
    guard !link.isEnded, link.phase != .idle else { return [] }
    if let deadline = link.deadline, now >= deadline { return settle(connectTimedOut(at: now)) }
    var actions: [ConversationAction] = []
    if let pending = interruption, now >= pending.deadline { actions += resolveUnanswered(at: now) }
    if let deadline = replyDeadline, now >= deadline {
      replyDeadline = nil
      isAwaiting = false
      ignoresTurn = false
      actions += closeItem()
    }
    if let leaveAt, now >= leaveAt { actions += swap(at: now) }
    return settle(actions)
  }

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

  /// Adds the state when it has changed.
  mutating func settle(_ actions: [ConversationAction]) -> [ConversationAction] {
    let new = currentState
    guard new != state else { return actions }
    state = new
    return actions + [.state(new)]
  }

  private var currentState: ConversationState {
    if link.isEnded { return .ended }
    if link.phase == .idle { return .idle }
    if ledger.isSounding { return .speaking }
    if !link.isReady { return .connecting }
    return isAwaiting || !calls.isEmpty ? .thinking : .listening
  }
}
