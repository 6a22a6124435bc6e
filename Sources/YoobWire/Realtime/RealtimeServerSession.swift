/// The server's side of one Realtime connection: events in, actions out; no clock, no I/O.
///
/// The driver passes on what the client sends and what the agent reports, each with the time in
/// milliseconds on one monotonic clock, and carries out the actions in their order.
/// ```swift
/// var session = RealtimeServerSession(settings: settings, seed: seed)
/// perform(session.open())
/// perform(session.receive(text, atMs: now))      // from the client
/// perform(session.handle(event, atMs: now))      // from the agent
/// ```
public struct RealtimeServerSession: Sendable {
  /// Items kept for `retrieve` and `truncate`; the oldest go first.
  static let maximumItems = 512

  /// The settings as the client has changed them so far.
  public private(set) var settings: RealtimeSettings
  /// The session's name in its events.
  public let sessionID: String

  var ids: RealtimeIDs
  var items: [RealtimeItem] = []
  /// The user's turn that has begun and is not yet an item.
  var turn: Turn?
  /// Items of turns that the client ended, oldest first, whose transcripts are awaited.
  var untranscribed: [String] = []
  /// The client's messages that no response has answered yet.
  var unanswered: [Unanswered] = []
  var response: Response?
  /// The reply that sounds or sounded last.
  var playback: Playback?
  /// The response that was open last.
  var lastResponseID: String?
  var usage = Usage()
  private var hasSpoken = false
  /// Input sound since the last commit or clear, in bytes of PCM16 at 24 kHz: 48 a millisecond.
  private var uncommittedBytes = 0

  struct Turn: Sendable, Equatable {
    var itemID: String
    var isStopped = false
    /// On the clock of the input sound.
    var startMs: Int?
    var endMs: Int?

    var seconds: Double {
      guard let startMs, let endMs else { return 0 }
      return Double(max(0, endMs - startMs)) / 1000
    }
  }

  struct Unanswered: Sendable, Equatable {
    var itemID: String
    var text: String
  }

  struct Response: Sendable, Equatable {
    var id: String
    /// The agent's own name for it; nil until the agent has begun.
    var agentID: String?
    var isTextOnly: Bool
    var metadata: JSONValue
    /// These two take the place of the session's while this response is made.
    var instructions: String?
    var tokenLimit: RealtimeTokenLimit?
    /// Nil until there is something to say.
    var itemID: String?
    var text = ""

    /// Whether the agent is asked to be something else while this response is made.
    var hasOwnConfiguration: Bool { instructions != nil || tokenLimit != nil }
  }

  struct Playback: Sendable, Equatable {
    var itemID: String
    var bytes = 0
    /// When the first sound was sent.
    var startMs: Int?
    /// Since when the listener holds the sound.
    var heldSinceMs: Int?
    var isTruncated = false
    /// What the agent was told that was heard; nil where it goes by its own estimate.
    var toldMs: Int?
    /// Whether the agent has gone on to another reply: a late word on this one must not stop that.
    var isFollowed = false

    var sentMs: Int { bytes / 48 }

    /// What can have been heard by now: at most what was sent, at most the time since it began.
    func heardMs(atMs now: Int) -> Int {
      guard let startMs else { return 0 }
      return min(sentMs, max(0, (heldSinceMs ?? now) - startMs))
    }

    /// The listener holds the sound, or goes on with it.
    mutating func hold(_ isHeld: Bool, atMs now: Int) {
      if isHeld {
        heldSinceMs = heldSinceMs ?? now
      } else if let since = heldSinceMs {
        startMs = startMs.map { $0 + now - since }
        heldSinceMs = nil
      }
    }
  }

  struct Usage: Sendable, Equatable {
    var inputTokens = 0
    var cachedTokens = 0
    var outputTokens = 0
  }

