import Testing

@testable import YoobWire

@Suite("Heartbeat")
struct HeartbeatTests {
  /// A heartbeat under test. Every call returns what it leads to, in short words.
  private struct Pulse {
    var heartbeat: Heartbeat
    var now = 1000.0
    /// Number of the newest beat or renewal.
    var number = 0

    init(token: String = "t", seconds: Int = 15, grace: Int = 600, seed: UInt64 = 1) {
      heartbeat = Heartbeat(token: token, seconds: seconds, graceSeconds: grace, seed: seed)
    }

    /// One that has begun.
    static func started(seconds: Int = 15, grace: Int = 600, seed: UInt64 = 1) -> Pulse {
      var pulse = Pulse(seconds: seconds, grace: grace, seed: seed)
      _ = pulse.heartbeat.start(at: pulse.now)
      return pulse
    }

    mutating func tick(after seconds: Double) -> [String] {
      now += seconds
      return note(heartbeat.tick(at: now))
    }
    mutating func tickAtDeadline() -> [String] { tick(after: (heartbeat.nextDeadline ?? now) - now) }
    mutating func answer(_ status: Int, _ body: String = "") -> [String] {
      note(heartbeat.answered(number, status: status, body: Array(body.utf8), at: now))
    }
    mutating func fail() -> [String] { note(heartbeat.failed(number, reason: "no network", at: now)) }
    mutating func renewed(_ token: String, seconds: Int = 15) -> [String] {
      note(heartbeat.renewed(number, token: token, seconds: seconds, at: now))
    }
    /// The wait before the next beat.
    var wait: Double { (heartbeat.nextDeadline ?? now) - now }

    mutating func note(_ actions: [Heartbeat.Action]) -> [String] {
      actions.map { action in
        switch action {
        case .beat(let number, let token):
          self.number = number
          return "beat \(token)"
        case .reply(let reply): return "reply \(reply.downloadToken ?? "-")"
        case .degraded: return "degraded"
        case .recovered: return "recovered"
        case .renew(let number):
          self.number = number
          return "renew"
        case .ended(.unauthorized): return "ended unauthorized"
        case .ended(.outOfCredit): return "ended out of credit"
        case .ended(.ended(let reason)): return "ended \(reason)"
        }
      }
    }
  }

  @Test("the first beat comes one interval after the start, and each next one an interval after the last")
  func interval() {
    var pulse = Pulse.started()
    #expect(pulse.wait == 15)
    #expect(pulse.tick(after: 14.9) == [])
    #expect(pulse.tick(after: 0.1) == ["beat t"])
    pulse.now += 1
    #expect(pulse.answer(200, "{\"stop\":false}") == ["reply -"])
    #expect(pulse.wait == 14)
    #expect(pulse.tickAtDeadline() == ["beat t"])
  }

  @Test("an interval is five seconds at least", arguments: [(0, 5.0), (-3, 5), (5, 5), (60, 60)])
  func floor(seconds: Int, expected: Double) {
    #expect(Pulse.started(seconds: seconds).wait == expected)
  }

  @Test("without a token it ends before it begins")
  func noToken() {
    var pulse = Pulse(token: "")
    #expect(pulse.note(pulse.heartbeat.start(at: 0)) == ["ended unauthorized"])
    #expect(pulse.heartbeat.nextDeadline == nil)
  }

