import Testing

@testable import YoobWire

/// Our client against our server, with nothing between them.
@Suite("Realtime client and server")
struct RealtimeClientServerTests {
  private struct Pair {
    var client = ClientTimeline(RealtimeClientSession(options: RealtimeClientOptions(), seed: 1))
    var server = Timeline(opens: false)
    var calls: [RealtimeAction.AgentCall] = []
    private var delivered = 0

    init(_ change: (inout RealtimeClientOptions) -> Void = { _ in }) {
      var options = RealtimeClientOptions()
      change(&options)
      client = ClientTimeline(RealtimeClientSession(options: options, seed: 1))
      _ = client.start() + client.open()
      answer(server.session.open())
      settle()
    }

    private mutating func answer(_ actions: [RealtimeAction]) {
      for action in actions {
        switch action {
        case .send(let event): _ = client.server(event)
        case .agent(let call): calls.append(call)
        case .close: break
        }
      }
    }

    /// Carries messages to the server until the client has no more.
    mutating func settle() {
      while delivered < client.sent.count {
        let event = client.sent[delivered]
        delivered += 1
        answer(server.session.receive(JSONValue.object(event).text, atMs: server.now))
      }
    }

    mutating func agent(_ events: SpeechAgentEvent...) {
      for event in events { answer(server.session.handle(event, atMs: server.now)) }
      settle()
    }
  }

  @Test("a typed question is answered, and an interruption cuts the server's history where it was heard")
  func conversation() {
    var pair = Pair { $0.include = ["yoob.words"] }
    #expect(pair.client.state == .listening)
    _ = pair.client.type("count")
    pair.settle()
    #expect(pair.client.state == .thinking)
    pair.agent(
      .responseStarted(responseID: "x"), .responseText(responseID: "x", text: "one two"),
      .responseAudio(responseID: "x", pcm: [UInt8](repeating: 0, count: 48_000)),
      .responseWords(
        responseID: "x",
        words: [
          SpeechWord(text: "one", startMs: 0, endMs: 500), SpeechWord(text: "two", startMs: 500, endMs: 1000),
        ]))
    #expect(pair.client.state == .speaking)
    pair.server.now = 600
    pair.client.heard = 12_000
    pair.agent(
      .speechStarted(audioMs: 0),
      .responseFinished(responseID: "x", status: .cancelled(reason: "turn_detected")))
    #expect(pair.client.state == .listening)
    #expect(pair.client.last("conversation.item.truncate")?["audio_end_ms"] == 500)
    #expect(pair.server.session.items.last?.content == [.outputAudio(transcript: "one")])
  }

  @Test("a whole reply that is interrupted before its first sound leaves the memory of both sides")
  func unheardReply() {
    var pair = Pair()
    pair.client.heard = 0
    pair.agent(
      .responseStarted(responseID: "x"), .responseText(responseID: "x", text: "Hello."),
      .responseAudio(responseID: "x", pcm: [UInt8](repeating: 0, count: 4800)),
      .responseFinished(responseID: "x", status: .completed))
    pair.calls = []
    pair.agent(.speechStarted(audioMs: 0))
    #expect(pair.calls == [.correctHeard(ms: 0)])
    #expect(pair.server.session.items.isEmpty)
    #expect(pair.client.session.core.history.entries.isEmpty)
    #expect(pair.server.last("error") == nil)
  }

  @Test("all that a conversation sends is understood by the server")
  func understood() {
    var pair = Pair()
    _ = pair.client.microphone(bytes: 9600)
    pair.settle()
    pair.agent(
      .speechStarted(audioMs: 0), .speechStopped(audioMs: 100), .userTranscript(text: "hi", isFinal: true))
    pair.agent(
      .responseStarted(responseID: "x"), .responseText(responseID: "x", text: "Hello."),
      .responseAudio(responseID: "x", pcm: [UInt8](repeating: 0, count: 4800)),
      .responseFinished(responseID: "x", status: .completed))
    #expect(pair.client.state == .speaking)
    #expect(pair.client.finished() == ["assistant! Hello.", "listening"])
    for event in pair.client.sent {
      #expect(throws: Never.self) { try RealtimeClientEvent(event) }
    }
  }
}