  /// A session with its first settings. `seed` decides the ids.
  public init(settings: RealtimeSettings, seed: UInt64 = .random(in: .min ... .max)) {
    self.settings = settings
    ids = RealtimeIDs(seed: seed)
    sessionID = ids.make("sess")
  }

  /// The greeting. Call it first.
  public mutating func open() -> [RealtimeAction] {
    [send("session.created", ["session": settings.json(sessionID: sessionID)])]
  }

  /// A text message of the client.
  public mutating func receive(_ text: String, atMs now: Int) -> [RealtimeAction] {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text)
    } catch {
      return [fault(RealtimeFault(code: "invalid_json", message: "The message is \(error)."))]
    }
    guard let object = value.object else {
      return [fault(RealtimeFault(code: "invalid_json", message: "Expected a JSON object."))]
    }
    do {
      return try perform(try RealtimeClientEvent(object), atMs: now)
    } catch {
      return [fault(error, eventID: object["event_id"]?.string)]
    }
  }

  /// A binary message of the client: the protocol has none.
  public mutating func receiveBinary() -> [RealtimeAction] {
    [fault(RealtimeFault(code: "invalid_json", message: "Send events as text messages with JSON."))]
  }

  private mutating func perform(
    _ event: RealtimeClientEvent, atMs now: Int
  ) throws(RealtimeFault) -> [RealtimeAction] {
    switch event {
    case .sessionUpdate(let session):
      try settings.apply(session, voiceIsLocked: hasSpoken)
      return [
        .agent(.configure(agentConfiguration)),
        send("session.updated", ["session": settings.json(sessionID: sessionID)]),
      ]
    case .audioAppend(let pcm):
      uncommittedBytes += pcm.count
      return [.agent(.appendAudio(pcm))]
    case .audioClear:
      uncommittedBytes = 0
      return [.agent(.clearAudio), send("input_audio_buffer.cleared")]
    case .audioCommit:
      guard uncommittedBytes >= 4800 else {
        throw RealtimeFault(
          code: "input_audio_buffer_commit_empty",
          message: "Expected at least 100 ms of audio, but the buffer holds "
            + "\(uncommittedBytes / 48) ms.")
      }
      return try commitByClient()
    case .itemCreate(let item, let previousID):
      return try create(item, after: previousID)
    case .itemRetrieve(let id):
      let item = try item(id, to: .retrieve)
      return [send("conversation.item.retrieved", ["item": item.json])]
    case .itemDelete(let id): return try delete(id)
    case .itemTruncate(let id, let index, let end):
      return try truncate(id, contentIndex: index, audioEndMs: end, atMs: now)
    case .responseCreate(let request): return try createResponse(request)
    case .responseCancel(let id): return try cancelResponse(id, atMs: now)
    }
  }

  /// The sound of the turn has become an item; a new turn's sound begins.
  mutating func forgetInput() { uncommittedBytes = 0 }

  /// From the first sound on the voice is fixed.
  mutating func lockVoice() { hasSpoken = true }
}

extension RealtimeServerSession {
  /// An event of the server, with an id of its own.
  mutating func send(_ type: String, _ members: JSONObject = [:]) -> RealtimeAction {
    var event: JSONObject = ["type": .string(type), "event_id": .string(ids.make("event"))]
    for member in members.members { event[member.name] = member.value }
    return .send(event)
  }

  /// An error event; `eventID` names the client's event that caused it.
  mutating func fault(_ fault: RealtimeFault, eventID: String? = nil) -> RealtimeAction {
    send(
      "error",
      [
        "error": [
          "type": .string(fault.type), "code": JSONValue(fault.code),
          "message": .string(fault.message), "param": JSONValue(fault.param),
          "event_id": JSONValue(eventID),
        ]
      ])
  }

  /// Reports `fault` and ends the connection with a WebSocket close code.
  public mutating func fail(_ problem: RealtimeFault, closeCode: Int) -> [RealtimeAction] {
    [fault(problem), .close(code: closeCode, reason: problem.code ?? problem.type)]
  }
}
