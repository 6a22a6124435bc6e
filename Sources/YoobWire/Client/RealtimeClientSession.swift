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
public struct RealtimeClientSession: ConversationClient {
  /// Samples a second that `microphone(_:at:)` takes.
  public static let inputSampleRate = 24_000
  /// Seconds that a cancelled response may take to end.
  static let cancelTimeout = 2.0
  /// Seconds that the sound is held at most: a Yoob server decides within six.
  static let holdTimeout = 8.0
  /// A provider ends sessions after an hour: after so many seconds a quiet moment is used to renew.
  static let renewSeconds = 55 * 60.0

  /// What was asked for.
  public let options: RealtimeClientOptions

  var core: ConversationCore
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
  var isUserSpeaking = false
  /// Items of the user whose transcripts arrive piece by piece, the newest last.
  var hearing: [(itemID: String, text: String)] = []
  var transcribed = RecentIDs()
  /// Until when the sound is held at most; nil while it is not.
  var holdDeadline: Double?
  var functionNames: [(itemID: String, name: String)] = []

  /// A conversation that is not started. `seed` decides the waits before new connections.
  public init(options: RealtimeClientOptions, seed: UInt64 = .random(in: .min ... .max)) {
    self.options = options
    core = ConversationCore(seed: seed, greets: options.greet, sampleRate: Self.inputSampleRate)
  }

  /// When `tick(at:)` has to be called; nil when nothing is due.
  public var nextDeadline: Double? {
    guard !core.link.isEnded else { return nil }
    var times = commonDeadlines + [cancelling?.deadline, retryCreateAt, createDeadline, holdDeadline]
    if let connectedAt, mayRenew { times.append(connectedAt + Self.renewSeconds) }
    return times.compactMap(\.self).min()
  }

  /// Whether nobody would notice a new connection now.
  private var mayRenew: Bool {
    !options.isHosted && core.state == .listening && core.link.isReady && !isUserSpeaking
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
    guard let session = options.session else {
      updateID = nil
      return []
    }
    updateID = eventID("update")
    return [send(["type": "session.update", "event_id": JSONValue(updateID), "session": .object(session)])]
  }

  /// Silence ends a turn that has begun, since no more sound would.
  mutating func stopListening() -> [ConversationAction] {
    guard isUserSpeaking else { return [] }
    var silenceMS = 2000
    if case .serverVAD(let configured, _, _) = options.turnDetection, !options.isHosted {
      silenceMS = min(5000, max(0, configured) + 500)
    }
    return sound([UInt8](repeating: 0, count: silenceMS * 48))
  }

  /// A typed message interrupts a reply and asks for a new one.
  mutating func type(_ text: String, at now: Double) -> [ConversationAction] {
    var actions = interrupt(at: now)
    core.history.add(.user, text)
    actions.append(
      .transcript(.init(role: .user, itemID: eventID("typed"), text: text, isFinal: true)))
    wantsResponse = true
    // Before that the text is told with the rest of the history.
    if core.link.isReady {
      actions.append(create(Self.message(.user, text)))
      actions += respondIfDue(at: now)
    }
    return actions
  }

  mutating func stopReply(at now: Double) -> [ConversationAction] {
    wantsResponse = false
    if core.replyDeadline != nil, activeID == nil { discardsNextUntil = now + ConversationLimits.turn }
    return interrupt(at: now)
  }

  mutating func passTime(at now: Double) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    if let deadline = holdDeadline, now >= deadline { actions += goOn() }
    if let pending = cancelling, now >= pending.deadline { cancelling = nil }
    if let deadline = createDeadline, now >= deadline { createDeadline = nil }
    if let retry = retryCreateAt, now >= retry { retryCreateAt = nil }
    if let deadline = core.replyDeadline, now >= deadline { actions += replyTimedOut(at: now) }
    if let connectedAt, now >= connectedAt + Self.renewSeconds, mayRenew { actions += renew(at: now) }
    return actions + respondIfDue(at: now)
  }

  var readyState: ConversationState {
    if isUserSpeaking { return .listening }
    let isExpected = activeID != nil || wantsResponse || core.replyDeadline != nil
    return isExpected || !core.calls.isEmpty ? .thinking : .listening
  }
}
