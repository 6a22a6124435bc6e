/// The heartbeat of a session: keeps it alive, bridges outages and ends it: events in, actions out; no clock,
/// no I/O.
///
/// The driver carries out the actions in their order, reports each answer with the number of its beat, and
/// calls `tick(at:)` at `nextDeadline`. Times are seconds on one monotonic clock.
/// ```swift
/// var heartbeat = Heartbeat(token: grant.sessionToken, seconds: grant.heartbeatSeconds)
/// perform(heartbeat.start(at: now))
/// perform(heartbeat.tick(at: now))                                    // .beat(number, token)
/// perform(heartbeat.answered(number, status: 200, body: body, at: now))
/// ```
public struct Heartbeat: Sendable, Equatable {
  /// What the driver has to do.
  public enum Action: Sendable, Equatable {
    /// Send `POST /api/v1/sessions/heartbeat` with the token, no body and a timeout of 10 seconds; report
    /// `answered` or `failed` with the number.
    case beat(number: Int, token: String)
    /// What a beat was answered.
    case reply(HeartbeatReply)
    /// The service cannot be reached; the text says what happened. Once an outage.
    case degraded(String)
    /// The service is back.
    case recovered
    /// The session is gone: ask for new credentials, and report `renewed` or `renewalFailed` with the number.
    /// A meter that was started is to be started for the new session too.
    case renew(number: Int)
    /// It is over; nothing follows.
    case ended(SessionEnd)
  }

  /// Seconds that a beat may take.
  public static let requestTimeout = 10.0
  /// Seconds that a renewal may take: credentials come from the app's own backend.
  public static let renewalTimeout = 30.0
  /// Seconds before each retry in an outage; the last one repeats.
  static let retryDelays: [Double] = [2, 6, 15]
  /// Renewals without a good beat between them, at most.
  static let maximumRenewals = 3
  /// A deadline that is missed by more was missed by a sleeping machine.
  static let sleepSlack = 2.0

  private enum Phase: Sendable, Equatable {
    case idle
    case waiting(until: Double)
    case beating(until: Double)
    case renewing(until: Double)
    case ended
  }

  private var phase: Phase = .idle
  private var token: String
  private var interval: Double
  private let grace: Double
  /// Goes up with each beat and renewal, so that late answers are told from those that count.
  private var number = 0
  private var lastGood = 0.0
  /// From when the outage counts; nil while there is none.
  private var outageStart: Double?
  private var failures = 0
  private var renewals = 0
  /// A retry in an outage renews where the session is gone.
  private var needsRenewal = false
  private var random: RealtimeIDs

  /// Whether the service cannot be reached.
  public var isDegraded: Bool { outageStart != nil }

  /// Whether the session is over.
  public var isEnded: Bool { phase == .ended }

  /// A heartbeat that is not started: every `seconds`, 5 at least. An outage may last `graceSeconds`, 0...1800.
  /// `seed` decides the jitter of retries.
  public init(
    token: String, seconds: Int, graceSeconds: Int = 600, seed: UInt64 = .random(in: .min ... .max)
  ) {
    self.token = token
    interval = Double(max(SessionGrant.minimumHeartbeat, seconds))
    grace = Double(min(1800, max(0, graceSeconds)))
    random = RealtimeIDs(seed: seed)
  }

  /// When `tick(at:)` has to be called; nil when nothing is due.
  public var nextDeadline: Double? {
    switch phase {
    case .waiting(let until), .beating(let until), .renewing(let until): until
    case .idle, .ended: nil
    }
  }

  /// Whether the renewal of that number is still waited for.
  public func isRenewing(_ number: Int) -> Bool {
    if case .renewing = phase { self.number == number } else { false }
  }

  /// Begins: the first beat comes after one interval. Without a token the session ends at once.
  public mutating func start(at now: Double) -> [Action] {
    guard phase == .idle else { return [] }
    guard !token.isEmpty else { return end(.unauthorized) }
    lastGood = now
    phase = .waiting(until: now + interval)
    return []
  }

  /// Stops without a word. Idempotent; answers that still come are ignored.
  public mutating func stop() {
    number += 1
    phase = .ended
  }

  /// Beats now, as when the app comes back to the front.
  public mutating func refresh(at now: Double) -> [Action] {
    guard case .waiting(let until) = phase else { return [] }
    excuseSleep(due: until, at: now)
    return proceed(at: now)
  }

