import Testing
import YoobWire

@testable import YoobNet
@testable import YoobServer

@Suite("Stopping conversations")
struct StoppingTests {
  /// An agent that says what the test tells it to.
  private final class Agent: SpeechAgent {
    let events: AsyncStream<SpeechAgentEvent>
    let inlet: AsyncStream<SpeechAgentEvent>.Continuation
    let isClosed = Locked(false)

    init() { (events, inlet) = AsyncStream.makeStream() }

    func start() async throws {}
    func configure(_ configuration: SpeechAgentConfiguration) async {}
    func appendAudio(_ pcm: [UInt8]) {}
    func send(text: String) async {}
    func respond(instructions: String?) async {}
    func interrupt(heardMs: Int?) async {}
    func close() async {
      isClosed.withLock { $0 = true }
      inlet.yield(.responseFinished(responseID: "a", status: .cancelled(reason: "client_cancelled")))
      inlet.finish()
    }
  }

  private let agent = Agent()
  private let conversations = Conversations()
  private let wakes: AsyncStream<Void>
  private let socket: WebSocketConnection
  private let conversation: RealtimeConversation

  init() {
    let (wakes, inlet) = AsyncStream<Void>.makeStream()
    self.wakes = wakes
    socket = WebSocketConnection(
      request: HTTPRequest(path: "/v1/realtime"), subprotocol: nil, outboxLimit: 1 << 20
    ) { _ in
      inlet.yield()
    }
    conversation = RealtimeConversation(
      socket: socket,
      session: RealtimeServerSession(
        settings: RealtimeSettings(model: "luna", instructions: "", voice: ""), seed: 1),
      limits: .init(idle: 900, total: 3600))
  }

  /// The types of the events that wait for the client.
  private var sent: [String] {
    var types: [String] = []
    while case .send(.text(let text)) = socket.nextStep() {
      types.append((try? JSONValue(parsing: text))?["type"]?.string ?? "?")
    }
    return types
  }

  /// A conversation in which the agent speaks.
  private func speaking() async -> Task<Void, Never> {
    #expect(await conversations.begin(conversation))
    let run = Task { [conversation, conversations, agent] in
      await conversation.run { _ in agent }
      await conversations.end(conversation)
    }
    agent.inlet.yield(.responseStarted(responseID: "a"))
    var types: [String] = []
    for await _ in wakes {
      types += sent
      if types.contains("response.created") { break }
    }
    return run
  }

  @Test("a stop ends the agent's work while the client has not said goodbye, and nothing more is sent")
  func agentEnds() async {
    let run = await speaking()
    await conversation.stop()
    #expect(agent.isClosed.withLock { $0 })
    #expect(!run.isCancelled)
    socket.finish()
    await run.value
    #expect(sent == [])
    #expect(await conversations.stop(within: .seconds(60)))
  }

  @Test("a stop waits for the conversations, and lets no other begin")
  func waits() async {
    let run = await speaking()
    async let isOver = conversations.stop(within: .seconds(60))
    while !agent.isClosed.withLock({ $0 }) { await Task.yield() }
    #expect(await !conversations.begin(conversation))
    socket.finish()
    #expect(await isOver)
    await run.value
  }

  @Test("a conversation that does not end is not waited for")
  func givesUp() async {
    let run = await speaking()
    #expect(await !conversations.stop(within: .zero))
    socket.finish()
    await run.value
  }
}
