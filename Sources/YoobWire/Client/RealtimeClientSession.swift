/// The client's side of a Realtime conversation, over 24 kHz: what happens in, actions out; no clock, no I/O.
///
/// The driver reports what happens, each with the time in seconds on one monotonic clock, carries out the
/// actions in their order, and calls `tick(at:)` at `nextDeadline`.
/// ```swift
/// var session = RealtimeClientSession(options: options)
/// perform(session.start(at: now))                      // .connect
/// perform(session.socketOpened(at: now))
/// perform(session.receive(text, at: now))              // each message
/// perform(session.microphone(pcm, at: now))            // 24 kHz mono PCM16
/// perform(session.played(samples: 4800, of: item, at: now))
/// ```
public struct RealtimeClientSession: ConversationSession {
  /// Samples a second that `microphone(_:at:)` takes.
  public static let inputSampleRate = 24_000
  /// Bytes of a typed message, at most.
  public static let maximumText = 64 << 10
  /// Tool calls that wait for results, at most.
  static let maximumToolCalls = 16
  /// Seconds without a sign of an expected reply after which it is given up.
  static let replyTimeout = 30.0
  /// Seconds that a cancelled response may take to end.
  static let cancelTimeout = 2.0
  /// Seconds from the end of the user's turn to the beginning of a reply: sound that was no speech gets none.
  static let turnTimeout = 10.0
  /// Seconds that the sound is held at most: a Yoob server decides within six.
  static let holdTimeout = 8.0
  /// Bytes of the arguments of a tool call, at most.
  static let maximumArguments = 256 << 10
  /// A provider ends sessions after an hour: after so many seconds a quiet moment is used to renew.
  static let renewSeconds = 55 * 60.0

  public let options: RealtimeClientOptions
  public internal(set) var state: ConversationState = .idle

  var link: ConversationLink
  var ledger = PlaybackLedger()
  var history = ConversationHistory()
  var packets = MicrophonePackets(sampleRate: inputSampleRate)
  var isMicrophoneLive = false
  var greetsLater: Bool
  var connectedAt: Double?
  var eventCount = 0
  var updateID: String?

  /// The response that the provider is making.
  var activeID: String?
  /// A response that was cancelled here and has not ended there, and until when to wait for its end.
  var cancelling: (id: String, deadline: Double)?
  /// Responses that are over: what still comes of them is ignored.
  var closed = RecentIDs()
  /// Items that were heard, cut or taken back: what still comes of them is ignored.
  var closedItems = RecentIDs(capacity: 128)
  /// Whether a response is to be asked for when the provider is free.
  var wantsResponse = false
  var lastCreateID: String?
  /// Until when the response that was asked for must be announced; nil when none is to come.
  var createDeadline: Double?
  /// Until when the next response is not wanted: the user interrupted before it was announced.
  var discardsNextUntil: Double?
  var refusedCreates = 0
  var retryCreateAt: Double?
  /// Until when a sign of the expected reply must come.
  var replyDeadline: Double?
  var isUserSpeaking = false
  /// Items of the user whose transcripts arrive piece by piece, the newest last.
  var hearing: [(itemID: String, text: String)] = []
  var transcribed = RecentIDs()
  /// An interruption whose heard samples are awaited.
  var interruption: Interruption?
  /// Until when the sound is held at most; nil while it is not.
  var holdDeadline: Double?
  var calls: [ToolCall] = []
  /// Results that wait for a connection.
  var results: [(call: ToolCall, output: String)] = []
  var knownCalls = RecentIDs(capacity: 128)
  var functionNames: [(itemID: String, name: String)] = []

  struct Interruption: Sendable {
    var entries: [PlaybackLedger.Entry]
    var cancelID: String?
    var currentID: String?
    /// Until when the sink must have answered.
    var deadline: Double
  }

  struct ToolCall: Sendable {
    var id: String
    var name: String
    var arguments: String
    var responseID: String
    /// The connection that knows of the call.
    var epoch: Int
  }

  /// A conversation that is not started. `seed` decides the waits before new connections.
  public init(options: RealtimeClientOptions, seed: UInt64 = .random(in: .min ... .max)) {
    self.options = options
    link = ConversationLink(seed: seed)
    greetsLater = options.greet
  }

