import Testing

@testable import YoobWire

@Suite("Realtime client: interruptions")
struct RealtimeClientInterruptionTests {
  private typealias Client = ClientTimeline<RealtimeClientSession>

  @Test("when the user speaks the reply stops, is cancelled, and is cut where it was heard")
  func interruption() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.caption("r", "a", "one two")
    _ = client.audio("r", "a", samples: 24_000)
    #expect(client.speechStarted() == ["interrupt", "listening"])
    #expect(
      client.interrupted(12_000) == ["> response.cancel", "assistant! one", "> conversation.item.truncate"])
    #expect(client.last("response.cancel")?["response_id"] == "r")
    let truncate = client.last("conversation.item.truncate")
    #expect(truncate?["item_id"] == "a")
    #expect(truncate?["content_index"] == 0)
    #expect(truncate?["audio_end_ms"] == 500)
  }

  @Test("a reply that is complete is not cancelled, only cut")
  func completeReply() {
    var client = Client.ready()
    client.heard = 2400
    _ = client.reply("r", "a", "one two")
    #expect(client.speechStarted() == ["interrupt", "> conversation.item.truncate", "listening"])
    #expect(client.last("conversation.item.truncate")?["audio_end_ms"] == 100)
  }

  @Test("a reply that is whole and of which nothing was heard is deleted", arguments: [0, 23, -5])
  func nothingHeard(samples: Int) {
    var client = Client.ready()
    client.heard = samples
    _ = client.reply("r", "a", "one two")
    #expect(client.speechStarted() == ["interrupt", "> conversation.item.delete", "listening"])
    #expect(client.last("conversation.item.delete")?["item_id"] == "a")
    #expect(client.session.core.history.entries.isEmpty)
  }

  @Test("a reply that is cancelled before any of it was heard is deleted after the cancellation")
  func nothingHeardOfAPart() {
    var client = Client.ready()
    client.heard = 0
    _ = client.created("r") + client.audio("r", "a", samples: 2400)
    #expect(
      client.speechStarted()
        == ["interrupt", "> response.cancel", "> conversation.item.delete", "listening"])
  }

  @Test("a server that deletes nothing is talked to all the same")
  func refusedDeletion() {
    var client = Client.ready()
    client.heard = 0
    _ = client.reply("r", "a", "one two") + client.speechStarted()
    let id = client.last("conversation.item.delete")?["event_id"] ?? .null
    #expect(
      client.server(["type": "error", "error": ["code": "not_supported", "message": "x", "event_id": id]])
        == [])
    _ = client.speechStopped() + client.created("s")
    #expect(client.audio("s", "b", samples: 10).last == "speaking")
  }

  @Test("no more than arrived can have been heard")
  func clamped() {
    var client = Client.ready()
    client.heard = 1_000_000
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 4800)
    _ = client.speechStarted()
    #expect(client.last("conversation.item.truncate")?["audio_end_ms"] == 200)
  }

  @Test("a reply that was heard to its last sample is not cut")
  func heardWhole() {
    var client = Client.ready()
    client.heard = 24_000
    _ = client.reply("r", "a", "one")
    #expect(client.speechStarted() == ["interrupt", "assistant! one", "listening"])
  }

  @Test("of two replies in the queue the one that sounds is cut, and the unheard one is deleted")
  func twoItems() {
    var client = Client.ready()
    _ = client.reply("r1", "a", "one two")
    #expect(client.created("r2") + client.audio("r2", "b", samples: 4800) == ["begin b", "play b 4800"])
    _ = client.played(2400, of: "a")
    #expect(client.speechStarted() == ["interrupt", "listening"])
    #expect(
      client.interrupted(2400)
        == ["> response.cancel", "> conversation.item.truncate", "> conversation.item.delete"])
    #expect(client.last("conversation.item.truncate")?["item_id"] == "a")
    #expect(client.last("conversation.item.delete")?["item_id"] == "b")
  }

  @Test("when the first of two was heard, the second is cut")
  func secondItem() {
    var client = Client.ready()
    client.heard = 2400
    _ = client.reply("r1", "a", "one") + client.reply("r2", "b", "two three", samples: 48_000)
    _ = client.finished("a")
    _ = client.speechStarted()
    #expect(client.sent.filter { $0["type"] == "conversation.item.truncate" }.map { $0["item_id"] } == ["b"])
    #expect(client.last("conversation.item.delete") == nil)
  }

  @Test("what still comes of a cancelled reply is ignored")
  func lateDeltas() {
    var client = Client.ready()
    client.heard = 0
    _ = client.created("r")
    _ = client.audio("r", "a", samples: 2400)
    _ = client.speechStarted()
    #expect(client.audio("r", "a", samples: 2400) == [])
    #expect(client.audio("r", "b", samples: 2400) == [])
    #expect(client.caption("r", "a", "late") + client.created("r") == [])
    #expect(client.done("r", "cancelled") == [])
    #expect(client.audio("r", "a", samples: 2400) == [])
  }

  @Test("a reply that was asked for and is interrupted before it is announced is cancelled then")
  func beforeAnnouncement() {
    var client = Client.ready()
    _ = client.type("hi")
    #expect(client.speechStarted() == ["listening"])
    #expect(client.created("r") == ["> response.cancel"])
    #expect(client.audio("r", "a", samples: 100) + client.done("r", "cancelled") == [])
    _ = client.speechStopped() + client.created("s")
    #expect(client.audio("s", "b", samples: 100).last == "speaking")
  }

  @Test("the user's button stops a reply to what was said before it is announced, and no later one")
  func buttonBeforeAnnouncement() {
    var client = Client.ready()
    _ = client.speechStarted() + client.speechStopped()
    #expect(client.userInterrupts() == ["listening"])
    #expect(client.created("r") + client.done("r", "cancelled") == ["> response.cancel"])
    #expect(client.created("s") == ["thinking"])
    _ = client.done("s") + client.speechStarted() + client.speechStopped() + client.userInterrupts()
    client.now += 11
    #expect(client.created("t") == ["thinking"])
  }

  @Test("a second typed message waits for the first reply to be announced and cancelled")
  func typedTwice() {
    var client = Client.ready()
    _ = client.type("one")
    #expect(client.type("two") == ["user! two", "> conversation.item.create"])
    #expect(client.created("r") == ["> response.cancel"])
    #expect(client.done("r", "cancelled") == ["> response.create"])
    #expect(
      client.created("s") + client.audio("s", "a", samples: 10) == ["begin a", "play a 10", "speaking"])
  }

  @Test("the reply to what the user says answers what was typed before, too")
  func typedThenSpoken() {
    var client = Client.ready()
    _ = client.created("r")
    _ = client.type("hi")
    _ = client.speechStarted() + client.done("r", "cancelled") + client.speechStopped()
    #expect(client.created("s") + client.done("s") == ["listening"])
  }

  @Test("a reply that was interrupted before its first sound is cancelled")
  func beforeSound() {
    var client = Client.ready()
    _ = client.created("r")
    #expect(client.speechStarted() == ["> response.cancel", "listening"])
    #expect(client.audio("r", "a", samples: 2400) == [])
  }
}
