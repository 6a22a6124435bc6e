#if os(Linux)
  import Foundation
  import Glibc

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
      try Self.run([
        "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", key,
        "-out", certificate,
      ])
    }

    /// Without `Process`, whose descriptors meet those of other threads.
    private static func run(_ words: [String]) throws {
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
      defer { for argument in arguments { free(argument) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      var child: pid_t = 0
      var status: Int32 = 0
      arguments.append(nil)
      guard posix_spawn(&child, words[0], &actions, nil, arguments, environ) == 0,
        waitpid(child, &status, 0) == child, status == 0
      else { throw CocoaError(.executableLoad) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A server with the certificate; `serveWebSocket` echoes.
    func server(_ change: (inout HTTPServerConfiguration) -> Void = { _ in }) -> HTTPServer {
      var configuration = HTTPServerConfiguration(port: 0)
      change(&configuration)
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
