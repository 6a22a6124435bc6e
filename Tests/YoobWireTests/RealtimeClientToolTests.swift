import Testing

@testable import YoobWire

@Suite("Realtime client: tools")
struct RealtimeClientToolTests {
  private typealias Client = ClientTimeline<RealtimeClientSession>

  private func call(_ client: inout Client, _ id: String, response: String = "r") -> [String] {
    client.server([
      "type": "response.function_call_arguments.done", "response_id": .string(response),
      "item_id": .string("f" + id), "call_id": .string(id), "name": "time", "arguments": "{}",
    ])
  }

  @Test("the model goes on when all calls of its turn are answered")
  func twoCalls() {
    var client = Client.ready()
    _ = client.created("r")
    #expect(call(&client, "c1") + call(&client, "c2") == ["tool c1 time {}", "tool c2 time {}"])
    #expect(call(&client, "c1") == [])
    #expect(client.done("r") == [])
    #expect(client.state == .thinking)
    #expect(client.result("c1", "noon") == ["> conversation.item.create"])
    #expect(
      client.last("item")?["item"] == ["type": "function_call_output", "call_id": "c1", "output": "noon"])
    #expect(client.result("c2", "one") == ["> conversation.item.create", "> response.create"])
    #expect(client.result("c2", "one") == [])
  }

  @Test("a result that comes before the end of the response waits for it")
  func earlyResult() {
    var client = Client.ready()
    _ = client.created("r")
    _ = call(&client, "c1")
    #expect(client.result("c1", "noon") == ["> conversation.item.create"])
    #expect(client.done("r") == ["> response.create"])
  }

  @Test("a function's name may come with its item")
  func nameOfItem() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.server([
      "type": "response.output_item.added", "response_id": "r",
      "item": ["type": "function_call", "id": "f", "name": "time", "call_id": "c"],
    ])
    #expect(
      client.server([
        "type": "response.function_call_arguments.done", "response_id": "r", "item_id": "f", "call_id": "c",
        "arguments": "{\"a\":1}",
      ]) == ["tool c time {\"a\":1}"])
  }

  @Test("the calls of a reply that is interrupted are taken back")
  func cancelled() {
    var client = Client.ready()
    _ = client.created("r")
    _ = call(&client, "c1")
    #expect(client.speechStarted() == ["cancel c1", "> response.cancel", "listening"])
    #expect(client.result("c1", "noon") == [])
  }

  @Test("a result that comes after a new connection brings its call with it")
  func afterDrop() {
    var client = Client.ready()
    _ = client.created("r")
    _ = call(&client, "c1")
    _ = client.done("r")
    _ = client.close(1006)
    #expect(client.result("c1", "noon") == [])
    client.sent = []
    _ = client.open()
    #expect(
      client.server(["type": "session.updated"])
        == ["> conversation.item.create", "> conversation.item.create", "> response.create", "thinking"])
    #expect(
      client.sent.compactMap { $0["item"]?["type"]?.string } == ["function_call", "function_call_output"])
  }

  @Test("more calls than can run are answered at once")
  func tooMany() {
    var client = Client.ready()
    _ = client.created("r")
    for index in 0..<16 { #expect(call(&client, "c\(index)").count == 1) }
    #expect(call(&client, "c16") == ["> conversation.item.create"])
  }
}
