#if os(Linux)
  import Foundation

  @testable import YoobNet

  /// A certificate that signs itself, made by the program `openssl`, and removed with the last
  /// reference.
  final class Certificate: Sendable {
    let folder: URL
    var certificate: String { folder.appendingPathComponent("cert.pem").path }
    var key: String { folder.appendingPathComponent("key.pem").path }

    /// For the names, such as "DNS:localhost,IP:127.0.0.1".
    init(names: String) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let program = Process()
      program.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
      program.arguments = [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", key, "-out", certificate,
      ]
      program.standardError = FileHandle.nullDevice
      try program.run()
      program.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A server with the certificate; `serveWebSocket` echoes.
    func server() -> HTTPServer {
      var configuration = HTTPServerConfiguration(port: 0)
      configuration.tls = .init(certificate: certificate, key: key)
      return HTTPServer(
        configuration,
        handlers: HTTPServerHandlers(
          respond: { _ in .text("safe") }, refuseWebSocket: { _ in nil },
          serveWebSocket: { socket in
            for await case .text(let text) in socket.messages { socket.send(text) }
          }))
    }
  }
#endif
