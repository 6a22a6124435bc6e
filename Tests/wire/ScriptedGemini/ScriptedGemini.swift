import Foundation
import YoobNet
import YoobWire

/// A Gemini Live service that follows a script, for clients of others and for our own.
///
/// A second of the user's sound counts as the question "what time is it". What a user writes decides the reply:
///
/// | text | reply |
/// |---|---|
/// | `long` | speaks numbers for 20 s, in real time |
/// | `recall` | says all that the session knows |
/// | `tool`, `tool cancelled` | calls `time`, and says what it answered; takes the call back |
/// | `go away` | announces the end of the connection in a second |
/// | `drop` | half a second of a reply, and then the connection breaks with 1011 |
/// | `close CODE REASON` | closes |
/// | anything else | repeats it, with half a second of sound |
///
/// A session is resumed by its newest handle, on the same server. `auth_tokens/…` are good for one connection each,
/// `auth_tokens/expired` for none. A message that the protocol does not know closes with 1007.
/// ```swift
/// let service = ScriptedGemini()
/// let port = try await service.start()
/// …   // "ws://127.0.0.1:\(port)"
/// await service.stop()
/// ```
public final class ScriptedGemini: Sendable {
  /// Models that are there.
  public static let models: Set<String> = ["models/gemini-3.8-live"]
  static let path = "/ws/google.ai.generativelanguage."

  private let configuration: HTTPServerConfiguration
  private let state = Locked(State())
  private let server = Locked<HTTPServer?>(nil)

  private struct State {
    var connections: [ScriptedGeminiConnection] = []
    var usedTokens: Set<String> = []
    /// What the sessions know, by handle.
    var sessions: [String: [String]] = [:]
    var lastHandle = 0
  }

  /// A service that is not started; port 0 takes a free one.
  public init(port: Int = 0, tls: HTTPServerConfiguration.TLS? = nil) {
    var configuration = HTTPServerConfiguration(port: port, tls: tls)
    configuration.maximumMessage = 1 << 20
    self.configuration = configuration
  }

  /// Listens on this machine, and returns the port. Throws `NetError`.
  public func start() async throws -> Int {
    let server = HTTPServer(
      configuration,
      handlers: HTTPServerHandlers(
        respond: { _ in .text("Connect with a WebSocket.\n", status: 404) },
        refuseWebSocket: { [self] in refusal(of: $0) },
        serveWebSocket: { [self] in await serve($0) }))
    let port = try await server.start()
    self.server.withLock { $0 = server }
    return port
  }

  /// Ends all connections. Idempotent.
  public func stop() async {
    let server = server.withLock { server in
      defer { server = nil }
      return server
    }
    await server?.stop()
  }

  /// All that were opened, in order.
  public var connections: [ScriptedGeminiConnection] { state.withLock { $0.connections } }

  /// No handle is known any more.
  public func forgetSessions() { state.withLock { $0.sessions = [:] } }

  private static func token(of request: HTTPRequest) -> String? {
    let field = (request.headers["authorization"] ?? "").split(separator: " ").map(String.init)
    if field.count == 2, field[0] == "Token" { return field[1] }
    return request.queryValue("access_token")?.removingPercentEncoding
  }

  private func refusal(of request: HTTPRequest) -> HTTPResponse? {
    let versions = ["v1alpha", "v1beta"]
    let isPlain = versions.contains {
      request.path == "\(Self.path)\($0).GenerativeService.BidiGenerateContent"
    }
    let isConstrained = versions.contains {
      request.path == "\(Self.path)\($0).GenerativeService.BidiGenerateContentConstrained"
    }
    guard isPlain || isConstrained else { return .text("Not found\n", status: 404) }
    guard isConstrained else { return nil }
    guard let token = Self.token(of: request), token.hasPrefix("auth_tokens/"), token != "auth_tokens/expired"
    else { return .text("The token is missing or has expired.\n", status: 401) }
    return nil
  }

  private func serve(_ socket: WebSocketConnection) async {
    let token = Self.token(of: socket.request)
    let connection = ScriptedGeminiConnection(socket, token: token, service: self)
    let isFresh = state.withLock { state in
      state.connections.append(connection)
      return token.map { state.usedTokens.insert($0).inserted } ?? true
    }
    guard isFresh else {
      socket.close(code: 1008, reason: "The token has been used too many times.")
      return await socket.waitUntilClosed()
    }
    await connection.run()
  }

  /// What the session of a handle knows; nil for a handle that nobody was given.
  func session(_ handle: String) -> [String]? { state.withLock { $0.sessions[handle] } }

  /// A handle for a session that knows this.
  func save(_ known: [String]) -> String {
    state.withLock { state in
      state.lastHandle += 1
      let handle = "handle-\(state.lastHandle)"
      state.sessions[handle] = known
      return handle
    }
  }
}
