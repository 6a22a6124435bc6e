import Testing
import YoobNet
import YoobWire

@testable import YoobServer

@Suite("Voice server")
struct VoiceServerTests {
  @Test("the demo listens on this machine only", arguments: ["0.0.0.0", "192.168.0.2", "::"])
  func demoHost(host: String) {
    var configuration = VoiceServerConfiguration()
    configuration.isDemo = true
    configuration.host = host
    #expect(throws: VoiceServerError.demoNeedsLoopback(host: host)) {
      try VoiceServer(configuration) { _ in throw CancellationError() }
    }
  }

  @Test("a web folder that is missing is named")
  func missingFolder() {
    var configuration = VoiceServerConfiguration()
    configuration.webRoot = "/nowhere"
    #expect(throws: VoiceServerError.missingFolder(path: "/nowhere")) {
      try VoiceServer(configuration) { _ in throw CancellationError() }
    }
  }

  private func router(_ change: (inout VoiceServerConfiguration) -> Void = { _ in }) throws -> Router {
    var configuration = VoiceServerConfiguration()
    change(&configuration)
    let router = try Router(configuration, readiness: Readiness())
    router.guards(port: 8787)
    return router
  }

  private func request(_ path: String, _ headers: HTTPHeaders = [:]) -> HTTPRequest {
    var request = HTTPRequest(path: path, headers: headers)
    request.headers["host"] = "localhost:8787"
    return request
  }

  @Test("every answer carries the security headers, refusals too")
  func securityHeaders() async throws {
    let router = try router()
    for request in [request("/healthz"), request("/nothing"), HTTPRequest(path: "/")] {
      let response = await router.respond(to: request)
      #expect(response.headers["content-security-policy"]?.contains("default-src 'self'") == true)
      #expect(response.headers["x-content-type-options"] == "nosniff")
    }
  }

  @Test("a WebSocket that is refused carries them too")
  func webSocketHeaders() throws {
    let router = try router()
    for (request, status) in [
      (request("/v1/realtime"), 401), (request("/other"), 404), (HTTPRequest(path: "/v1/realtime"), 403),
    ] {
      let response = try #require(router.refusal(ofWebSocket: request))
      #expect(response.status == status)
      #expect(response.headers["content-security-policy"]?.contains("default-src 'self'") == true)
    }
  }

  @Test("what the HTTP server does not let in carries them too")
  func refusalHeaders() throws {
    let response = try router().answer(to: HTTPRefusal(status: 400, code: "bad_request", message: "No."))
    #expect(response.status == 400)
    #expect(response.headers["content-security-policy"]?.contains("default-src 'self'") == true)
    #expect(response.headers["x-content-type-options"] == "nosniff")
  }

  @Test("outside of the demo a key is needed")
  func keys() throws {
    let router = try router { $0.accepts = { $0 == "right" } }
    let path = Router.realtimePath
    #expect(router.refusal(ofWebSocket: request(path))?.status == 401)
    #expect(router.refusal(ofWebSocket: request(path, ["authorization": "Bearer wrong"]))?.status == 401)
    #expect(router.refusal(ofWebSocket: request(path, ["authorization": "Bearer right"])) == nil)
  }

  @Test("in the demo any key will do, at one path, for this machine's own pages")
  func demo() throws {
    let router = try router { $0.isDemo = true }
    #expect(router.refusal(ofWebSocket: request(Router.realtimePath)) == nil)
    #expect(router.refusal(ofWebSocket: request("/other"))?.status == 404)
    let foreign = request(Router.realtimePath, ["origin": "https://evil.example"])
    #expect(router.refusal(ofWebSocket: foreign)?.status == 403)
  }

  @Test("a page of a website that is named may talk and read, and no other")
  func namedOrigin() async throws {
    let router = try router {
      $0.isDemo = true
      $0.origins = [WebOrigin("https://luna.example")].compactMap(\.self)
    }
    for (origin, status) in [("https://luna.example", 200), ("https://evil.example", 403)] {
      let headers: HTTPHeaders = ["origin": origin]
      let refusal = router.refusal(ofWebSocket: request(Router.realtimePath, headers))
      #expect(refusal?.status == (status == 200 ? nil : 403))
      let response = await router.respond(to: request("/healthz", headers))
      #expect(response.status == status)
      #expect(response.headers["access-control-allow-origin"] == (status == 200 ? origin : nil))
    }
    let own = await router.respond(to: request("/healthz"))
    #expect(own.headers["access-control-allow-origin"] == nil)
    #expect(own.headers["vary"] == "Origin")
  }

  @Test("a plain request to the voice server is told to upgrade")
  func upgrade() async throws {
    #expect(await (try router()).respond(to: request(Router.realtimePath)).status == 426)
  }

  @Test("health follows the models")
  func health() async throws {
    let readiness = Readiness()
    let router = try Router(VoiceServerConfiguration(), readiness: readiness)
    router.guards(port: 8787)
    func body() async -> String {
      guard case .bytes(let bytes) = await router.respond(to: request("/healthz")).body else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(await body() == #"{"status":"starting"}"#)
    await readiness.set(.failed("No model."))
    #expect(await body() == #"{"status":"failed","message":"No model."}"#)
    await readiness.set(.ready)
    #expect(await body() == #"{"status":"ready"}"#)
  }

  @Test("who waits for the models goes on when they are there, and fails when they are not")
  func readiness() async throws {
    let readiness = Readiness()
    let waiter = Task { try await readiness.wait() }
    await readiness.set(.ready)
    try await waiter.value
    await readiness.set(.failed("No model."))
    await #expect(throws: Readiness.Failure.self) { try await readiness.wait() }
  }

  @Test("who waits for the models may give up")
  func cancelledWait() async {
    let readiness = Readiness()
    let waiter = Task { try await readiness.wait() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test("places are given, refused and given on")
  func slots() async {
    let slots = ConversationSlots(limit: 1)
    #expect(await slots.take(within: .zero))
    #expect(await !slots.take(within: .zero))
    let waiting = Task { await slots.take(within: .seconds(600)) }
    await slots.release()
    #expect(await waiting.value)
    #expect(await !slots.take(within: .zero))
    await slots.release()
    #expect(await slots.take(within: .zero))
  }
}
