import Testing

@testable import YoobWire

@Suite("Realtime client: connection")
struct RealtimeClientLinkTests {
  private typealias Client = ClientTimeline<RealtimeClientSession>

  /// Opens the socket that was asked for and confirms the session.
  private func reconnect(_ client: inout Client) -> [String] {
    client.open() + client.server(["type": "session.created"], ["type": "session.updated"])
  }

  @Test(
    "close codes of a Yoob voice server: what the user is told, and whether a new session may go on",
    arguments: [
      (1011, true, "problem"), (1013, true, "busy"), (4000, false, "Update the app"),
      (4001, false, "refused"),
      (4002, false, "ran out"), (4003, false, "already used"), (4008, false, "usage limit"),
      (4009, false, "time limit"), (4010, false, "nobody spoke"), (4029, false, "too many"),
      (4999, false, "4999"), (1005, true, "disconnected"),
      (1006, true, "disconnected"),
    ])
  func relayCodes(code: Int, isTemporary: Bool, words: String) {
    let close = VoiceRelayClose(code: code)
    #expect(close.isTemporary == isTemporary)
    #expect(close.message.contains(words))
    var client = Client.ready { $0.isHosted = true }
    let actions = client.close(code)
    #expect(actions == (isTemporary ? ["connect later", "connecting"] : ["failure voice \(code)", "ended"]))
    var opening = Client(
      RealtimeClientSession(
        options: {
          var o = RealtimeClientOptions(); o.isHosted = true; return o
        }(), seed: 1))
    _ = opening.start() + opening.open()
    #expect(opening.close(code) == ["failure voice \(code)", "ended"])
  }

