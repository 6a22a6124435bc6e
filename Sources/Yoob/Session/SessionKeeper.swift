import Foundation
import VoiceIO
import YoobNet
import YoobWire

/// Keeps an open session alive until it is ended, by the rules of `Heartbeat`.
final class SessionKeeper: Sendable {
  /// What becomes of the session.
  enum Change: Sendable, Equatable {
    /// The service cannot be reached, for this reason.
    case degraded(String)
    case recovered
    case ended(SessionEnd)
  }
  typealias Credentials = @Sendable () async throws -> YoobCredentials

  private struct State {
    var heartbeat: Heartbeat
    var grant: SessionGrant
    var timer: ClockTimer?
    /// Requests that are on their way.
    var tasks: [Int: Task<Void, Never>] = [:]
    var nextTask = 0
    var isOver = false
  }

  private let state: Guarded<State>
  private let credentials: Credentials
  private let http: any HTTPClient
  private let clock: any PacingClock
  private let apiBase: String
  private let onChange: @Sendable (Change) -> Void

  /// A keeper that has not begun. `credentials` open another session when this one is gone.
  init(
    _ grant: SessionGrant, graceSeconds: Int, credentials: @escaping Credentials, http: any HTTPClient,
    clock: any PacingClock, apiBase: String, onChange: @escaping @Sendable (Change) -> Void
  ) {
    state = Guarded(
      State(
        heartbeat: Heartbeat(
          token: grant.sessionToken, seconds: grant.heartbeatSeconds, graceSeconds: graceSeconds),
        grant: grant))
    self.credentials = credentials
    self.http = http
    self.clock = clock
    self.apiBase = apiBase
    self.onChange = onChange
  }

  deinit { stop() }

  /// The newest token for downloads.
  var downloadToken: String { state.withLock { $0.grant.downloadToken } }

  /// Begins: the first beat comes after one interval.
  func start() { advance { $0.start(at: $1) } }

  /// Beats now.
  func refresh() { advance { $0.refresh(at: $1) } }

  /// Stops without a word. Idempotent.
  func stop() {
    let (timer, tasks) = state.withLock { state in
      state.isOver = true
      state.heartbeat.stop()
      defer { (state.timer, state.tasks) = (nil, [:]) }
      return (state.timer, Array(state.tasks.values))
    }
    timer?.cancel()
    for task in tasks { task.cancel() }
  }

  /// Stops, and tells the service that the session is over; what it answers changes nothing.
  func end() async {
    let grant: SessionGrant? = state.withLock { $0.isOver ? nil : $0.grant }
    stop()
    guard let grant else { return }
    await Self.end(grant, http: http, apiBase: apiBase)
  }

  /// Tells the service that a session is over that nobody keeps.
  static func end(_ grant: SessionGrant, http: any HTTPClient, apiBase: String) async {
    _ = try? await http.send(
      request("sessions/end", base: grant.apiBase ?? apiBase, token: grant.sessionToken))
  }

  private static func request(_ path: String, base: String, token: String) -> HTTPClientRequest {
    var base = base[...]
    while base.hasSuffix("/") { base.removeLast() }
    var request = HTTPClientRequest(
      method: "POST", url: base + "/api/v1/" + path, headers: [("Authorization", "Bearer " + token)])
    request.connectTimeout = Heartbeat.requestTimeout
    request.totalTimeout = Heartbeat.requestTimeout
    request.maxBodyBytes = 1 << 20
    return request
  }

  private func advance(_ step: (inout Heartbeat, Double) -> [Heartbeat.Action]) {
    let (actions, due, old) = state.withLock { state -> ([Heartbeat.Action], Double?, ClockTimer?) in
      guard !state.isOver else { return ([], nil, nil) }
      let actions = step(&state.heartbeat, clock.now)
      defer { state.timer = nil }
      return (actions, state.heartbeat.nextDeadline, state.timer)
    }
    old?.cancel()
    if let due {
      let timer = clock.schedule(at: due) { [weak self] in self?.advance { $0.tick(at: $1) } }
      let isLate = state.withLock { state in
        guard !state.isOver, state.timer == nil else { return true }
        state.timer = timer
        return false
      }
      if isLate { timer.cancel() }
    }
    for action in actions { perform(action) }
  }

  private func perform(_ action: Heartbeat.Action) {
    switch action {
    case .beat(let number, let token):
      let base = state.withLock { $0.grant.apiBase } ?? apiBase
      let request = Self.request("sessions/heartbeat", base: base, token: token)
      run { keeper, http in
        do throws(NetError) {
          let answer = try await http.send(request)
          keeper()?.advance { $0.answered(number, status: answer.status, body: answer.body, at: $1) }
        } catch {
          keeper()?.advance { $0.failed(number, reason: "\(error)", at: $1) }
        }
      }
    case .reply(let reply):
      guard let token = reply.downloadToken else { return }
      state.withLock { $0.grant.downloadToken = token }
    case .degraded(let reason): onChange(.degraded(reason))
    case .recovered: onChange(.recovered)
    case .renew(let number):
      let (credentials, apiBase) = (credentials, apiBase)
      run { keeper, http in
        do {
          let grant = try await credentials().grant
          if keeper()?.adopt(grant, number) != true {
            // It came too late: this one, or the avatar, has another session or none.
            await Self.end(grant, http: http, apiBase: apiBase)
          }
        } catch {
          let end: SessionEnd? =
            switch error as? YoobError {
            case .unauthorized: .unauthorized
            case .outOfCredit: .outOfCredit
            default: nil
            }
          keeper()?.advance {
            $0.renewalFailed(number, end: end, reason: error.localizedDescription, at: $1)
          }
        }
      }
    case .ended(let end):
      stop()
      onChange(.ended(end))
    }
  }

  /// Goes on with another session; false where that is not waited for any more.
  private func adopt(_ grant: SessionGrant, _ number: Int) -> Bool {
    let isWaitedFor = state.withLock { state in
      guard !state.isOver, state.heartbeat.isRenewing(number) else { return false }
      state.grant = grant
      return true
    }
    guard isWaitedFor else { return false }
    advance { $0.renewed(number, token: grant.sessionToken, seconds: grant.heartbeatSeconds, at: $1) }
    return true
  }

  /// Runs work that ends with the keeper.
  private func run(
    _ work: @escaping @Sendable (_ keeper: @Sendable () -> SessionKeeper?, any HTTPClient) async -> Void
  ) {
    let http = http
    let keeper: @Sendable () -> SessionKeeper? = { [weak self] in self }
    state.withLock { state in
      guard !state.isOver else { return }
      state.nextTask += 1
      let number = state.nextTask
      state.tasks[number] = Task {
        await work(keeper, http)
        keeper()?.state.withLock { $0.tasks[number] = nil }
      }
    }
  }
}
