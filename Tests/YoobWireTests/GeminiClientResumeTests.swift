import Testing

@testable import YoobWire

@Suite("Gemini client: resuming")
struct GeminiClientResumeTests {
  private typealias Client = ClientTimeline<GeminiClientSession>

  private func handle(of client: Client) -> JSONValue? {
    client.last("setup")?["setup"]?["sessionResumption"]?["handle"]
  }

  @Test("before the provider leaves, a silent conversation goes on with the newest handle that resumes")
  func quietGoAway() {
    var client = Client.ready()
    _ = client.handle("h1") + client.handle("h2") + client.handle("h3", resumable: false)
    client.now += 60
    #expect(
      client.server(["goAway": ["timeLeft": "9.5s"]])
        == ["go away 9", "close 1000", "connect", "connecting"])
    #expect(client.close(1000) == [])
    #expect(client.open() == ["> setup"])
    #expect(handle(of: client) == "h2")
    #expect(client.server(["setupComplete": [:]]) == ["listening"])
  }

  @Test("a reply that is being made is waited for, and what was heard of it sounds on")
  func goAwayWhileSpeaking() {
    var client = Client.ready()
    _ = client.handle("h1")
    _ = client.caption("one") + client.audio(samples: 100)
    client.now += 60
    #expect(client.server(["goAway": ["timeLeft": "10s"]]) == ["go away 10"])
    #expect(client.audio(samples: 100) == ["play model_1 100"])
    #expect(client.content(["generationComplete": true]) == ["end model_1"])
    #expect(client.content(["turnComplete": true]) == ["close 1000", "connect"])
    #expect(client.state == .speaking)
    _ = client.open()
    #expect(client.server(["setupComplete": [:]]) == ["> clientContent"])
    #expect(client.told == ["model: one"])
    #expect(client.finished() == ["assistant! one", "listening"])
  }

  @Test("what the user is saying is not cut in two, but where it takes too long")
  func goAwayWhileHearing() {
    var client = Client.ready()
    client.now += 60
    _ = client.content(["inputTranscription": ["text": "What "]])
    #expect(client.server(["goAway": ["timeLeft": "50s"]]) == ["go away 50"])
    #expect(client.content(["inputTranscription": ["text": "time?"]]) == ["user: What time?"])
    var slow = client
    #expect(slow.tick(after: 48) == ["user! What time?", "close 1000", "connect", "connecting"])
    #expect(
      client.content(["inputTranscription": ["text": "", "finished": true]])
        == ["user! What time?", "thinking"])
    _ = client.audio(samples: 10)
    #expect(client.complete() == ["end model_2", "close 1000", "connect"])
  }

  @Test(
    "any time that is announced is moved into a day",
    arguments: [
      ("1e300s", 86_400), ("-5s", 0), ("infs", 0), ("nans", 0), ("", 0), ("s", 0), (1e300, 86_400),
      (-1e300, 0), (90_000, 86_400), ("7", 7),
    ] as [(JSONValue, Double)])
  func anyTime(left: JSONValue, seconds: Double) {
    var client = Client.ready()
    let message = JSONValue.object(["goAway": ["timeLeft": left]]).text
    let actions = client.session.receive(message, at: client.now)
    #expect(actions.first == .goAway(secondsLeft: seconds))
  }

  @Test(
    "only what is said of the key or token is a refusal of it",
    arguments: [
      ("The input token count exceeds the maximum number of tokens allowed", "network"),
      ("Invalid argument: token count 40000", "network"), ("max_output_tokens is not valid", "network"),
      ("Token has expired", "unauthorized"),
      ("The token is invalid.", "unauthorized"), ("auth_tokens/x has been used", "unauthorized"),
      ("Request had invalid authentication credentials", "unauthorized"), ("UNAUTHENTICATED", "unauthorized"),
    ])
  func refusals(reason: String, kind: String) {
    var client = Client.ready()
    #expect(client.close(1008, reason) == ["failure " + kind, "ended"])
  }

  @Test("a reply that takes too long is left in time, and what arrived is heard")
  func goAwayDeadline() {
    var client = Client.ready()
    _ = client.handle("h1")
    client.now += 60
    _ = client.audio(samples: 100)
    _ = client.server(["goAway": ["timeLeft": "10s"]])
    #expect(client.session.nextDeadline == client.now + 8)
    #expect(client.tick(after: 7.9) == [])
    #expect(client.tickAtDeadline() == ["end model_1", "close 1000", "connect"])
    #expect(client.state == .speaking)
  }

  @Test("a provider that sends everybody away at once is not asked for ever")
  func endlessGoAway() {
    var client = Client.ready()
    var connections = 0
    while client.state != .ended, connections < 20 {
      connections += 1
      _ = client.server(["goAway": ["timeLeft": "0s"]])
      _ = client.open() + client.server(["setupComplete": [:]])
    }
    #expect(connections == 6)
  }

  @Test("a reply that the resumed state holds is not told again")
  func savedReply() {
    var client = Client.ready()
    _ = client.reply("one")
    _ = client.handle("h1")
    _ = client.close(1011) + client.open()
    #expect(client.server(["setupComplete": [:]]) == [])
    _ = client.finished()
    _ = client.close(1011) + client.open()
    #expect(client.server(["setupComplete": [:]]) == ["listening"])
  }

  @Test("a dropped connection resumes with the handle, and is told what came after it")
  func dropWithHandle() {
    var client = Client.ready()
    _ = client.content(["inputTranscription": ["text": "old", "finished": true]])
    _ = client.reply("known") + client.finished()
    _ = client.handle("h1")
    _ = client.content(["inputTranscription": ["text": "new"]])
    _ = client.reply("unknown") + client.finished()
    #expect(client.close(nil) == ["connect later", "connecting"])
    _ = client.open()
    #expect(handle(of: client) == "h1")
    #expect(client.server(["setupComplete": [:]]) == ["> clientContent", "listening"])
    #expect(client.told == ["user: new", "model: unknown"])
  }

  @Test("without a handle a fresh session is told what was said and how much was heard")
  func dropWithoutHandle() {
    var client = Client.ready()
    client.heard = 12_000
    _ = client.content(["inputTranscription": ["text": "count", "finished": true]])
    _ = client.reply("one two")
    _ = client.content(["interrupted": true])
    _ = client.content(["inputTranscription": ["text": "stop", "finished": true]])
    _ = client.reply("All right.") + client.finished()
    _ = client.close(1006) + client.open()
    #expect(handle(of: client) == nil)
    _ = client.server(["setupComplete": [:]])
    #expect(
      client.told == [
        "user: count", "model: one", "user: (I interrupted you here and did not hear the rest.)",
        "user: stop",
        "model: All right.",
      ])
    #expect(client.last("clientContent")?["clientContent"]?["turnComplete"] == false)
  }

  @Test("a question without an answer is asked again")
  func unanswered() {
    var client = Client.ready()
    _ = client.type("hi")
    _ = client.close(1011) + client.open()
    #expect(client.server(["setupComplete": [:]]) == ["> clientContent", "thinking"])
    #expect(client.last("clientContent")?["clientContent"]?["turnComplete"] == true)
  }

  @Test("a handle that is refused is given up for a fresh session", arguments: [1007, 1008, 1011])
  func refusedHandle(code: Int) {
    var client = Client.ready()
    _ = client.handle("old")
    _ = client.close(1006) + client.open()
    #expect(client.close(code, "bad handle") == ["connect later"])
    _ = client.open()
    #expect(handle(of: client) == nil)
  }

  @Test(
    "close codes: a drop is followed by a new connection, a refusal is not",
    arguments: [
      (nil, "", nil), (1000, "", nil), (1001, "", nil), (1006, "", nil), (1011, "Internal error", nil),
      (1012, "", nil), (1011, "You exceeded your current quota", "out of credit"),
      (1007, "API key not valid", "unauthorized"), (1008, "Your API key was leaked", "unauthorized"),
      (1007, "Invalid argument", "network"), (1008, "", "network"),
    ])
  func closeCodes(code: Int?, reason: String, kind: String?) {
    var client = Client.ready()
    #expect(
      client.close(code, reason)
        == (kind.map { ["failure " + $0, "ended"] } ?? ["connect later", "connecting"]))
  }

  @Test("a close that was announced is a drop, whatever its code")
  func announcedClose() {
    var client = Client.ready()
    _ = client.audio(samples: 10) + client.server(["goAway": ["timeLeft": "5s"]])
    #expect(client.close(1008, "session ended") == ["end model_1", "connect later"])
  }

  @Test("sound of the user between two connections is not lost")
  func microphone() {
    var client = Client.ready()
    _ = client.server(["goAway": ["timeLeft": "5s"]])
    #expect(client.microphone(bytes: 1280) == [])
    _ = client.open()
    #expect(client.server(["setupComplete": [:]]) == ["> realtimeInput", "listening"])
  }

  @Test("a result that comes after a new connection is told in words")
  func resultAfterDrop() {
    var client = Client.ready()
    _ = client.server(["toolCall": ["functionCalls": [["id": "c", "name": "time", "args": [:]]]]])
    _ = client.close(1006)
    _ = client.result("c", "noon")
    _ = client.open()
    #expect(client.server(["setupComplete": [:]]) == ["> clientContent", "thinking"])
    #expect(client.told == ["user: (The result of time is: noon)"])
  }

  @Test("a stop ends everything once, and the app still learns what was heard")
  func stop() {
    var client = Client.ready()
    _ = client.reply("one two")
    #expect(client.stop() == ["interrupt", "close 1000", "ended"])
    #expect(client.interrupted(12_000) == ["assistant! one"])
    #expect(client.stop() + client.type("x") + client.audio(samples: 1) == [])
    #expect(client.session.nextDeadline == nil)
  }

  @Test("a setup that is not confirmed within 15 seconds ends the beginning")
  func timeout() {
    var client = Client.opening()
    #expect(client.tick(after: 15) == ["close 1000", "failure network", "ended"])
  }
}
