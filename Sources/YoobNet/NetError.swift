/// What went wrong on the network, in words that say what to do.
public enum NetError: Error, Sendable, Equatable {
  // MARK: Servers

  /// Another program listens there.
  case portInUse(host: String, port: Int)
  /// The address is not one of this machine, or not permitted.
  case cannotListen(host: String, port: Int, reason: String)
  /// Certificates or a key that cannot be used.
  case invalidTLS(reason: String)
  /// `start()` was called a second time.
  case alreadyStarted
  /// The platform has no server.
  case notSupported

  // MARK: Clients

  /// No address that the client takes.
  case invalidURL(String, reason: String)
  /// A method or a header field that cannot be sent.
  case invalidRequest(reason: String)
  /// Plain http, or a plain WebSocket, to another machine.
  case unprotected(host: String)
  /// The name of the host has no address.
  case nameNotFound(host: String)
  /// Nobody listens there.
  case refused(host: String)
  /// The certificate or the TLS handshake.
  case tls(host: String, reason: String)
  /// `phase` took longer than `seconds`.
  case timedOut(host: String, Phase, seconds: Double)
  /// The answer came slower than `HTTPClientRequest.leastRate`: so many bytes in so many seconds.
  case tooSlow(host: String, bytes: Int, seconds: Double)
  /// The connection ended in the middle of an answer or a WebSocket.
  case closedEarly(host: String)
  /// More bytes than the limit.
  case tooLarge(Part, limit: Int)
  /// Something that is not the protocol.
  case invalidAnswer(host: String, reason: String)
  /// A redirect that is not followed.
  case badRedirect(reason: String)
  /// An answer other than a WebSocket; the status where there is one.
  case noWebSocket(host: String, status: Int?)
  /// Anything else, in the system's words.
  case failed(host: String, reason: String)
  /// The task was cancelled.
  case cancelled

  /// What a client waits for.
  public enum Phase: String, Sendable {
    /// Name, connection and TLS; of a WebSocket its handshake too.
    case connecting
    /// The next byte.
    case waiting
    /// The whole exchange.
    case finishing
  }

  /// What has a limit.
  public enum Part: String, Sendable {
    /// The header fields, the body, or one message of a WebSocket.
    case header, body, message
  }
}

extension NetError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .portInUse(let host, let port):
      "port \(port) on \(host) is in use by another program; stop that program, "
        + "or choose another port with --port"
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host) port \(port): \(reason); choose an address of this machine with "
        + "--host, and a port from 1024 to 65535 with --port"
    case .invalidTLS(let reason):
      "the TLS certificate or its key cannot be used: \(reason); name two PEM files that belong "
        + "together"
    case .alreadyStarted: "the server was started before; make a new one"
    case .notSupported: "this platform has no HTTP server; run it on Linux"
    case .invalidURL(let url, let reason): "\"\(url)\" cannot be used: \(reason)"
    case .invalidRequest(let reason): "the request cannot be sent: \(reason)"
    case .unprotected(let host):
      "the way to \(host) is not encrypted; use https or wss, or an address of this machine"
    case .nameNotFound(let host):
      "there is no host \(host); check the name, and that this machine is online"
    case .refused(let host): "nothing answers at \(host); check that the server runs, and its port"
    case .tls(let host, let reason):
      "\(host) cannot be trusted: \(reason); check its certificate, the name in the address and "
        + "this machine's clock"
    case .timedOut(let host, let phase, let seconds):
      "\(host) took longer than \(seconds.formattedSeconds) s \(phase.words); try again, or check "
        + "the connection"
    case .tooSlow(let host, let bytes, let seconds):
      "\(host) sends too slowly (\(bytes) bytes in \(seconds.formattedSeconds) s); try again, or check the "
        + "connection"
    case .closedEarly(let host): "\(host) closed the connection too early; try again"
    case .tooLarge(let part, let limit): "the \(part.rawValue) is larger than \(limit) bytes"
    case .invalidAnswer(let host, let reason):
      "\(host) answered with something else than was asked for: \(reason); check the address"
    case .badRedirect(let reason): "a redirect is not followed: \(reason); use the final address"
    case .noWebSocket(let host, let status):
      "\(host) opens no WebSocket\(status.map { " and answers \($0)" } ?? ""); check the address "
        + "and the key"
    case .failed(let host, let reason): "no connection to \(host): \(reason)"
    case .cancelled: "cancelled"
    }
  }
}

extension NetError.Phase {
  fileprivate var words: String {
    switch self {
    case .connecting: "to connect"
    case .waiting: "to say anything"
    case .finishing: "to finish"
    }
  }
}

extension Double {
  /// Without the ".0" of a whole number.
  fileprivate var formattedSeconds: String {
    self == rounded() && magnitude < 1e15 ? String(Int(self)) : String(self)
  }
}