  /// Time has come to `nextDeadline`, or any other time.
  public mutating func tick(at now: Double) -> [Action] {
    switch phase {
    case .waiting(let until) where now >= until:
      excuseSleep(due: until, at: now)
      return proceed(at: now)
    case .beating(let until) where now >= until:
      excuseSleep(due: until, at: now)
      return fail("The service did not answer in time.", at: now)
    case .renewing(let until) where now >= until:
      excuseSleep(due: until, at: now)
      return fail("The app's server did not answer in time.", at: now)
    default: return []
    }
  }

  /// A beat was answered.
  public mutating func answered(_ beat: Int, status: Int, body: [UInt8], at now: Double) -> [Action] {
    guard case .beating(let until) = phase, beat == number else { return [] }
    excuseSleep(due: until, at: now)
    switch ServiceVerdict(status: status, body: body) {
    case .fine:
      renewals = 0
      let reply = HeartbeatReply(json: body).map { [Action.reply($0)] } ?? []
      // The next beat is one interval after this one was sent.
      phase = .waiting(until: max(now, until - Self.requestTimeout + interval))
      return recover(at: now) + reply
    case .trouble(let text): return fail(text, at: now)
    case .over(let end): return self.end(end)
    case .gone: return renew(at: now)
    }
  }

  /// A beat could not be sent, or got no answer.
  public mutating func failed(_ beat: Int, reason: String, at now: Double) -> [Action] {
    guard case .beating(let until) = phase, beat == number else { return [] }
    excuseSleep(due: until, at: now)
    return fail(reason, at: now)
  }

  /// New credentials are there: the beat goes on with them, after one interval.
  public mutating func renewed(_ renewal: Int, token: String, seconds: Int, at now: Double) -> [Action] {
    guard case .renewing = phase, renewal == number else { return [] }
    guard !token.isEmpty else { return end(.unauthorized) }
    self.token = token
    interval = Double(max(SessionGrant.minimumHeartbeat, seconds))
    needsRenewal = false
    phase = .waiting(until: now + interval)
    return recover(at: now)
  }

  /// New credentials could not be had. `end` is nil where asking later may help, as without a network.
  public mutating func renewalFailed(
    _ renewal: Int, end: SessionEnd?, reason: String, at now: Double
  ) -> [Action] {
    guard case .renewing(let until) = phase, renewal == number else { return [] }
    excuseSleep(due: until, at: now)
    if let end { return self.end(end) }
    return fail(reason, at: now)
  }

  // MARK: Steps

  private mutating func proceed(at now: Double) -> [Action] {
    number += 1
    if needsRenewal {
      phase = .renewing(until: now + Self.renewalTimeout)
      return [.renew(number: number)]
    }
    phase = .beating(until: now + Self.requestTimeout)
    return [.beat(number: number, token: token)]
  }

  private mutating func renew(at now: Double) -> [Action] {
    guard renewals < Self.maximumRenewals else { return end(.ended(reason: "gone")) }
    renewals += 1
    needsRenewal = true
    return proceed(at: now)
  }

  private mutating func recover(at now: Double) -> [Action] {
    lastGood = now
    failures = 0
    guard outageStart != nil else { return [] }
    outageStart = nil
    return [.recovered]
  }

  /// One more failure: retries until the grace is used up, the last one exactly then.
  private mutating func fail(_ reason: String, at now: Double) -> [Action] {
    var actions: [Action] = []
    if outageStart == nil {
      // Time in which nothing was beating is no outage.
      outageStart = max(lastGood, now - interval)
      actions.append(.degraded(reason))
    }
    let deadline = (outageStart ?? now) + grace
    guard now < deadline else {
      return actions + end(.ended(reason: needsRenewal ? "gone" : "unreachable"))
    }
    let delay = Self.retryDelays[min(failures, Self.retryDelays.count - 1)] * (0.8 + 0.4 * random.unit())
    failures += 1
    phase = .waiting(until: min(now + delay, deadline))
    return actions
  }

  /// Moves the outage on by the time in which a deadline was missed: the machine slept.
  private mutating func excuseSleep(due: Double, at now: Double) {
    guard let start = outageStart, now > due + Self.sleepSlack else { return }
    outageStart = start + (now - due)
  }

  private mutating func end(_ reason: SessionEnd) -> [Action] {
    number += 1
    phase = .ended
    return [.ended(reason)]
  }
}
