import Testing

@testable import YoobWire

@Suite("Realtime client: beginning")
struct RealtimeClientSetupTests {
  private typealias Client = ClientTimeline<RealtimeClientSession>

  private func session(_ change: (inout RealtimeClientOptions) -> Void = { _ in }) -> JSONValue? {
    Client.ready(change).last("session.update")?["session"]
  }

  @Test("a conversation connects, tells its settings, and listens when they are confirmed")
  func beginning() {
    var client = Client(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    #expect(client.state == .idle)
    #expect(client.start() == ["connect", "connecting"])
    #expect(client.start() == [])
    #expect(client.open() == ["> session.update"])
    #expect(client.server(["type": "session.created"]) == [])
    #expect(client.server(["type": "session.updated"]) == ["listening"])
  }

  @Test("the defaults are the contract's")
  func defaults() {
    #expect(
      session() == [
        "type": "realtime", "output_modalities": ["audio"],
        "audio": [
          "input": [
            "format": ["type": "audio/pcm", "rate": 24_000], "noise_reduction": ["type": "far_field"],
            "transcription": ["model": "gpt-4o-mini-transcribe"],
            "turn_detection": [
              "type": "server_vad", "threshold": 0.5, "prefix_padding_ms": 300, "silence_duration_ms": 450,
              "create_response": true, "interrupt_response": true,
            ],
          ],
          "output": ["format": ["type": "audio/pcm", "rate": 24_000], "speed": 1.08],
        ],
      ])
    #expect(RealtimeClientOptions().model == "gpt-realtime")
    #expect(RealtimeClientOptions().greet == false)
  }

  @Test("every option reaches the provider, numbers clamped and instructions cut")
  func options() {
    let session = session {
      $0.voice = "marin"
      $0.instructions = String(repeating: "x", count: 9000)
      $0.speed = 9
      $0.turnDetection = .semantic(eagerness: .low)
      $0.noiseReduction = nil
      $0.transcriptionModel = nil
      $0.tools = [ConversationTool(name: "time", description: "Tells the time.")]
    }
    #expect(session?["instructions"]?.string?.count == 8000)
    let audio = session?["audio"]
    #expect(audio?["output"]?["voice"] == "marin")
    #expect(audio?["output"]?["speed"] == 1.5)
    #expect(audio?["input"]?["turn_detection"]?["type"] == "semantic_vad")
    #expect(audio?["input"]?["turn_detection"]?["eagerness"] == "low")
    #expect(audio?["input"]?["noise_reduction"] == .null)
    #expect(audio?["input"]?["transcription"] == .null)
    #expect(session?["tools"]?.array?.first?["name"] == "time")
  }

