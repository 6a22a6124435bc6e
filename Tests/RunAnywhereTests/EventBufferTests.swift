import Testing

@testable import RunAnywhere

@Suite("Event buffer")
struct EventBufferTests {
  private func drain(_ buffer: EventBuffer) async throws -> [VoiceEvent] {
    var events: [VoiceEvent] = []
    while buffer.count > 0, let event = try await buffer.next() { events.append(event) }
    return events
  }

  private func text(_ events: [VoiceEvent]) -> String {
    events.map { if case .agentResponse(let text) = $0 { text } else { "" } }.joined()
  }

  @Test("events come out in the order in which they went in")
  func order() async throws {
    let buffer = EventBuffer()
    buffer.append(.speechStarted)
    buffer.append(.speechEnded)
    #expect(try await drain(buffer) == [.speechStarted, .speechEnded])
  }

  @Test("10,000 tokens that nobody reads stay within the bound, and no letter is lost")
  func overflow() async throws {
    let buffer = EventBuffer()
    let tokens = (0..<10_000).map { "\($0) " }
    for token in tokens { buffer.append(.agentResponse(text: token)) }
    #expect(buffer.count <= 4096)
    #expect(text(try await drain(buffer)) == tokens.joined())
  }

  @Test("states and final transcripts survive any overflow, in their places")
  func keepsStates() async throws {
    let buffer = EventBuffer(capacity: 64)
    var expected: [VoiceEvent] = []
    for turn in 0..<12 {
      let events: [VoiceEvent] = [
        .userTranscribed(text: "\(turn)", isFinal: true), .agentStateChanged(.thinking),
      ]
      expected += events
      for event in events { buffer.append(event) }
      for _ in 0..<50 { buffer.append(.agentResponse(text: "x")) }
    }
    #expect(buffer.count <= 64)
    let events = try await drain(buffer)
    #expect(events.filter { if case .agentResponse = $0 { false } else { true } } == expected)
    #expect(text(events).count == 600)
  }

  @Test("partial transcripts go before anything else when no token can be joined")
  func dropsPartials() async throws {
    let buffer = EventBuffer(capacity: 4)
    for index in 0..<4 { buffer.append(.userTranscribed(text: "\(index)", isFinal: false)) }
    buffer.append(.speechEnded)
    #expect(
      try await drain(buffer) == [.userTranscribed(text: "3", isFinal: false), .speechEnded])
  }

  @Test("speech that has begun and ended goes, speech that goes on stays")
  func dropsPastSpeech() async throws {
    let buffer = EventBuffer(capacity: 4)
    for _ in 0..<2 {
      buffer.append(.speechStarted)
      buffer.append(.speechEnded)
    }
    buffer.append(.speechStarted)
    #expect(try await drain(buffer) == [.speechStarted])
  }

  @Test("100,000 events of which none can be joined stay within the bound, the newest of them")
  func bounded() async throws {
    let buffer = EventBuffer(capacity: 256)
    for index in 0..<100_000 {
      buffer.append(.userTranscribed(text: "\(index)", isFinal: true))
      #expect(buffer.count <= 256)
    }
    #expect(try await drain(buffer).last == .userTranscribed(text: "99999", isFinal: true))
  }

  @Test("the end comes behind what is buffered")
  func finish() async throws {
    let buffer = EventBuffer()
    buffer.append(.speechStarted)
    buffer.finish()
    buffer.append(.speechEnded)
    #expect(try await buffer.next() == .speechStarted)
    #expect(try await buffer.next() == nil)
  }

  @Test("a failure is thrown once, behind what is buffered")
  func failure() async throws {
    let buffer = EventBuffer()
    buffer.append(.speechStarted)
    buffer.finish(throwing: SDKException(.unknown, category: .internal, "x"))
    #expect(try await buffer.next() == .speechStarted)
    await #expect(throws: SDKException.self) { try await buffer.next() }
    #expect(try await buffer.next() == nil)
  }

  @Test("a cancelled reader gets the end, and later events stay for the next reader")
  func cancelledReader() async throws {
    let buffer = EventBuffer()
    let reader = Task { try await buffer.next() }
    reader.cancel()
    #expect(try await reader.value == nil)
    buffer.append(.speechStarted)
    #expect(try await buffer.next() == .speechStarted)
  }
}
