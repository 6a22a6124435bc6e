import Testing
import YoobNet

@testable import YoobServer

@Suite("Request guard")
struct RequestGuardTests {
  private func allows(
    _ host: String?, origin: String? = nil, serving: String = "127.0.0.1", port: Int = 8787,
    isSecure: Bool = false, origins: [String] = []
  ) -> Bool {
    var request = HTTPRequest(path: "/")
    request.headers["host"] = host
    request.headers["origin"] = origin
    return RequestGuard(
      host: serving, port: port, isSecure: isSecure, origins: origins.compactMap { WebOrigin($0) }
    ).allows(request)
  }

  @Test(
    "this machine's names with the server's port are served",
    arguments: ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
  func ownNames(name: String) {
    #expect(allows("\(name):8787"))
    #expect(allows("\(name):8787", origin: "http://\(name):8787"))
  }

  @Test(
    "other hosts are refused",
    arguments: [
      nil, "", "localhost", "127.0.0.1:80", "evil.example:8787", "127.0.0.1.evil.example:8787",
      "evil.example",
      "localhost:8787@evil.example", "127.0.0.2:8787", "0.0.0.0:8787",
    ])
  func foreignHosts(host: String?) {
    #expect(!allows(host))
  }

  @Test(
    "other origins are refused",
    arguments: [
      "null", "https://evil.example", "http://localhost", "http://localhost:1", "https://localhost:8787",
      "http://localhost:8787.evil.example", "file://",
    ])
  func foreignOrigins(origin: String) {
    #expect(!allows("localhost:8787", origin: origin))
  }

  @Test("the scheme's own port may be left out")
  func defaultPorts() {
    #expect(allows("localhost", origin: "http://localhost", port: 80))
    #expect(allows("localhost", origin: "https://localhost", port: 443, isSecure: true))
  }

  @Test("a server for others accepts any host, but no other site's page")
  func publicServer() {
    #expect(allows("luna.example", serving: "0.0.0.0"))
    #expect(allows("luna.example", origin: "http://luna.example", serving: "0.0.0.0"))
    #expect(!allows("luna.example", origin: "http://evil.example", serving: "0.0.0.0"))
  }

  @Test(
    "a website that is named is served, in either place of its port",
    arguments: [
      ("https://luna.example", "https://luna.example"), ("https://LUNA.example:443/", "https://luna.example"),
      ("http://localhost:5173", "http://localhost:5173"), ("http://[::1]:5173", "http://[::1]:5173"),
    ])
  func namedOrigin(name: String, sent: String) {
    #expect(allows("127.0.0.1:8787", origin: sent, origins: ["https://other.example", name]))
    #expect(allows("luna.example", origin: sent, serving: "0.0.0.0", origins: [name]))
    #expect(!allows("127.0.0.1:8787", origin: sent))
    #expect(!allows("127.0.0.1:8787", origin: sent + ".evil.example", origins: [name]))
    #expect(!allows("127.0.0.1:8787", origin: "null", origins: [name]))
  }

  @Test("a reverse proxy may keep the name of a website that is named, and no other")
  func proxied() {
    let origins = ["https://luna.example"]
    #expect(allows("luna.example", origin: "https://luna.example", origins: origins))
    #expect(allows("luna.example:443", origins: origins))
    #expect(!allows("luna.example:8787", origins: origins))
    #expect(!allows("evil.example", origin: "https://luna.example", origins: origins))
  }

  @Test(
    "what is no website's address is no origin",
    arguments: [
      "", "*", "null", "luna.example", "ftp://luna.example", "https://", "https://*",
      "https://luna.example/page", "https://luna.example?a", "https://me@luna.example",
      "https://luna.example:",
      "https://luna.example:0", "https://luna.example:99999", "https://luna.example:0443", "https://[::1",
      "https://[::1]x", "https://.",
      "https://grüße.example", "https://a b",
    ])
  func noOrigin(text: String) {
    #expect(WebOrigin(text) == nil)
  }

  @Test(
    "loopback addresses",
    arguments: [
      ("127.0.0.1", true), ("127.9.9.9", true), ("localhost", true), ("::1", true), ("0.0.0.0", false),
      ("::", false),
      ("127.0.0.1.evil.example", false), ("127.evil", false), ("10.0.0.1", false), ("127.0.0.256", false),
    ])
  func loopback(host: String, expected: Bool) {
    #expect(RequestGuard.isLoopback(host) == expected)
  }

  @Test(
    "the client's key",
    arguments: [
      (["authorization": "Bearer abc"], "abc"), (["authorization": "bearer ek_1"], "ek_1"),
      (["authorization": "Basic abc"], nil),
      (["sec-websocket-protocol": "realtime, openai-insecure-api-key.k"], "k"),
      (["sec-websocket-protocol": "yoob-voice-grant.t,realtime"], "t"),
      (["sec-websocket-protocol": "realtime"], nil),
      ([:], nil),
    ] as [(HTTPHeaders, String?)])
  func keys(headers: HTTPHeaders, key: String?) {
    #expect(Router.key(of: HTTPRequest(path: "/", headers: headers)) == key)
  }
}
