/// Why a server cannot run.
public enum NetError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another program listens there.
  case portInUse(host: String, port: Int)
  /// The address is not one of this machine, or not permitted.
  case cannotListen(host: String, port: Int, reason: String)
  case invalidTLS(reason: String)
  case alreadyStarted
  /// The platform has no server.
  case notSupported

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
    }
  }
}