  @Test(
    "close codes of a provider: a drop is followed by a new connection, a refusal is not",
    arguments: [
      (nil, true), (1000, true), (1001, true), (1005, true), (1006, true), (1011, true), (1012, true),
      (1013, true),
      (1002, false), (1007, false), (1008, false), (3000, false), (4000, false),
    ])
  func providerCodes(code: Int?, isTemporary: Bool) {
    var client = Client.ready()
    #expect(
      client.close(code) == (isTemporary ? ["connect later", "connecting"] : ["failure network", "ended"]))
  }

  @Test(
    "a refused handshake ends the beginning with its reason",
    arguments: [
      (401, "unauthorized"), (403, "unauthorized"), (402, "out of credit"), (404, "unsupported"),
      (429, "network"), (503, "network"), (nil, "network"),
    ])
  func refusals(status: Int?, kind: String) {
    var client = Client(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    _ = client.start()
    #expect(client.refuse(status).suffix(2) == ["failure " + kind, "ended"])
  }

  @Test("a session that is not confirmed within 15 seconds ends")
  func connectTimeout() {
    var client = Client(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    _ = client.start() + client.open()
    #expect(client.session.nextDeadline == 115)
    #expect(client.tick(after: 14.9) == [])
    #expect(client.tick(after: 0.1) == ["close 1000", "failure network", "ended"])
  }

  @Test("tries to connect again wait longer each time, and end after five")
  func backoff() {
    var client = Client.ready()
    var waits: [Double] = []
    var actions = client.session.socketClosed(code: nil, reason: "", at: client.now)
    while case .connect(let after)? = actions.first {
      waits.append(after)
      actions = client.session.connectionFailed(status: nil, at: client.now)
    }
    #expect(waits.count == 5)
    for (wait, expected) in zip(waits, [0.5, 1, 2, 4, 8]) {
      #expect(wait >= expected * 0.8 && wait <= expected * 1.2)
    }
    #expect(client.state == .ended)
  }

  @Test("a connection that held makes the tries count from the first again")
  func backoffResets() {
    var client = Client.ready()
    for _ in 0..<12 {
      client.now += 25
      #expect(client.close(1006).first == "connect later")
      _ = reconnect(&client)
    }
    #expect(client.state == .listening)
    for _ in 0..<6 {
      _ = client.close(1006)
      _ = reconnect(&client)
    }
    #expect(client.state == .ended)
  }

  @Test("what sounds goes on over a drop, and the new session is told all of it in order")
  func dropWhileSpeaking() {
    var client = Client.ready()
    _ = client.heardUser("hello")
    _ = client.created("r")
    _ = client.caption("r", "a", "one two")
    _ = client.audio("r", "a", samples: 24_000)
    #expect(client.close(1006) == ["end a", "connect later"])
    #expect(client.state == .speaking)
    client.sent = []
    #expect(
      reconnect(&client) == ["> session.update", "> conversation.item.create", "> conversation.item.create"])
    #expect(client.sent.compactMap { $0["item"]?["role"]?.string } == ["user", "assistant"])
    #expect(
      client.last("item")?["item"]?["content"] == [["type": "output_text", "text": "one two"]])
    #expect(client.finished("a") == ["assistant! one two", "listening"])
  }

  @Test("sound that is held when the connection is lost goes on, and is heard to its end")
  func dropWhileHeld() {
    var client = Client.ready { $0.isHosted = true }
    _ = client.reply("r", "a", "one two")
    #expect(client.hold("a", true) == ["hold"])
    #expect(client.close(1006) == ["go on", "connect later"])
    #expect(client.finished("a") == ["assistant! one two", "connecting"])
  }

  @Test("a hold that nobody ends is ended after eight seconds, once")
  func endlessHold() {
    var client = Client.ready { $0.isHosted = true }
    _ = client.reply("r", "a", "one two") + client.hold("a", true)
    client.now += 5
    #expect(client.hold("a", true) == [])
    #expect(client.session.nextDeadline == client.now + 8)
    #expect(client.tick(after: 7.9) == [])
    #expect(client.tickAtDeadline() == ["go on"])
    #expect(client.hold("a", false) == [])
    #expect(client.session.nextDeadline == nil)
  }

  @Test("an interruption is the end of a hold, too")
  func interruptedHold() {
    var client = Client.ready { $0.isHosted = true }
    client.heard = 24_000
    _ = client.reply("r", "a", "one two") + client.hold("a", true)
    #expect(client.speechStarted() == ["interrupt", "assistant! one two", "listening"])
    #expect(client.session.nextDeadline == nil)
    #expect(client.reply("s", "b", "three").contains("go on") == false)
    #expect(client.close(1006) == ["connect later"])
  }

  @Test("what sounds over a drop and is interrupted after it is told again as it was heard")
  func interruptedAfterDrop() {
    var client = Client.ready()
    client.heard = 12_000
    _ = client.reply("r", "a", "one two")
    _ = client.close(1006)
    _ = reconnect(&client)
    let told = client.last("item")?["item"]?["id"]
    _ = client.speechStarted()
    #expect(client.last("conversation.item.delete")?["item_id"] == told)
    #expect(client.last("item")?["item"]?["content"] == [["type": "output_text", "text": "one"]])
    #expect(client.last("conversation.item.truncate") == nil)
  }

  @Test("what is interrupted while there is no connection is told as it was heard")
  func interruptedDuringDrop() {
    var client = Client.ready()
    client.heard = 12_000
    _ = client.reply("r", "a", "one two")
    _ = client.close(1006)
    #expect(client.userInterrupts() == ["interrupt", "assistant! one", "connecting"])
    _ = reconnect(&client)
    #expect(client.last("item")?["item"]?["content"] == [["type": "output_text", "text": "one"]])
  }

  @Test("a question that got no word of an answer is asked again")
  func dropWhileThinking() {
    var client = Client.ready()
    _ = client.type("hi")
    _ = client.created("r")
    #expect(client.close(1011) == ["connect later", "connecting"])
    #expect(
      reconnect(&client)
        == ["> session.update", "> conversation.item.create", "> response.create", "thinking"])
  }

  @Test("a reply that was heard in part is not asked for again")
  func dropAfterSound() {
    var client = Client.ready()
    _ = client.type("hi")
    _ = client.reply("r", "a", "one")
    _ = client.finished("a")
    _ = client.close(1011)
    #expect(reconnect(&client).contains("> response.create") == false)
  }

  @Test("sound of the user during a short drop is not lost")
  func microphoneDuringDrop() {
    var client = Client.ready()
    _ = client.close(1006)
    #expect(client.microphone(bytes: 1920) == [])
    #expect(reconnect(&client).contains("> input_audio_buffer.append"))
  }

  @Test("the history that is told is bounded")
  func boundedHistory() {
    var client = Client.ready()
    for index in 0..<200 { _ = client.heardUser("turn \(index)", item: "u\(index)") }
    _ = client.heardUser(String(repeating: "long ", count: 20_000), item: "long")
    _ = client.close(1006)
    client.sent = []
    _ = reconnect(&client)
    let texts = client.sent.compactMap { $0["item"]?["content"]?.array?.first?["text"]?.string }
    #expect(texts.count <= 40)
    #expect(texts.reduce(0) { $0 + $1.utf8.count } <= 16 << 10)
    #expect(texts.contains("turn 199"))
  }

  @Test("a key that is refused in the middle ends the conversation")
  func refusedKey() {
    var client = Client.ready()
    #expect(
      client.server(["type": "error", "error": ["code": "invalid_api_key", "message": "x"]])
        == ["close 1000", "failure unauthorized", "ended"])
  }

  @Test("a session near the provider's own limit is renewed in a quiet moment")
  func renewal() {
    var client = Client.ready()
    _ = client.reply("r", "a", "one")
    #expect(client.tick(after: 56 * 60) == [])
    _ = client.finished("a")
    #expect(client.tickAtDeadline() == ["close 1000", "connect", "connecting"])
    #expect(client.close(1000) == [])
    #expect(reconnect(&client).last == "listening")
  }

  @Test("a credential that the driver cannot get ends the conversation")
  func driverFails() {
    var client = Client.ready()
    #expect(
      client.note(client.session.fail(.outOfCredit("No credit."), at: 0))
        == ["close 1000", "failure out of credit", "ended"])
  }
}
