import Testing
import YoobNet
import YoobWire

@testable import TokenServerCore

@Suite("The token server's duties")
struct TokenDutyTests {
  static let paths = TokenRoute.allCases.map(\.rawValue)
  private static let session = HTTPResponse.json(#"{"session_token":"s","download_token":"d"}"#)

  @Test("without a token of users everybody is refused, on every route", arguments: paths)
  func failsClosed(path: String) async throws {
    let bench = try await TokenBench(["YOOB_EXAMPLE_TOKEN": nil])
    for headers in [[], [(name: "Authorization", value: "Bearer \(TokenBench.token)")]] {
      let response = try await bench.post(path, nil, headers)
      #expect(response.status == 401)
      #expect(response.json?["code"] == "unauthorized")
      #expect(response.headers["www-authenticate"] == "Bearer")
    }
    #expect(bench.asked.withLock { $0.isEmpty })
    await bench.stop()
  }

  @Test(
    "a wrong token is refused",
    arguments: [
      "", "Bearer", "Bearer ", "Bearer x", "Basic 0123456789abcdef", "Bearer 0123456789abcdef0",
      "Bearer 0123456789abcde", "Bearer 0123456789abcdef x", "0123456789abcdef",
      "Bearer ada:0123456789abcdef",
    ])
  func wrongToken(field: String) async throws {
    let bench = try await TokenBench()
    #expect(try await bench.post("/yoob-session", nil, [("Authorization", field)]).status == 401)
    #expect(bench.asked.withLock { $0.isEmpty })
    await bench.stop()
  }

  @Test("anonymous users are let in where that is asked for, on this machine only")
  func anonymous() async throws {
    let bench = try await TokenBench(
      ["YOOB_EXAMPLE_TOKEN": nil, "YOOB_EXAMPLE_ALLOW_ANONYMOUS": "1"], answering: Self.session)
    #expect(try await bench.post("/yoob-session", nil, []).status == 200)
    await bench.stop()
    var settings = TokenServerSettings()
    settings.authenticator = AnonymousAuthenticator()
    settings.host = "0.0.0.0"
    #expect(throws: TokenServerSettingsError.self) { try TokenServer(settings) }
  }

  @Test("a program's own check of users takes the place of the tokens")
  func ownAuthenticator() async throws {
    struct Cookies: Authenticator {
      func user(of request: HTTPRequest) async -> String? {
        request.headers["cookie"] == "id=7" ? "seven" : nil
      }
    }
    let bench = try await TokenBench(answering: Self.session) { settings, _ in
      settings.authenticator = Cookies()
    }
    #expect(try await bench.post("/yoob-session", nil, [("Cookie", "id=7")]).status == 200)
    #expect(try await bench.post("/yoob-session").status == 401)
    #expect(bench.lines.withLock { $0.first?.hasSuffix("user=seven") } == true)
    await bench.stop()
  }

  @Test(
    "a character that is not on the list is refused",
    arguments: [
      #""moon""#, #""*""#, #""""#, "7", #"["luna"]"#, #"{"id":"luna"}"#, #""Luna""#, #""luna ""#, "true",
    ])
  func foreignCharacter(value: String) async throws {
    let bench = try await TokenBench()
    let response = try await bench.post("/yoob-session", #"{"character":\#(value)}"#)
    #expect(response.status == 403)
    #expect(response.json?["code"] == "character_not_allowed")
    #expect(bench.asked.withLock { $0.isEmpty })
    await bench.stop()
  }

  @Test("what a client writes reaches no provider")
  func ownBody() async throws {
    let bench = try await TokenBench(
      answering: .json(
        #"{"session_token":"s","download_token":"d","voice_token":"v","url":"wss://x","value":"ek","name":"n"}"#
      ))
    let body =
      #"{"character":"luna","characters":["*"],"voice":"evil","instructions":"evil","model":"evil","uses":99,"max_seconds":99999,"session":{"model":"evil"},"expires_after":{"seconds":7200}}"#
    for path in Self.paths where path != "/livekit-token" {
      #expect(try await bench.post(path, body).status == 200)
      let text = try bench.lastAsked().body.text
      #expect(!text.contains("evil") && !text.contains("99") && !text.contains("*") && !text.contains("7200"))
    }
    await bench.stop()
  }

  @Test("ten requests a minute and user; another user, and the next minute, have their own")
  func rateLimit() async throws {
    let bench = try await TokenBench(["YOOB_RATE_LIMIT": nil], answering: Self.session)
    let bob = [(name: "Authorization", value: "Bearer fedcba9876543210")]
    for _ in 0..<10 { #expect(try await bench.post("/yoob-session").status == 200) }
    bench.now.withLock { $0 += 45.5 }
    let refused = try await bench.post("/yoob-session")
    #expect(refused.status == 429)
    #expect(refused.headers["retry-after"] == "15")
    #expect(refused.json?["code"] == "rate_limited")
    #expect(try await bench.post("/yoob-session", nil, bob).status == 200)
    #expect(bench.asked.withLock { $0.count } == 11)
    bench.now.withLock { $0 += 14.5 }
    #expect(try await bench.post("/yoob-session").status == 200)
    await bench.stop()
  }

  @Test("a limiter counts in fixed windows, lives with a clock that is set back, and is bounded")
  func limiter() {
    var limiter = RateLimiter(limit: 2)
    #expect(limiter.take("a", at: 100) == nil)
    #expect(limiter.take("a", at: 159) == nil)
    #expect(limiter.take("a", at: 159.5) == 0.5)
    #expect(limiter.take("a", at: 160) == nil)
    #expect(limiter.take("a", at: 10) == nil)
    var full = RateLimiter(limit: 2)
    for user in 0..<RateLimiter.maximumUsers { #expect(full.take("\(user)", at: 0) == nil) }
    #expect(full.take("new", at: 1) == 60)
    #expect(full.take("7", at: 1) == nil)
    #expect(full.take("new", at: 60) == nil)
  }

  @Test("16 KiB are taken, one byte more is not")
  func size() async throws {
    let bench = try await TokenBench(answering: Self.session)
    let padding = String(repeating: "x", count: (16 << 10) - 10)
    #expect(try await bench.post("/yoob-session", #"{"pad":""# + padding + #""}"#.dropFirst(0)).status == 200)
    #expect(try await bench.post("/yoob-session", #"{"pad":"x"# + padding + #""}"#).status == 413)
    #expect(bench.asked.withLock { $0.count } == 1)
    await bench.stop()
  }

  @Test(
    "a body that is no object is refused",
    arguments: ["[]", "7", "null", "{", "\u{0}", #""luna""#, "character=luna"])
  func noObject(body: String) async throws {
    let bench = try await TokenBench()
    #expect(try await bench.post("/yoob-voice", body).status == 400)
    #expect(bench.asked.withLock { $0.isEmpty })
    await bench.stop()
  }

  @Test("an answer is stored nowhere, whatever it says")
  func noStore() async throws {
    let bench = try await TokenBench(answering: Self.session)
    let answers = [
      try await bench.post("/yoob-session"), try await bench.post("/yoob-session", nil, []),
      try await bench.post("/nowhere"), try await bench.post("/livekit-token"),
      try await bench.post("/yoob-session", method: "GET"),
    ]
    #expect(answers.map(\.status) == [200, 401, 404, 200, 405])
    #expect(answers.last?.headers["allow"] == "POST")
    for answer in answers {
      #expect(answer.headers["cache-control"] == "no-store")
      #expect(answer.headers["access-control-allow-origin"] == nil)
      #expect(answer.headers["x-content-type-options"] == "nosniff")
    }
    await bench.stop()
  }

  @Test("pages of named websites may ask and read, others may not")
  func origins() async throws {
    let bench = try await TokenBench(["YOOB_EXAMPLE_ORIGINS": "https://app.example"], answering: Self.session)
    let bearer = (name: "Authorization", value: "Bearer \(TokenBench.token)")
    for origin in ["https://app.example", bench.address] {
      let response = try await bench.post("/yoob-session", nil, [bearer, ("Origin", origin)])
      #expect(response.status == 200)
      #expect(response.headers["access-control-allow-origin"] == origin)
      #expect(response.headers["vary"] == "Origin")
      let preflight = try await bench.post("/yoob-session", nil, [("Origin", origin)], method: "OPTIONS")
      #expect(preflight.status == 204)
      #expect(preflight.headers["access-control-allow-methods"] == "POST")
      #expect(preflight.headers["access-control-allow-origin"] == origin)
    }
    for origin in [
      "https://evil.example", "null", "http://app.example", "https://app.example.evil", "http://localhost",
    ] {
      for method in ["POST", "OPTIONS"] {
        let response = try await bench.post(
          "/yoob-session", nil, [bearer, ("Origin", origin)], method: method)
        #expect(response.status == 403)
        #expect(response.headers["access-control-allow-origin"] == nil)
      }
    }
    #expect(bench.asked.withLock { $0.count } == 2)
    await bench.stop()
  }

  @Test("a route whose key is missing is off, and the log alone says which variable to set and what it is")
  func missingKeys() async throws {
    let bench = try await TokenBench([
      "YOOB_API_KEY": nil, "OPENAI_API_KEY": nil, "GEMINI_API_KEY": nil, "LIVEKIT_URL": nil,
      "LIVEKIT_API_KEY": nil, "LIVEKIT_API_SECRET": nil,
    ])
    let named = [
      "set YOOB_API_KEY, the key for the service", "set YOOB_API_KEY, the key for the service",
      "set OPENAI_API_KEY, the key of your OpenAI account",
      "set GEMINI_API_KEY, the key of your Gemini account",
      "LIVEKIT_API_SECRET, address and key of your LiveKit server",
    ]
    for (path, name) in zip(Self.paths, named) {
      let response = try await bench.post(path)
      #expect(response.status == 503)
      #expect(response.json?["code"] == "not_configured")
      #expect(!response.text.contains("_KEY"))
      let line = try #require(bench.lines.withLock { $0.last })
      #expect(line.contains(" POST \(path) 503 ") && line.contains(name))
    }
    #expect(bench.lines.withLock { $0.count } == Self.paths.count)
    await bench.stop()
  }

  @Test("each request is one line of the log, and no line and no refusal holds a key or a token")
  func log() async throws {
    let bench = try await TokenBench()
    let secrets = TokenBench.keys + [TokenBench.token, "fedcba9876543210", "in-the-query"]
    // A provider that quotes the key that it refuses.
    bench.answer.withLock {
      $0 = { request in
        let key = request.headers["authorization"] ?? "gm-gemini-secret"
        return .json(#"{"error":"Incorrect API key provided: \#(key)","code":"\#(key)"}"#, status: 401)
      }
    }
    for path in Self.paths + ["/yoob-session?token=in-the-query", "/in-the-query"] {
      let response = try await bench.post(path, #"{"character":"luna","key":"in-the-query"}"#)
      for secret in secrets { #expect(!response.text.contains(secret)) }
    }
    let lines = bench.lines.withLock { $0 }
    #expect(lines.count == 7)
    for line in lines {
      for secret in secrets { #expect(!line.contains(secret)) }
      #expect(!line.contains("\n"))
    }
    #expect(lines[0].contains(" POST /yoob-session 401 "))
    #expect(lines[0].hasSuffix(" user=ada"))
    #expect(lines[6].contains(" POST (other) 404 "))
    await bench.stop()
  }

  @Test("a secret shows itself in no text")
  func secret() throws {
    let secret = try #require(Secret("sk-hidden"))
    let settings = TokenServerSettings.Provider(base: "https://x", key: secret)
    for text in ["\(secret)", String(reflecting: secret), "\(settings)", String(reflecting: [settings])] {
      #expect(!text.contains("hidden"))
    }
  }
}
