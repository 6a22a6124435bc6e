import Testing
import YoobNet
import YoobWire

@testable import TokenServerCore

@Suite("A token server's provider")
struct TokenUpstreamTests {
  @Test(
    "a refusal's status is passed on, in the server's own words",
    arguments: [400, 401, 402, 403, 404, 409, 422, 429, 500, 503, 529])
  func refused(status: Int) async throws {
    let bench = try await TokenBench()
    bench.answer.withLock {
      $0 = { _ in
        var response = HTTPResponse.json(#"{"error":"their words","code":"quota_exceeded"}"#, status: status)
        response.headers["retry-after"] = "7"
        return response
      }
    }
    for path in ["/yoob-session", "/yoob-voice", "/openai-secret", "/gemini-token"] {
      let response = try await bench.post(path)
      #expect(response.status == status)
      #expect(response.json?["code"] == (path.hasPrefix("/yoob") ? "quota_exceeded" : "upstream_refused"))
      #expect(!response.text.contains("their words"))
      #expect(response.headers["retry-after"] == "7")
      #expect(response.headers["www-authenticate"] == nil)
    }
    await bench.stop()
  }

  @Test("an account without credit is told to the app as such")
  func quota() async throws {
    let bench = try await TokenBench(
      answering: .json(#"{"error":"no","code":"quota_exceeded"}"#, status: 402))
    let response = try await bench.post("/yoob-voice")
    #expect(
      throws: ConversationFailure.outOfCredit(
        "The account has no voice credit left. Add credit, then start again.")
    ) {
      try VoiceGrant(json: response.body)
    }
    await bench.stop()
  }

  @Test(
    "an answer that is no grant is a failure",
    arguments: [
      "<html>Sign in</html>", "", "[]", "null", "{}", #"{"session_token":"","download_token":"d"}"#,
      #"{"session_token":7,"download_token":"d"}"#, #"{"session_token":"s"}"#,
    ])
  func noGrant(body: String) async throws {
    let bench = try await TokenBench(answering: .text(body, type: "text/html"))
    let response = try await bench.post("/yoob-session")
    #expect(response.status == 502)
    #expect(response.json?["code"] == "upstream_failed")
    await bench.stop()
  }

  @Test("a redirect is not followed", arguments: [301, 302, 307, 308])
  func redirect(status: Int) async throws {
    let bench = try await TokenBench()
    bench.answer.withLock {
      $0 = { request in
        guard request.path == "/api/v1/avatar/sessions" else { return .json("{}") }
        var response = HTTPResponse.text("", status: status)
        response.headers["location"] = "/elsewhere"
        return response
      }
    }
    #expect(try await bench.post("/yoob-session").status == 502)
    #expect(bench.asked.withLock { $0.count } == 1)
    await bench.stop()
  }

  @Test("an answer without end is cut off")
  func oversized() async throws {
    let bench = try await TokenBench(
      answering: .json(
        #"{"session_token":"\#(String(repeating: "s", count: 300_000))","download_token":"d"}"#))
    let response = try await bench.post("/yoob-session")
    #expect(response.status == 502)
    #expect(response.text.contains("too large"))
    await bench.stop()
  }

  private struct Failing: HTTPClient {
    var error: NetError
    func stream(
      _ request: HTTPClientRequest, onHead: @escaping @Sendable (Int, HTTPHeaders) -> Bool,
      receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(NetError) {
      #expect(request.totalTimeout <= 15 && request.connectTimeout <= 5 && request.maxRedirects == 0)
      throw error
    }
  }

  @Test(
    "a provider that cannot be reached is a failure, without its address",
    arguments: [
      NetError.timedOut(host: "p.example", .waiting, seconds: 10), .refused(host: "p.example"),
      .nameNotFound(host: "p.example"), .tls(host: "p.example", reason: "sk-openai-secret"),
      .closedEarly(host: "p.example"), .failed(host: "p.example", reason: "sk-openai-secret"), .cancelled,
    ])
  func unreachable(error: NetError) async throws {
    let bench = try await TokenBench(client: Failing(error: error))
    let response = try await bench.post("/openai-secret")
    #expect(response.status == 502)
    #expect(!response.text.contains("p.example") && !response.text.contains("secret"))
    await bench.stop()
  }

  /// A provider that answers when it is told to.
  private final class Slow: Sendable {
    let begun = AsyncStream<Void>.makeStream()
    let gate = AsyncStream<Void>.makeStream()

    func answer() async -> HTTPResponse {
      begun.continuation.yield()
      for await _ in gate.stream { break }
      return .json(#"{"session_token":"s","download_token":"d"}"#)
    }
  }

  @Test("a provider that does not answer is given up")
  func stalls() async throws {
    let slow = Slow()
    let bench = try await TokenBench { settings, _ in settings.providerSeconds = 0.3 }
    bench.answer.withLock { $0 = { _ in await slow.answer() } }
    let response = try await bench.post("/gemini-token")
    #expect(response.status == 502)
    #expect(response.text.contains("took too long"))
    slow.gate.continuation.finish()
    await bench.stop()
  }

  @Test("more requests at once than the limit are told to wait")
  func busy() async throws {
    let slow = Slow()
    let bench = try await TokenBench { settings, _ in settings.maximumRequests = 1 }
    bench.answer.withLock { $0 = { _ in await slow.answer() } }
    async let first = bench.post("/yoob-session")
    for await _ in slow.begun.stream { break }
    let second = try await bench.post("/yoob-session")
    #expect(second.status == 503)
    #expect(second.json?["code"] == "busy")
    #expect(second.headers["retry-after"] == "1")
    slow.gate.continuation.finish()
    #expect(try await first.status == 200)
    await bench.stop()
  }

  @Test("a server that stops answers what is at work first, and serves nobody else")
  func stops() async throws {
    let slow = Slow()
    let bench = try await TokenBench { _, environment in environment.patience = 600 }
    bench.answer.withLock { $0 = { _ in await slow.answer() } }
    async let first = bench.post("/yoob-session")
    for await _ in slow.begun.stream { break }
    async let stop: Void = bench.server.stop()
    while (try? await bench.post("/livekit-token")) != nil { await Task.yield() }
    slow.gate.continuation.finish()
    #expect(try await first.status == 200)
    await stop
    await #expect(throws: NetError.self) { try await bench.post("/livekit-token") }
    #expect(bench.lines.withLock { $0.last?.contains(" POST /yoob-session 200 ") } == true)
    await bench.stop()
  }

  @Test("what is at work when the patience is over is answered with 503, and is one line of the log")
  func impatient() async throws {
    let slow = Slow()
    let bench = try await TokenBench { _, environment in environment.patience = 0.1 }
    bench.answer.withLock { $0 = { _ in await slow.answer() } }
    async let first = bench.post("/yoob-session")
    for await _ in slow.begun.stream { break }
    await bench.server.stop()
    let response = try await first
    #expect(response.status == 503)
    #expect(response.json?["code"] == "stopping")
    #expect(response.headers["cache-control"] == "no-store")
    slow.gate.continuation.finish()
    await bench.stop()
    let lines = bench.lines.withLock { $0 }
    #expect(lines.count == 1)
    #expect(lines[0].hasSuffix(" POST /yoob-session 503 - ms user=-: stopping"))
  }
}
