/// What a client session knows whatever its protocol.
struct ConversationCore: Sendable {
  /// An interruption whose heard samples are awaited.
  struct Interruption: Sendable {
    var entries: [PlaybackLedger.Entry]
    /// The item that sounded.
    var currentID: String?
    /// The response to cancel then.
    var cancelID: String?
    /// Until when the sink must have answered.
    var deadline: Double
  }

  struct ToolCall: Sendable {
    var id: String
    var name: String
    /// These two are for protocols that need them again.
    var arguments = ""
    var responseID = ""
    /// The connection that knows of the call.
    var epoch: Int
  }

  var state: ConversationState = .idle
  var link: ConversationLink
  var ledger = PlaybackLedger()
  var history = ConversationHistory()
  var packets: MicrophonePackets
  var isMicrophoneLive = false
  var greetsLater: Bool
  /// Until when a sign of the expected reply must come.
  var replyDeadline: Double?
  var interruption: Interruption?
  /// Tool calls that run.
  var calls: [ToolCall] = []
  /// Results that wait for a connection.
  var results: [(call: ToolCall, output: String)] = []
  var knownCalls = RecentIDs(capacity: 128)

  init(seed: UInt64, greets: Bool, sampleRate: Int) {
    link = ConversationLink(seed: seed)
    packets = MicrophonePackets(sampleRate: sampleRate)
    greetsLater = greets
  }

  /// Whether the conversation has begun and has not ended.
  var isRunning: Bool { !link.isEnded && link.phase != .idle }

  /// What was heard changes the caption.
  mutating func played(samples: Int, of itemID: String?) -> [ConversationAction] {
    guard !link.isEnded, let id = itemID ?? ledger.currentID else { return [] }
    var text: String?
    ledger.update(id) { entry in
      entry.heard = max(entry.heard, min(entry.received, max(0, samples)))
      text = entry.caption.advance(
        heard: entry.heard, of: entry.received, sampleRate: entry.sampleRate, isComplete: entry.isComplete)
    }
    return text.map { [.transcript(.init(role: .assistant, itemID: id, text: $0, isFinal: false))] } ?? []
  }

  /// Silences what sounds; its items wait for the samples that were heard of them.
  mutating func silence(cancelID: String? = nil, until deadline: Double) -> [ConversationAction] {
    let currentID = ledger.currentID
    interruption = Interruption(
      entries: ledger.removeAll(), currentID: currentID, cancelID: cancelID, deadline: deadline)
    return [.interruptPlayback]
  }

  /// A call that is answered; nil when it is unknown, or when its result waits for a connection now.
  mutating func answered(_ id: String, _ output: String) -> ToolCall? {
    guard !link.isEnded, let place = calls.firstIndex(where: { $0.id == id }) else { return nil }
    let call = calls.remove(at: place)
    guard !link.isReady else { return call }
    if results.count >= ConversationLimits.toolCalls { results.removeFirst() }
    results.append((call, output))
    return nil
  }

  /// The results that waited for a connection.
  mutating func takeResults() -> [(call: ToolCall, output: String)] {
    defer { results = [] }
    return results
  }

  /// Nobody knows of the replies that still sound: a new provider is to be told.
  mutating func orphanReplies() {
    for entry in ledger.entries {
      ledger.update(entry.itemID) {
        $0.isOrphan = true
        $0.retoldID = nil
      }
    }
  }
}

/// Bounds of every client session.
enum ConversationLimits {
  /// Bytes of a typed message, and of a tool's result.
  static let text = 64 << 10
  /// Tool calls that wait for results.
  static let toolCalls = 16
  /// Bytes of the arguments of a tool call.
  static let arguments = 256 << 10
  /// Seconds without a sign of an expected reply after which it is given up.
  static let reply = 30.0
  /// Seconds from the end of the user's turn to the beginning of a reply: sound that was no speech gets none.
  static let turn = 10.0
  /// Seconds that the sink has to answer an interruption.
  static let sink = 2.0
}