  @Test("a hosted session is told nothing that its server owns")
  func hosted() {
    #expect(
      session {
        $0.isHosted = true
        $0.voice = "coral"
        $0.instructions = "Be kind."
      } == ["type": "realtime", "instructions": "Be kind.", "audio": ["output": ["voice": "coral"]]])
  }

  @Test("a hosted session with nothing to tell listens at the greeting of the server")
  func hostedWithoutOptions() {
    var options = RealtimeClientOptions()
    options.isHosted = true
    var client = Client(RealtimeClientSession(options: options, seed: 1))
    _ = client.start()
    #expect(client.open() == [])
    #expect(client.server(["type": "session.created"]) == ["listening"])
  }

  @Test(
    "locked voice or instructions do not keep the conversation from beginning",
    arguments: ["yoob_voice_locked", "yoob_instructions_locked"])
  func locked(code: String) {
    var options = RealtimeClientOptions()
    options.isHosted = true
    options.voice = "coral"
    var client = Client(RealtimeClientSession(options: options, seed: 1))
    _ = client.start() + client.open()
    let fault: JSONObject = ["type": "error", "error": ["code": .string(code), "message": "Locked."]]
    #expect(client.server(fault) == ["listening"])
    #expect(client.server(fault) == [])
  }

  @Test("settings that the provider refuses end the conversation with its words")
  func refusedSettings() {
    var client = Client(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    _ = client.start() + client.open()
    let id = client.last("session.update")?["event_id"] ?? .null
    #expect(
      client.server([
        "type": "error", "error": ["code": "invalid_value", "message": "No such voice.", "event_id": id],
      ]) == ["close 1000", "failure network", "ended"])
  }

  @Test("a greeting waits for the session and for the microphone, and is asked for once")
  func greeting() {
    var client = Client.ready { $0.greet = true }
    #expect(client.microphoneStarted() == ["> response.create", "thinking"])
    #expect(client.microphoneStarted() == [])
    var early = Client(
      RealtimeClientSession(
        options: {
          var o = RealtimeClientOptions(); o.greet = true; return o
        }(), seed: 1))
    _ = early.start() + early.open() + early.microphoneStarted()
    #expect(early.server(["type": "session.updated"]) == ["> response.create", "thinking"])
  }

  @Test("without a greeting nothing is asked for")
  func noGreeting() {
    var client = Client.ready()
    #expect(client.microphoneStarted() == [])
  }

  @Test("the microphone's sound goes out in whole packets of 20 ms")
  func packets() {
    var client = Client.ready()
    #expect(client.microphone(bytes: 959) == [])
    #expect(client.microphone(bytes: 1) == ["> input_audio_buffer.append"])
    #expect(Base64.decode(client.last("audio")?["audio"]?.string ?? "")?.count == 960)
    #expect(client.microphone(bytes: 48_000 + 960).count == 2)
  }

  @Test("a microphone that is muted in the middle of a turn ends it with silence")
  func mute() {
    var client = Client.ready()
    #expect(client.note(client.session.microphoneStopped(at: 0)) == [])
    _ = client.speechStarted() + client.microphone(bytes: 100)
    #expect(client.note(client.session.microphoneStopped(at: 0)) == ["> input_audio_buffer.append"])
    let silence = Base64.decode(client.last("audio")?["audio"]?.string ?? "")
    #expect(silence == [UInt8](repeating: 0, count: 45_120))
  }

  @Test("before the session is there the newest second of sound is kept")
  func soundBeforeReady() {
    var client = Client(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    #expect(client.microphone(bytes: 960) == [])
    _ = client.start() + client.open()
    for _ in 0..<10 { #expect(client.microphone(bytes: 9600) == []) }
    #expect(client.session.droppedSamples == 24_000)
    #expect(client.server(["type": "session.updated"]) == ["> input_audio_buffer.append", "listening"])
    #expect(Base64.decode(client.last("audio")?["audio"]?.string ?? "")?.count == 48_000)
  }

  @Test("a typed message is told and answered; one from before the session is told with it")
  func typing() {
    var client = Client.ready()
    #expect(
      client.type("  hi ") == ["user! hi", "> conversation.item.create", "> response.create", "thinking"])
    #expect(client.last("item")?["item"]?["content"]?.array?.first == ["type": "input_text", "text": "hi"])
    #expect(client.type(" ") == [])
    var early = Client(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    _ = early.start() + early.open()
    #expect(early.type("hi") == ["user! hi"])
    #expect(
      early.server(["type": "session.updated"])
        == ["> conversation.item.create", "> response.create", "thinking"])
  }

  @Test("a stop closes everything once")
  func stop() {
    var client = Client.ready()
    _ = client.reply("r", "a", "Hello there.")
    #expect(client.stop() == ["interrupt", "close 1000", "ended"])
    #expect(client.interrupted(12_000) == ["assistant! Hello"])
    #expect(client.stop() == [])
    #expect(client.type("x") + client.microphone(bytes: 960) + client.speechStarted() == [])
    #expect(client.session.nextDeadline == nil)
  }

  @Test("addresses carry the model, and the key in a header")
  func endpoint() {
    let endpoint = RealtimeEndpoint(base: "ws://127.0.0.1:8787/v1/", model: "a b", secret: "ek_1")
    #expect(endpoint.url == "ws://127.0.0.1:8787/v1/realtime?model=a%20b")
    #expect(endpoint.headers["Authorization"] == "Bearer ek_1")
    #expect(RealtimeEndpoint(model: "gpt-realtime", secret: "k").url.hasPrefix("wss://api.openai.com/v1/"))
  }
}
