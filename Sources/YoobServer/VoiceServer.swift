import YoobNet
import YoobWire

/// Luna's page and files over HTTP, and conversations with her over the Realtime protocol.
///
/// The page is served at once; a client that connects before `markReady()` waits.
/// ```swift
/// let server = try VoiceServer(configuration) { try await makeAgent($0) }
/// let address = try await server.start()     // "http://127.0.0.1:8787/"
/// await server.markReady()                   // once the models are loaded
/// ```
public final class VoiceServer: Sendable {
  private let configuration: VoiceServerConfiguration
  private let router: Router
  private let readiness = Readiness()
  private let slots: ConversationSlots
  private let conversations = Conversations()
  private let makeAgent: SpeechAgentFactory
  private let running = Locked<HTTPServer?>(nil)

  /// Whether only programs of this machine reach a server that listens on `host`.
  public static func isLoopback(_ host: String) -> Bool { RequestGuard.isLoopback(host) }

  /// Throws `VoiceServerError`.
  public init(
    _ configuration: VoiceServerConfiguration, makeAgent: @escaping SpeechAgentFactory
  ) throws {
    if configuration.isDemo, !RequestGuard.isLoopback(configuration.host) {
      throw VoiceServerError.demoNeedsLoopback(host: configuration.host)
    }
    self.configuration = configuration
    self.makeAgent = makeAgent
    slots = ConversationSlots(limit: configuration.maximumConversations)
    router = try Router(configuration, readiness: readiness)
  }

  /// Listens, and returns the address of the page. Throws `NetError`.
  public func start() async throws -> String {
    var net = HTTPServerConfiguration(
      host: configuration.host, port: configuration.port, tls: configuration.tls)
    net.subprotocols = ["realtime"]
    let router = router
    let server = HTTPServer(
      net,
      handlers: HTTPServerHandlers(
        respond: { await router.respond(to: $0) },
        refuse: { refusal, _ in router.answer(to: refusal) },
        refuseWebSocket: { router.refusal(ofWebSocket: $0) },
        serveWebSocket: { [self] in await serve($0) }))
    // A stop that comes meanwhile must find it.
    let before = running.withLock { running in
      defer { running = server }
      return running
    }
    let port: Int
    do { port = try await server.start() } catch {
      running.withLock { if $0 === server { $0 = before } }
      throw error
    }
    router.guards(port: port)
    let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
    return "\(configuration.tls == nil ? "http" : "https")://\(host):\(port)/"
  }

  /// Lets the conversations begin.
  public func markReady() async { await readiness.set(.ready) }

  /// Ends every attempt to talk with `message`, which says what to do; the page is still served.
  public func markFailed(_ message: String) async { await readiness.set(.failed(message)) }

  /// Says goodbye to all clients, ends the agents' work and stops listening: within a second, also
  /// where a client says no goodbye. Idempotent.
  public func stop() async {
    async let conversationsEnd = conversations.stop(within: .milliseconds(800))
    let server = running.withLock { running in
      defer { running = nil }
      return running
    }
    await server?.stop()
    _ = await conversationsEnd
  }

  private func serve(_ socket: WebSocketConnection) async {
    let settings = RealtimeSettings(
      model: socket.request.queryValue("model") ?? configuration.model,
      instructions: configuration.instructions, voice: configuration.voice)
    let conversation = RealtimeConversation(
      socket: socket, session: RealtimeServerSession(settings: settings),
      limits: .init(idle: configuration.idleLimit, total: configuration.timeLimit))
    guard await slots.take(within: .seconds(1)) else {
      return await conversation.refuse(
        RealtimeFault(
          type: "server_error", code: "yoob_busy",
          message: "Luna is already talking in another page. Close that page, then try again."),
        closeCode: 1013)
    }
    let (readiness, makeAgent) = (readiness, makeAgent)
    if await conversations.begin(conversation) {
      await conversation.run { configuration in
        try await readiness.wait()
        return try await makeAgent(configuration)
      }
      await conversations.end(conversation)
    }
    await slots.release()
  }
}