  @Test("an empty answer is a good one; a newer token is passed on, in its older name too")
  func goodAnswers() {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(204) == [])
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(200, "{\"download_token\":\"yg1.a\"}") == ["reply yg1.a"])
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(200, "{\"grant\":\"yg1.b\"}") == ["reply yg1.b"])
  }

  @Test(
    "an answer that ends the session ends it at once",
    arguments: [
      (401, "", "unauthorized"), (403, "", "unauthorized"), (402, "", "out of credit"),
      (403, "{\"error\":\"x\",\"code\":\"suspended\"}", "suspended"),
      (402, "{\"error\":\"x\",\"code\":\"key_revoked\"}", "unauthorized"),
      (401, "{\"reason\":\"out-of-credits\"}", "out of credit"),
      (402, "{\"code\":\"sandbox-limit\"}", "sandbox-limit"),
      (200, "{\"stop\":true,\"reason\":\"out-of-credits\"}", "out of credit"),
      (200, "{\"stop\":true,\"reason\":\"sandbox-limit\"}", "sandbox-limit"),
      (200, "{\"stop\":true,\"reason\":\"suspended\"}", "suspended"),
      (200, "{\"stop\":true,\"reason\":\"key-revoked\"}", "unauthorized"),
      (200, "{\"stop\":true,\"code\":\"monthly_cap_reached\"}", "out of credit"),
    ])
  func terminal(status: Int, body: String, end: String) {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(status, body) == ["ended " + end])
    #expect(pulse.heartbeat.nextDeadline == nil)
    var degraded = Pulse.started()
    _ = degraded.tickAtDeadline() + degraded.fail() + degraded.tickAtDeadline()
    #expect(degraded.answer(status, body) == ["ended " + end])
  }

  @Test(
    "trouble of the service or the network is tried again",
    arguments: [
      (408, ""), (429, ""), (500, ""), (503, "{\"error\":\"x\"}"), (200, "<html>"), (200, "[1]"), (302, ""),
    ])
  func transient(status: Int, body: String) {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(status, body) == ["degraded"])
    #expect(pulse.heartbeat.isDegraded)
    #expect(pulse.tickAtDeadline() == ["beat t"])
    #expect(pulse.answer(200) == ["recovered"])
    #expect(!pulse.heartbeat.isDegraded)
  }

  @Test("retries come after 2, 6 and then every 15 seconds, give or take a fifth", arguments: 0..<20)
  func retries(seed: UInt64) {
    var pulse = Pulse.started(seed: seed)
    _ = pulse.tickAtDeadline()
    for (index, expected) in [2.0, 6, 15, 15, 15].enumerated() {
      #expect(pulse.fail() == (index == 0 ? ["degraded"] : []))
      #expect(pulse.wait >= expected * 0.8 && pulse.wait <= expected * 1.2)
      #expect(pulse.tickAtDeadline() == ["beat t"])
    }
    #expect(pulse.answer(200) == ["recovered"])
    #expect(abs(pulse.wait - 15) < 1e-9)
    _ = pulse.tickAtDeadline()
    #expect(pulse.fail() == ["degraded"])
    #expect(pulse.wait <= 2.4)
  }

  @Test(
    "an outage lasts as long as the grace, and the last try is exactly at its end",
    arguments: [30, 600, 1800])
  func grace(seconds: Int) {
    var pulse = Pulse.started(grace: seconds)
    let lastGood = pulse.now
    _ = pulse.tickAtDeadline()
    var actions: [String] = []
    while !pulse.heartbeat.isEnded {
      actions = pulse.fail()
      if pulse.heartbeat.isEnded { break }
      #expect(pulse.tickAtDeadline() == ["beat t"])
      #expect(pulse.now <= lastGood + Double(seconds))
    }
    #expect(actions == ["ended unreachable"])
    #expect(pulse.now == lastGood + Double(seconds))
  }

  @Test("the last try may still succeed, and opens the whole window again")
  func lastTry() {
    var pulse = Pulse.started(grace: 30)
    let lastGood = pulse.now
    _ = pulse.tickAtDeadline() + pulse.fail()
    while pulse.now < lastGood + 30 {
      #expect(pulse.tickAtDeadline() == ["beat t"])
      if pulse.now < lastGood + 30 { _ = pulse.fail() }
    }
    #expect(pulse.answer(200) == ["recovered"])
    _ = pulse.tickAtDeadline()
    #expect(pulse.fail() == ["degraded"])
    #expect(!pulse.heartbeat.isEnded)
  }

  @Test("without grace the first failure ends it; the grace is 1800 seconds at most")
  func graceLimits() {
    var pulse = Pulse.started(grace: -5)
    _ = pulse.tickAtDeadline()
    #expect(pulse.fail() == ["degraded", "ended unreachable"])
    var long = Pulse.started(grace: 100_000)
    let lastGood = long.now
    _ = long.tickAtDeadline()
    while !long.heartbeat.isEnded { _ = long.fail() + long.tickAtDeadline() }
    #expect(long.now == lastGood + 1800)
  }

  @Test("a beat that nobody answers counts as failed after ten seconds; its late answer is ignored")
  func timeout() {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline()
    let late = pulse.number
    #expect(pulse.tick(after: 9.9) == [])
    #expect(pulse.tick(after: 0.1) == ["degraded"])
    #expect(pulse.heartbeat.answered(late, status: 402, body: [], at: pulse.now) == [])
    _ = pulse.tickAtDeadline()
    #expect(pulse.heartbeat.answered(late, status: 402, body: [], at: pulse.now) == [])
    #expect(pulse.answer(200) == ["recovered"])
  }

  @Test("the time that a machine slept is no outage")
  func sleep() {
    var pulse = Pulse.started()
    #expect(pulse.tick(after: 9 * 3600) == ["beat t"])
    #expect(pulse.fail() == ["degraded"])
    let awake = pulse.now
    while !pulse.heartbeat.isEnded { _ = pulse.tickAtDeadline() + pulse.fail() }
    #expect(pulse.now == awake - 15 + 600)
  }

  @Test("nor is the time that it slept in the middle of one")
  func sleepInOutage() {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline() + pulse.fail()
    #expect(pulse.tick(after: 7200) == ["beat t"])
    #expect(pulse.fail() == [])
    #expect(!pulse.heartbeat.isEnded)
    #expect(pulse.tickAtDeadline() == ["beat t"])
    #expect(pulse.tick(after: 7200) == [])
    #expect(pulse.tickAtDeadline() == ["beat t"])
    #expect(pulse.answer(200) == ["recovered"])
  }

  @Test("coming back to the front beats at once, but not twice")
  func refresh() {
    var pulse = Pulse.started()
    #expect(pulse.note(pulse.heartbeat.refresh(at: pulse.now + 1)) == ["beat t"])
    #expect(pulse.note(pulse.heartbeat.refresh(at: pulse.now + 1)) == [])
    #expect(pulse.answer(200) == [])
    var idle = Pulse()
    #expect(idle.note(idle.heartbeat.refresh(at: 0)) == [])
  }

  @Test(
    "a session that is gone is renewed, and the beat goes on with the new token",
    arguments: [
      (404, ""), (410, ""), (200, "{\"stop\":true,\"reason\":\"abandoned\"}"),
      (200, "{\"stop\":true,\"reason\":\"ended\"}"), (200, "{\"stop\":true}"),
    ])
  func renewal(status: Int, body: String) {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(status, body) == ["renew"])
    #expect(pulse.renewed("u", seconds: 20) == [])
    #expect(pulse.wait == 20)
    #expect(pulse.tickAtDeadline() == ["beat u"])
  }

  @Test("a renewal that is refused ends the session; one that found no network is tried again")
  func failedRenewal() {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline() + pulse.answer(404)
    var refused = pulse
    #expect(
      refused.note(
        refused.heartbeat.renewalFailed(refused.number, end: .unauthorized, reason: "", at: refused.now))
        == ["ended unauthorized"])
    #expect(
      pulse.note(pulse.heartbeat.renewalFailed(pulse.number, end: nil, reason: "x", at: pulse.now))
        == ["degraded"])
    #expect(pulse.tickAtDeadline() == ["renew"])
    #expect(pulse.renewed("u") == ["recovered"])
    var lost = Pulse.started(grace: 0)
    _ = lost.tickAtDeadline() + lost.answer(404)
    #expect(
      lost.note(lost.heartbeat.renewalFailed(lost.number, end: nil, reason: "x", at: lost.now))
        == ["degraded", "ended gone"])
  }

  @Test("a renewal without a token fails closed")
  func renewalWithoutToken() {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline() + pulse.answer(404)
    #expect(pulse.renewed("") == ["ended unauthorized"])
  }

  @Test("sessions that are gone one after the other are not renewed for ever")
  func endlessRenewal() {
    var pulse = Pulse.started()
    for _ in 0..<3 {
      _ = pulse.tickAtDeadline()
      #expect(pulse.answer(404) == ["renew"])
      _ = pulse.renewed("u")
    }
    _ = pulse.tickAtDeadline()
    #expect(pulse.answer(404) == ["ended gone"])
  }

  @Test("after a stop nothing counts: no answer, no renewal, no time")
  func stop() {
    var pulse = Pulse.started()
    _ = pulse.tickAtDeadline()
    pulse.heartbeat.stop()
    pulse.heartbeat.stop()
    #expect(pulse.answer(402) + pulse.fail() + pulse.tick(after: 1000) + pulse.renewed("u") == [])
    #expect(pulse.heartbeat.start(at: 0) == [])
    #expect(pulse.heartbeat.nextDeadline == nil)
  }
}
