/// The life of a client's connection: opening, ready, lost, and when to try again.
struct ConversationLink: Sendable, Equatable {
  enum Phase: Sendable, Equatable {
    case idle
    /// Until when the session must be ready.
    case opening(deadline: Double)
    /// The socket is open and the provider has not confirmed the session.
    case open(deadline: Double)
    case ready(since: Double)
    /// There is no socket, and what comes next is being decided.
    case down
    case ended
  }

  /// Seconds from the start of opening to the confirmed session.
  static let connectTimeout = 15.0
  /// Seconds before each try to connect again; as many tries as numbers.
  static let delays: [Double] = [0.5, 1, 2, 4, 8]
  /// A connection that held for so many seconds makes the tries count from the first again.
  static let stableSeconds = 20.0

  private(set) var phase: Phase = .idle
  private(set) var failures = 0
  /// Whether the provider has ever confirmed a session.
  private(set) var wasReady = false
  /// Connections that became ready.
  private(set) var epoch = 0
  private var random: RealtimeIDs

  init(seed: UInt64) { random = RealtimeIDs(seed: seed) }

  var isReady: Bool { if case .ready = phase { true } else { false } }
  var isOpen: Bool { if case .open = phase { true } else { isReady } }
  var isEnded: Bool { phase == .ended }
  var isOpening: Bool { if case .opening = phase { true } else { false } }

  /// When something has to happen by itself.
  var deadline: Double? {
    switch phase {
    case .opening(let deadline), .open(let deadline): deadline
    default: nil
    }
  }

  mutating func start(after delay: Double, at now: Double) {
    phase = .opening(deadline: now + delay + Self.connectTimeout)
  }

  mutating func socketOpened() {
    if case .opening(let deadline) = phase { phase = .open(deadline: deadline) }
  }

  mutating func confirmed(at now: Double) {
    phase = .ready(since: now)
    wasReady = true
    epoch += 1
  }

  /// The connection is gone: seconds until the next try, or nil when no try is left. Who never was
  /// connected is not tried again: whoever started it is still there to be told.
  mutating func lost(at now: Double) -> Double? {
    dropped(at: now)
    guard wasReady, failures < Self.delays.count else { return nil }
    let delay = Self.delays[failures] * (0.8 + 0.4 * random.unit())
    failures += 1
    start(after: delay, at: now)
    return delay
  }

  /// The connection is left for a new one: seconds until that. One that was left at once counts as lost, so that
  /// a provider that sends everybody away is not asked again and again.
  mutating func leave(at now: Double) -> Double? {
    guard case .ready(let since) = phase, now - since >= Self.stableSeconds else { return lost(at: now) }
    failures = 0
    start(after: 0, at: now)
    return 0
  }

  /// There is no socket any more.
  mutating func dropped(at now: Double) {
    if case .ready(let since) = phase, now - since >= Self.stableSeconds { failures = 0 }
    phase = .down
  }

  mutating func end() { phase = .ended }
}
