import Testing
import YoobNet
import YoobWire

@testable import TokenServerCore

@Suite("The token server's routes")
struct TokenRouteTests {
  @Test("/yoob-session opens a session for the one character that was asked for, and passes the answer on")
  func session() async throws {
    let answer =
      #"{"session_token":"s","download_token":"yg1.d","heartbeat_seconds":15,"signing_keys":{"k":"a"}}"#
    let bench = try await TokenBench(answering: .json(answer))
    let response = try await bench.post("/yoob-session", #"{"character":"sol"}"#)
    #expect(response.status == 200)
    #expect(response.text == answer)
    let (request, body) = try bench.lastAsked()
    #expect(request.method == "POST")
    #expect(request.path == "/api/v1/avatar/sessions")
    #expect(request.headers["authorization"] == "Bearer yk_live_secret")
    #expect(request.headers["content-type"] == "application/json")
    // The service refuses keys that come with an Origin.
    #expect(request.headers["origin"] == nil)
    #expect(body == ["characters": ["sol"]])
    #expect(try SessionGrant(json: response.body).sessionToken == "s")
    await bench.stop()
  }

  @Test("a session without a named character is for the first of the list")
  func firstCharacter() async throws {
    let bench = try await TokenBench(answering: .json(#"{"session_token":"s","download_token":"d"}"#))
    for body in [nil, "{}", #"{"character":null}"#] {
      #expect(try await bench.post("/yoob-session", body).status == 200)
      #expect(try bench.lastAsked().body == ["characters": ["luna"]])
    }
    await bench.stop()
  }

  @Test("/yoob-voice opens a voice session with the server's voice, instructions and longest time")
  func voice() async throws {
    let answer = #"{"voice_session_id":"v","voice_token":"yv1.t","url":"wss://voice.example/v1/realtime"}"#
    let bench = try await TokenBench(
      [
        "YOOB_VOICE": "marin", "YOOB_VOICE_INSTRUCTIONS": "You are Luna.", "YOOB_VOICE_MAX_SECONDS": "900",
      ], answering: .json(answer, status: 201))
    let response = try await bench.post("/yoob-voice")
    #expect(response.status == 201)
    #expect(response.text == answer)
    let (request, body) = try bench.lastAsked()
    #expect(request.path == "/api/v1/voice/sessions")
    #expect(request.headers["authorization"] == "Bearer yk_live_secret")
    #expect(body == ["voice": "marin", "instructions": "You are Luna.", "max_seconds": 900])
    #expect(try VoiceGrant(json: response.body).voiceToken == "yv1.t")
    await bench.stop()
  }

  @Test("/openai-secret makes a secret for a minute, and keeps the instructions to itself")
  func openAI() async throws {
    let bench = try await TokenBench(
      ["OPENAI_VOICE": "marin", "OPENAI_INSTRUCTIONS": "You are Luna."],
      answering: .json(
        #"{"value":"ek_1","expires_at":1780000060,"session":{"instructions":"You are Luna."}}"#))
    let response = try await bench.post("/openai-secret")
    #expect(response.status == 200)
    #expect(response.text == #"{"value":"ek_1","expires_at":1780000060}"#)
    let (request, body) = try bench.lastAsked()
    #expect(request.path == "/v1/realtime/client_secrets")
    #expect(request.headers["authorization"] == "Bearer sk-openai-secret")
    #expect(
      body == [
        "expires_after": ["anchor": "created_at", "seconds": 60],
        "session": [
          "type": "realtime", "model": "gpt-realtime", "instructions": "You are Luna.",
          "audio": ["output": ["voice": "marin"]],
        ],
      ])
    await bench.stop()
  }

  @Test("/gemini-token makes a token for one connection, with model and settings locked")
  func gemini() async throws {
    let bench = try await TokenBench(
      ["GEMINI_VOICE": "Kore", "GEMINI_INSTRUCTIONS": "Be kind.", "GEMINI_MODEL": "models/gemini-3.8-live"],
      answering: .json(#"{"name":"auth_tokens/abc","secret":"x"}"#))
    let response = try await bench.post("/gemini-token")
    #expect(response.text == #"{"name":"auth_tokens/abc"}"#)
    let (request, body) = try bench.lastAsked()
    #expect(request.path == "/v1alpha/auth_tokens")
    #expect(request.headers["authorization"] == nil)
    // As google-genai 3.6.1 writes it for uses=1, live_connect_constraints and lock_additional_fields=[].
    #expect(
      body == [
        "uses": 1, "expireTime": "2026-05-28T20:56:40Z", "newSessionExpireTime": "2026-05-28T20:27:40Z",
        "bidiGenerateContentSetup": [
          "model": "models/gemini-3.8-live",
          "generationConfig": [
            "responseModalities": ["AUDIO"],
            "speechConfig": ["voiceConfig": ["prebuiltVoiceConfig": ["voiceName": "Kore"]]],
          ],
          "systemInstruction": ["parts": [["text": "Be kind."]], "role": "user"],
        ],
        "fieldMask": .string(
          "model,generationConfig.responseModalities,generationConfig.speechConfig,"
            + "systemInstruction.parts,systemInstruction.role"),
      ])
    await bench.stop()
  }

  @Test("/gemini-token locks the model also where nothing else is set")
  func geminiModelOnly() async throws {
    let bench = try await TokenBench(answering: .json(#"{"name":"auth_tokens/abc"}"#))
    #expect(try await bench.post("/gemini-token").status == 200)
    let body = try bench.lastAsked().body
    #expect(body["fieldMask"] == "model,generationConfig.responseModalities")
    #expect(body["bidiGenerateContentSetup"]?["model"] == "models/gemini-3.8-live")
    await bench.stop()
  }

  @Test("/livekit-token signs the right to join one room, and asks nobody")
  func liveKit() async throws {
    let bench = try await TokenBench()
    let response = try await bench.post("/livekit-token", #"{"room":"theirs","identity":"root"}"#)
    #expect(response.status == 200)
    let body = try #require(response.json)
    #expect(body["url"] == "wss://rooms.example")
    #expect(body["room"] == "yoob-id1")
    let parts = try #require(body["token"]?.string).split(separator: ".").map(String.init)
    #expect(parts.count == 3)
    let claims = try decoded(parts[1])
    #expect(claims["iss"] == "API1")
    #expect(claims["sub"] == "ada-id2")
    #expect(claims["nbf"] == 1_780_000_000)
    #expect(claims["exp"] == 1_780_000_060)
    #expect(
      claims["video"] == [
        "roomJoin": true, "room": "yoob-id1", "canPublish": true, "canPublishSources": ["microphone"],
        "canPublishData": false, "canSubscribe": true,
      ])
    #expect(bench.asked.withLock { $0.isEmpty })
    // Nobody gets into a room of somebody else, the same user a second time neither.
    let second = try #require(try await bench.post("/livekit-token").json)
    #expect(second["room"] == "yoob-id3")
    await bench.stop()
  }

  @Test("an agent can be sent to the room")
  func liveKitAgent() async throws {
    let bench = try await TokenBench(["LIVEKIT_AGENT": "luna"])
    let body = try #require(try await bench.post("/livekit-token").json)
    let claims = try decoded(try #require(body["token"]?.string).split(separator: ".").map(String.init)[1])
    #expect(claims["roomConfig"] == ["agents": [["agentName": "luna"]]])
    await bench.stop()
  }

  private func decoded(_ part: String) throws -> JSONValue {
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    return try JSONValue(parsing: try #require(Base64.decode(text)))
  }

  @Test("a token is what another implementation makes of the same claims")
  func vector() throws {
    // python3: hmac.new(b"lk-livekit-secret", signing input, "sha256").
    let secret = try #require(Secret("lk-livekit-secret"))
    let grant = LiveKitGrant(
      key: try #require(Secret("API1")), secret: secret, room: "yoob-id1", identity: "ada-id2", agent: nil)
    #expect(
      try grant.token(at: 1_780_000_000)
        == [
          "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
          "eyJpc3MiOiJBUEkxIiwic3ViIjoiYWRhLWlkMiIsImp0aSI6Inlvb2ItaWQxIiwibmJmIjoxNzgwMDAwMDAwLCJleH"
            + "AiOjE3ODAwMDAwNjAsInZpZGVvIjp7InJvb21Kb2luIjp0cnVlLCJyb29tIjoieW9vYi1pZDEiLCJjYW5QdWJsaXNo"
            + "Ijp0cnVlLCJjYW5QdWJsaXNoU291cmNlcyI6WyJtaWNyb3Bob25lIl0sImNhblB1Ymxpc2hEYXRhIjpmYWxzZSwiY2"
            + "FuU3Vic2NyaWJlIjp0cnVlfX0",
          "5sF2OmgQxfonGjFvGirJXJ4RktcvrXKL08edtwr6xVk",
        ].joined(separator: "."))
  }
}