  /// When `tick(at:)` has to be called; nil when nothing is due.
  public var nextDeadline: Double? {
    guard !link.isEnded else { return nil }
    var times = [
      link.deadline, cancelling?.deadline, interruption?.deadline, retryCreateAt, replyDeadline,
      createDeadline, holdDeadline,
    ]
    .compactMap(\.self)
    if let connectedAt, mayRenew { times.append(connectedAt + Self.renewSeconds) }
    return times.min()
  }

  /// Whether nobody would notice a new connection now.
  private var mayRenew: Bool {
    !options.isHosted && state == .listening && link.isReady && !isUserSpeaking
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
    guard let session = options.session else {
      updateID = nil
      return []
    }
    updateID = eventID("update")
    return settle([
      send(["type": "session.update", "event_id": JSONValue(updateID), "session": .object(session)])
    ])
  }

  /// The microphone delivers from now on: a greeting waits for it.
  public mutating func microphoneStarted(at now: Double) -> [ConversationAction] {
    guard !link.isEnded else { return [] }
    isMicrophoneLive = true
    return settle(greetIfDue(at: now))
  }

  /// The microphone is muted or off: silence ends a turn that has begun, since no more sound would.
  public mutating func microphoneStopped(at now: Double) -> [ConversationAction] {
    packets.clear()
    guard link.isReady, isUserSpeaking else { return [] }
    var silenceMS = 2000
    if case .serverVAD(let configured, _, _) = options.turnDetection, !options.isHosted {
      silenceMS = min(5000, max(0, configured) + 500)
    }
    return packets.take([UInt8](repeating: 0, count: silenceMS * 48), isReady: true).map(audioMessage)
  }

  /// Sound of the user: mono PCM16 little-endian at 24 kHz. While there is no connection the newest second
  /// is kept.
  public mutating func microphone(_ pcm: [UInt8], at now: Double) -> [ConversationAction] {
    guard !link.isEnded, link.phase != .idle else { return [] }
    return packets.take(pcm, isReady: link.isReady).map(audioMessage)
  }

  /// A typed message: interrupts a reply and asks for a new one.
  public mutating func send(text: String, at now: Double) -> [ConversationAction] {
    let text = text.trimmedPrefix(maximumBytes: Self.maximumText)
    guard !text.isEmpty, !link.isEnded, link.phase != .idle else { return [] }
    var actions = interrupt(at: now)
    history.add(.user, text)
    actions.append(
      .transcript(.init(role: .user, itemID: eventID("typed"), text: text, isFinal: true)))
    wantsResponse = true
    // Before that the text is told with the rest of the history.
    if link.isReady {
      actions.append(create(Self.message(.user, text)))
      actions += respondIfDue(at: now)
    }
    return settle(actions)
  }

  /// The user wants the reply to stop, as by a button.
  public mutating func userInterrupts(at now: Double) -> [ConversationAction] {
    guard !link.isEnded else { return [] }
    wantsResponse = false
    if replyDeadline != nil, activeID == nil { discardsNextUntil = now + Self.turnTimeout }
    return settle(interrupt(at: now))
  }

  /// Ends the conversation. Idempotent.
  public mutating func stop(at now: Double) -> [ConversationAction] { end(nil, at: now) }

  /// Ends the conversation for a reason that the driver knows, as a credential that it could not get.
  public mutating func fail(_ failure: ConversationFailure, at now: Double) -> [ConversationAction] {
    end(failure, at: now)
  }

  /// Time has come to `nextDeadline`, or any other time.
  public mutating func tick(at now: Double) -> [ConversationAction] {
    guard !link.isEnded, link.phase != .idle else { return [] }
    if let deadline = link.deadline, now >= deadline { return settle(connectTimedOut(at: now)) }
    var actions: [ConversationAction] = []
    if let pending = interruption, now >= pending.deadline { actions += resolveUnanswered() }
    if let deadline = holdDeadline, now >= deadline { actions += goOn() }
    if let pending = cancelling, now >= pending.deadline { cancelling = nil }
    if let deadline = createDeadline, now >= deadline { createDeadline = nil }
    if let retry = retryCreateAt, now >= retry { retryCreateAt = nil }
    if let deadline = replyDeadline, now >= deadline { actions += replyTimedOut(at: now) }
    if let connectedAt, now >= connectedAt + Self.renewSeconds, mayRenew { actions += renew(at: now) }
    return settle(actions + respondIfDue(at: now))
  }
}
