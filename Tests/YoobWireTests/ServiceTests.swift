import Testing
import VoiceAudio

@testable import YoobWire

@Suite("Yoob API")
struct ServiceTests {
  private func grant(_ json: String) throws -> SessionGrant { try SessionGrant(json: Array(json.utf8)) }

  @Test("a session is read in snake case and in camel case")
  func spellings() throws {
    let snake = try grant(
      #"{"session_token":"s","download_token":"yg1.d","heartbeat_seconds":15,"api_base":"https://a.example","#
        + #""cdn_base":"http://127.0.0.1:8787","signing_keys":{"k":"AAAA"}}"#)
    let camel = try grant(
      #"{"sessionToken":"s","downloadToken":"yg1.d","heartbeatSeconds":15,"apiBase":"https://a.example","#
        + #""cdnBase":"http://127.0.0.1:8787","signingKeys":{"k":"AAAA"}}"#)
    #expect(snake == camel)
    #expect(snake.heartbeatSeconds == 15)
    #expect(snake.signingKeys == ["k": "AAAA"])
    #expect(snake.cdnBase == "http://127.0.0.1:8787")
  }

  @Test(
    "the heartbeat is 30 seconds where nothing is said, and 5 at least",
    arguments: [
      ("", 30), (",\"heartbeat_seconds\":1", 5), (",\"heartbeat_seconds\":null", 30),
      (",\"heartbeat_seconds\":7.9", 7), (",\"heartbeat_seconds\":\"20\"", 20),
      (",\"heartbeat_seconds\":-1e300", 30),
    ])
  func heartbeatSeconds(member: String, seconds: Int) throws {
    let grant = try grant("{\"session_token\":\"s\",\"download_token\":\"d\"\(member)}")
    #expect(grant.heartbeatSeconds == seconds)
  }

  @Test("a refusal says why")
  func refusal() {
    #expect(throws: SessionGrantError.refused(code: "out_of_credits", message: "No credit.")) {
      try grant(#"{"error":"No credit.","code":"out-of-credits"}"#)
    }
  }

  @Test(
    "what is no session is refused",
    arguments: [
      "", "null", "[]", "{}", #"{"session_token":"s"}"#, #"{"session_token":"","download_token":"d"}"#,
      #"{"session_token":"s","download_token":"d","api_base":"http://a.example"}"#,
      #"{"session_token":"s","download_token":"d","cdn_base":"https://u:p@a.example"}"#,
      #"{"session_token":"s","download_token":"d","cdn_base":"ftp://a.example"}"#,
    ])
  func unreadable(json: String) {
    #expect(throws: SessionGrantError.self) { try grant(json) }
  }

  @Test("a voice session is read")
  func voice() throws {
    let json = """
      {"voice_session_id":"v","voice_token":"yv1.t","url":"wss://voice.example/v1/realtime?model=m","model":"m",
      "max_seconds":1800,"credits_per_minute":5.5,"expires_at":"2026-11-30T20:00:00Z"}
      """
    let voice = try VoiceGrant(json: Array(json.utf8))
    #expect(voice.voiceToken == "yv1.t" && voice.id == "v" && voice.model == "m")
    #expect(voice.maxSeconds == 1800 && voice.creditsPerMinute == 5.5)
    #expect(voice.expiresAt == 1_796_068_800)
    let endpoint = try RealtimeEndpoint(grant: voice, hosts: ["voice.example"])
    #expect(endpoint.headers["Authorization"] == "Bearer yv1.t")
    #expect(endpoint.subprotocols == ["realtime"])
    #expect(throws: ConversationFailure.self) { try RealtimeEndpoint(grant: voice, hosts: ["other.example"]) }
  }

  @Test(
    "an error's body is no voice session, and says which failure it is",
    arguments: [
      (#"{"error":"x","code":"quota_exceeded"}"#, "out of credit"),
      (#"{"code":"quota_exceeded"}"#, "out of credit"),
      (#"{"error":"x"}"#, "unauthorized"), (#"{"code":"other"}"#, "unauthorized"), ("{}", "voice 0"),
      ("oops", "voice 0"), (#"{"voice_token":"t"}"#, "voice 0"),
    ])
  func voiceErrors(json: String, kind: String) {
    let failure = #expect(throws: ConversationFailure.self) { try VoiceGrant(json: Array(json.utf8)) }
    #expect(failure?.kind == kind)
  }

  @Test(
    "sockets are opened at allowed hosts only",
    arguments: [
      ("wss://voice.example/x?y", true), ("wss://VOICE.example:443/x", true), ("wss://a.sub.example", true),
      ("wss://sub.example", false), ("wss://evilsub.example", false), ("ws://voice.example", false),
      ("ws://127.0.0.1:8787/v1", true), ("ws://localhost:1", true), ("ws://[::1]:1/x", true),
      ("wss://user@voice.example", false), ("wss://voice.example@evil.example", false),
      ("wss://voice.example.evil.example", false), ("https://voice.example", false), ("wss://", false),
      ("", false),
      ("wss://voice.example:x", false), ("wss://voice.example\\@evil.example", false),
      ("ws://127.0.0.1.evil.example", false), ("wss://voice.example%2eevil", false), ("ws://127.evil", false),
    ])
  func allowedHosts(url: String, isAllowed: Bool) {
    #expect(VoiceURL.isAllowed(url, hosts: ["voice.example", "*.sub.example", "127.0.0.1"]) == isAllowed)
  }

  @Test(
    "this machine is allowed in the clear only where it is named",
    arguments: ["localhost", "::1", "127.0.0.1"])
  func loopback(host: String) {
    #expect(VoiceURL.isAllowed("ws://127.0.0.1:8787/v1/realtime", hosts: [host]))
    #expect(!VoiceURL.isAllowed("ws://127.0.0.1:8787/v1/realtime", hosts: ["voice.example"]))
  }

  @Test(
    "times are numbers or ISO 8601",
    arguments: [
      ("0", 0), ("1796068800", 1_796_068_800), ("1796068800500", 1_796_068_800.5),
      ("\"2026-11-30T20:00:00Z\"", 1_796_068_800), ("\"2026-11-30T21:00:00.25+01:00\"", 1_796_068_800.25),
      ("\"2024-02-29T00:00:00Z\"", 1_709_164_800), ("\"1969-12-31T23:59:59Z\"", -1), ("\"tomorrow\"", nil),
      ("\"2026-13-30T20:00:00Z\"", nil), ("\"2026-11-30T20:00:00\"", nil), ("true", nil),
    ] as [(String, Double?)])
  func times(json: String, seconds: Double?) {
    let reply = HeartbeatReply(json: Array("{\"grant_expires_at\":\(json)}".utf8))
    #expect(reply?.downloadTokenExpiresAt == seconds)
  }

  @Test("the start of the meter is read, and its refusals are understood")
  func start() {
    let reply = SessionStartReply(
      json: Array(
        #"{"metered_from":1796068800,"max_session_seconds":300,"sandbox":true,"balance_usd":1.5,"balance_low":true}"#
          .utf8))
    #expect(reply?.maxSeconds == 300 && reply?.isSandbox == true && reply?.isBalanceLow == true)
    #expect(reply?.balanceUSD == 1.5 && reply?.meteredFrom == 1_796_068_800)
    let verdict: (String) -> ServiceVerdict = {
      ServiceVerdict(status: 403, body: Array("{\"error\":\"x\",\"code\":\"\($0)\"}".utf8))
    }
    #expect(verdict("quota_exceeded") == .over(.outOfCredit))
    #expect(verdict("monthly_cap_reached") == .over(.outOfCredit))
    #expect(verdict("sandbox_limit") == .over(.ended(reason: "sandbox-limit")))
    #expect(verdict("suspended") == .over(.ended(reason: "suspended")))
    #expect(verdict("key_revoked") == .over(.unauthorized))
    #expect(ServiceVerdict(status: 410, body: []) == .gone)
  }

  @Test("2,000 random and damaged answers never crash a reader", arguments: 0..<2)
  func fuzz(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let names = [
      "session_token", "download_token", "voice_token", "url", "heartbeat_seconds", "stop", "reason", "code",
      "error",
      "grant_expires_at", "signing_keys", "api_base", "max_seconds",
    ]
    for _ in 0..<2000 {
      var object = JSONObject()
      for name in names where Bool.random(using: &random) { object[name] = .random(depth: 2, &random) }
      var bytes = Array(JSONValue.object(object).text.utf8)
      if Bool.random(using: &random), !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let grant = try? SessionGrant(json: bytes) { #expect(grant.heartbeatSeconds >= 5) }
      _ = try? VoiceGrant(json: bytes)
      _ = SessionStartReply(json: bytes)
      var heartbeat = Heartbeat(token: "t", seconds: 5, seed: seed)
      _ = heartbeat.start(at: 0) + heartbeat.tick(at: 5)
      let status = [200, 401, 402, 404, 500].randomElement(using: &random) ?? 200
      #expect(heartbeat.answered(1, status: status, body: bytes, at: 5).count <= 2)
    }
  }
}
