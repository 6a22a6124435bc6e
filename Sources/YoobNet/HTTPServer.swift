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
  /// Seconds of silence after which a peer is pinged, and after which it is given up.
  public var pingAfter = 20
  /// Seconds of silence after which a peer is given up.
  public var hangUpAfter = 40
  /// Connections at a time.
  public var maximumConnections = 512

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
  /// Nil to open the WebSocket that the request asks for; otherwise the refusal. Must be quick.
  public var refuseWebSocket: @Sendable (HTTPRequest) -> HTTPResponse?
  /// Serves a WebSocket; it is closed with 1000 when this returns.
  public var serveWebSocket: @Sendable (WebSocketConnection) async -> Void

  /// Handlers; without those for WebSockets every one is refused with 404.
  public init(
    respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
    refuseWebSocket: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in
      .text("No WebSocket here.\n", status: 404)
    },
    serveWebSocket: @escaping @Sendable (WebSocketConnection) async -> Void = { _ in }
  ) {
    self.respond = respond
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

  /// Takes no more connections, closes WebSockets with 1001, writes the answers to requests at work that are
  /// there within half a second, and returns when the network thread has ended. Idempotent.
  public func stop() async {
    #if os(Linux)
      await mailbox.stop()
    #endif
  }
}
