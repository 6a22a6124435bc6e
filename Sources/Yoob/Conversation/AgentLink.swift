import VoiceIO
import YoobNet
import YoobWire

/// A voice agent in this process, spoken to as to a server: one protocol for all conversations.
actor AgentLink: WebSocketLink {
  /// Events that may wait for the reader; an agent that sends more is closed.
  private static let mostWaiting = 8192
  /// Calls that may wait for the agent.
  private static let mostCalls = 2048

  nonisolated let messages: AsyncStream<WebSocketLinkEvent>
  private nonisolated let tell: AsyncStream<WebSocketLinkEvent>.Continuation
  private nonisolated let calls: AsyncStream<RealtimeAction.AgentCall>
  private nonisolated let sendCall: AsyncStream<RealtimeAction.AgentCall>.Continuation
  private nonisolated let closed = OneShot()
  private let agent: any SpeechAgent
  private let clock: any PacingClock
  private var session: RealtimeServerSession
  private var isOver = false
  private var tasks: [Task<Void, Never>] = []
  /// What ended the agent, in its own words.
  private(set) var failure: String?

  init(_ agent: any SpeechAgent, settings: RealtimeSettings, clock: any PacingClock) {
    self.agent = agent
    self.clock = clock
    session = RealtimeServerSession(settings: settings)
    (messages, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    (calls, sendCall) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostCalls))
  }

  /// Opens the agent. Throws what the agent says when it cannot be had.
  func begin(_ start: AvatarDevices.Start) async throws(ConversationFailure) {
    do { try await agent.start() } catch {
      isOver = true
      await agent.close()
      throw .network("The voice agent cannot be started: \(error)")
    }
    let (agent, calls, closed, sendCall, tell) = (agent, calls, closed, sendCall, tell)
    let reader = start { [weak self] in
      for await event in agent.events { await self?.take(event) }
      if !Task.isCancelled { await self?.agentEnded() }
    }
    let caller = start {
      for await call in calls { await call.carryOut(on: agent) }
    }
    let closer = start {
      await closed.value()
      sendCall.finish()
      await agent.close()
      reader.cancel()
      tell.finish()
    }
    tasks = [reader, caller, closer]
    perform(session.open())
  }

  /// Returns when the agent is closed and nothing runs any more.
  func waitUntilClosed() async {
    closed.fire()
    for task in tasks { await task.value }
  }

  // MARK: WebSocketLink

  func send(_ message: WebSocketMessage) async throws(NetError) {
    guard !isOver, !closed.isFired else { throw .closedEarly(host: "the voice agent") }
    switch message {
    case .text(let text): perform(session.receive(text, atMs: now))
    case .binary: perform(session.receiveBinary())
    }
  }

  nonisolated func close(code: Int, reason: String) { closed.fire() }

  // MARK: The agent

  private var now: Int { Int(clock.now * 1000) }

  private func take(_ event: SpeechAgentEvent) {
    if case .error(_, let message, true) = event { failure = message }
    perform(session.handle(event, atMs: now))
  }

  private func agentEnded() {
    guard !isOver else { return }
    perform(session.agentEnded())
  }

  private func perform(_ actions: [RealtimeAction]) {
    for action in actions where !isOver {
      switch action {
      case .send(let event):
        if case .dropped = tell.yield(.text(JSONValue.object(event).text)) {
          end(1013, "the voice agent is too fast")
        }
      case .close(let code, let reason): end(code, reason)
      case .agent(let call):
        if case .dropped = sendCall.yield(call) { end(1013, "the voice agent is too slow") }
      }
    }
  }

  private func end(_ code: Int, _ reason: String) {
    guard !isOver else { return }
    isOver = true
    if failure == nil { failure = reason }
    tell.yield(.closed(code: code, reason: reason))
    closed.fire()
  }
}

/// Opens the connection of an agent, which has only one: it begins with the conversation and ends with it.
actor AgentLine {
  private let agent: any SpeechAgent
  private let settings: RealtimeSettings
  private let clock: any PacingClock
  private let start: AvatarDevices.Start
  private var link: AgentLink?

  init(
    _ agent: any SpeechAgent, settings: RealtimeSettings, clock: any PacingClock,
    start: @escaping AvatarDevices.Start
  ) {
    self.agent = agent
    self.settings = settings
    self.clock = clock
    self.start = start
  }

  /// Throws `ConversationFailure` when the agent was used before, or cannot be had.
  func open() async throws(ConversationFailure) {
    if let link {
      let reason = await link.failure.map { ": \($0.withoutFullStop)" } ?? ""
      throw .network("The voice agent has ended\(reason). Make another agent, and a conversation with it.")
    }
    let link = AgentLink(agent, settings: settings, clock: clock)
    self.link = link
    try await link.begin(start)
  }

  func connect() throws(NetError) -> any WebSocketLink {
    guard let link else { throw .cancelled }
    return link
  }

  func waitUntilClosed() async { await link?.waitUntilClosed() }
}
