import YoobNet
import YoobWire

/// One connection: passes the client's events and the agent's to the protocol, and carries out
/// what it says.
actor RealtimeConversation {
  struct Limits: Sendable {
    /// Seconds.
    var idle: Int
    var total: Int
  }

  private let socket: WebSocketConnection
  private var session: RealtimeServerSession
  private let limits: Limits
  private let start = ContinuousClock.now
  private var lastActivity = ContinuousClock.now
  private var agent: (any SpeechAgent)?
  private let calls: AsyncStream<RealtimeAction.AgentCall>
  private let callsContinuation: AsyncStream<RealtimeAction.AgentCall>.Continuation
  private var waiting = CallBudget()
  private var isOver = false

  init(socket: WebSocketConnection, session: RealtimeServerSession, limits: Limits) {
    self.socket = socket
    self.session = session
    self.limits = limits
    (calls, callsContinuation) = AsyncStream.makeStream()
  }

  /// Tells the client why it cannot talk, and closes.
  func refuse(_ problem: RealtimeFault, closeCode: Int) async {
    perform(session.fail(problem, closeCode: closeCode))
    await socket.waitUntilClosed()
  }

  /// Serves the client until either side ends; everything begun here has ended when it returns.
  func run(_ makeAgent: @escaping SpeechAgentFactory) async {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await self.socket.waitUntilClosed()
        return true
      }
      group.addTask { await self.converse(makeAgent) }
      while let isEnd = await group.next(), !isEnd {}
      group.cancelAll()
    }
    isOver = true
    callsContinuation.finish()
    await agent?.close()
    agent = nil
  }

  /// Ends the agent's work while the client is told goodbye; `run` returns once it has gone.
  func stop() async {
    isOver = true
    callsContinuation.finish()
    await agent?.close()
  }

  /// False where there was no agent: the client is told, and the connection is about to close.
  private func converse(_ makeAgent: SpeechAgentFactory) async -> Bool {
    let agent: any SpeechAgent
    do {
      agent = try await makeAgent(session.settings.agentConfiguration)
      self.agent = agent
      try await agent.start()
    } catch {
      perform(
        session.fail(
          RealtimeFault(type: "server_error", code: "agent_unavailable", message: "\(error)"),
          closeCode: 1011))
      return false
    }
    perform(session.open())
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.readClient() }
      group.addTask { await self.readAgent(agent) }
      group.addTask { await self.call(agent) }
      group.addTask { await self.watchLimits() }
      await group.waitForAll()
    }
    return true
  }

  private var now: Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  private func readClient() async {
    for await message in socket.messages {
      switch message {
      case .text(let text): perform(session.receive(text, atMs: now))
      case .binary: perform(session.receiveBinary())
      }
    }
  }

  private func readAgent(_ agent: any SpeechAgent) async {
    for await event in agent.events {
      lastActivity = .now
      perform(session.handle(event, atMs: now))
    }
    if !isOver, !Task.isCancelled { perform(session.agentEnded()) }
  }

  private func call(_ agent: any SpeechAgent) async {
    for await call in calls {
      waiting.remove(call)
      await call.carryOut(on: agent)
    }
  }

  private func perform(_ actions: [RealtimeAction]) {
    for action in actions where !isOver {
      switch action {
      case .send(let event): socket.send(JSONValue.object(event).text)
      case .close(let code, let reason):
        isOver = true
        socket.close(code: code, reason: reason)
      case .agent(let call): enqueue(call)
      }
    }
  }

  private func enqueue(_ call: RealtimeAction.AgentCall) {
    if case .appendAudio = call {} else { lastActivity = .now }
    guard waiting.add(call) else {
      return perform(
        session.fail(
          RealtimeFault(
            type: "server_error", code: "agent_overloaded",
            message: "The voice agent is too slow for the sound that comes in. Connect again."),
          closeCode: 1013))
    }
    callsContinuation.yield(call)
  }

  /// Ends a conversation that nobody takes part in any more, and one that lasts too long.
  private func watchLimits() async {
    let end = start + .seconds(limits.total)
    while !Task.isCancelled, !isOver {
      let idleEnd = lastActivity + .seconds(limits.idle)
      let now = ContinuousClock.now
      if now >= end {
        return expire("session_time_limit", "The conversation has reached its limit of time.", 4009)
      }
      if now >= idleEnd {
        return expire("session_idle", "The conversation ended because nobody spoke.", 4010)
      }
      try? await Task.sleep(until: min(end, idleEnd))
    }
  }

  private func expire(_ code: String, _ message: String, _ closeCode: Int) {
    perform(
      session.fail(
        RealtimeFault(code: code, message: message + " Connect again to go on."),
        closeCode: closeCode))
  }
}
