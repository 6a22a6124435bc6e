import Foundation

/// How a server listens, and what it allows.
public struct HTTPServerConfiguration: Sendable {
  /// Files in PEM form.
  public struct TLS: Sendable {
    /// Path of the certificate and those that vouch for it.
    public var certificate: String
    /// Path of the private key.
    public var key: String

    /// TLS with the files at these paths.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// An IP address of this machine, or "localhost".
  public var host: String
  /// 0 takes a free one.
  public var port: Int
  /// Certificate and key; nil serves without TLS.
  public var tls: TLS?
  /// Subprotocols of WebSockets that may be agreed on.
  public var subprotocols: [String] = []
  /// Largest body of a request, in bytes; larger ones are answered with 413.
  public var maximumBody = 64 << 10
  /// Largest WebSocket message, in bytes; larger ones close the connection with 1009.
  public var maximumMessage = 1 << 20
  /// Bytes that may wait for a WebSocket's peer; more close the connection with 1008.
  public var outboxLimit = 4 << 20
  /// Seconds of silence after which a WebSocket's peer is pinged.
  public var pingAfter = 20
  /// Seconds of silence after which a WebSocket's peer is given up.
  public var hangUpAfter = 40
  /// Connections at a time; at the limit the one that has waited longest for its request gives way, or else the one
  /// whose answer has been going out for longest.
  public var maximumConnections = 512
  /// Seconds that a TLS handshake may take.
  public var handshakeSeconds = 15
  /// Seconds that a connection may wait for its next request.
  public var idleSeconds = 30.0
  /// Seconds that a request's header may take; a slower one is answered with 408.
  public var headerSeconds = 10.0
  /// Seconds that a request's body may take, all of it; a slower one is answered with 408.
  public var bodySeconds = 30.0
  /// Seconds in which a client must take some of its answer.
  public var writeSeconds = 30.0

  /// Listens at this address; limits are properties.
  public init(host: String = "127.0.0.1", port: Int, tls: TLS? = nil) {
    self.host = host
    self.port = port
    self.tls = tls
  }
}

/// What a server does with requests.
public struct HTTPServerHandlers: Sendable {
  /// The answer to a request.
  public var respond: @Sendable (HTTPRequest) async -> HTTPResponse
  /// The answer to a request that the server refuses itself, such as one that is no HTTP, too large or too slow, or
  /// that is at work when the time for stopping is over; with the request where its first line was read. The
  /// connection ends after it.
  public var refuse: @Sendable (HTTPRefusal, HTTPRequest?) async -> HTTPResponse
  /// Nil to open the WebSocket that the request asks for; otherwise the refusal. Must be quick.
  public var refuseWebSocket: @Sendable (HTTPRequest) -> HTTPResponse?
  /// Serves a WebSocket; it is closed with 1000 when this returns.
  public var serveWebSocket: @Sendable (WebSocketConnection) async -> Void

  /// Handlers; without those for WebSockets every one is refused with 404.
  public init(
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
    refuse: @escaping @Sendable (HTTPRefusal, HTTPRequest?) async -> HTTPResponse = { refusal, _ in
      refusal.response
    },
    refuseWebSocket: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in
      .text("No WebSocket here.\n", status: 404)
    },
    serveWebSocket: @escaping @Sendable (WebSocketConnection) async -> Void = { _ in }
  ) {
    self.respond = respond
    self.refuse = refuse
    self.refuseWebSocket = refuseWebSocket
    self.serveWebSocket = serveWebSocket
  }
}

/// An HTTP/1.1 and WebSocket server with one network thread.
/// ```swift
/// let server = HTTPServer(HTTPServerConfiguration(port: 8787), handlers: handlers)
/// let port = try await server.start()
/// …
/// await server.stop()
/// ```
public final class HTTPServer: Sendable {
  private let configuration: HTTPServerConfiguration
  private let handlers: HTTPServerHandlers
  #if os(Linux)
    private let mailbox = Mailbox()
  #endif

  /// A server that does not listen yet; call `start()`.
  public init(_ configuration: HTTPServerConfiguration, handlers: HTTPServerHandlers) {
    self.configuration = configuration
    self.handlers = handlers
  }

  /// Listens, and returns the port. Throws `NetError`. Once only.
  public func start() async throws -> Int {
    #if os(Linux)
      guard mailbox.claimStart() else { throw NetError.alreadyStarted }
      let (configuration, handlers, mailbox) = (configuration, handlers, mailbox)
      return try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
          ServerLoop(configuration, handlers: handlers, mailbox: mailbox).run {
            continuation.resume(with: $0)
          }
        }
        thread.name = "yoob.net"
        thread.stackSize = 1 << 20
        thread.start()
      }
    #else
      throw NetError.notSupported
    #endif
  }

  /// Takes no more connections, closes WebSockets with 1001, gives requests at work `patience` seconds, and refuses
  /// those that are left then: their tasks are cancelled. Returns when the network thread has ended, at the latest
  /// half a second after that. A server that starts later ends at once. Idempotent.
  public func stop(patience: Double = 0.5) async {
    #if os(Linux)
      await mailbox.stop(patience: patience)
    #endif
  }
}
