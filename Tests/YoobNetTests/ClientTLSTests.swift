#if os(Linux)
  import Foundation
  import Testing

  @testable import YoobNet

  @Suite("HTTP client and certificates")
  struct ClientTLSTests {
    @Test("a certificate that nobody vouches for is refused, and taken from a file of authorities")
    func ownAuthority() async throws {
      let certificate = try Certificate(names: "DNS:localhost,IP:127.0.0.1")
      let server = certificate.server()
      let port = try await server.start()
      let request = HTTPClientRequest(url: "https://localhost:\(port)/")
      await #expect {
        try await SystemHTTPClient().send(request)
      } throws: { error in
        if case NetError.tls("localhost:\(port)", _) = error { true } else { false }
      }
      let client = try SystemHTTPClient(authorityFile: certificate.certificate)
      #expect(try await client.send(request).body == Array("safe".utf8))
      // The permission is that client's alone, a kept connection or not.
      await #expect(throws: NetError.self) { try await SystemHTTPClient().send(request) }
      await server.stop()
    }

    @Test("a certificate for another name is refused")
    func otherName() async throws {
      let certificate = try Certificate(names: "DNS:other.example")
      let server = certificate.server()
      let port = try await server.start()
      let client = try SystemHTTPClient(authorityFile: certificate.certificate)
      await #expect {
        try await client.send(HTTPClientRequest(url: "https://localhost:\(port)/"))
      } throws: { error in
        if case NetError.tls("localhost:\(port)", _) = error { true } else { false }
      }
      await server.stop()
    }

    @Test("a connection outlives the time that its handshake may take", .timeLimit(.minutes(1)))
    func outlivesHandshake() async throws {
      let certificate = try Certificate(names: "DNS:localhost,IP:127.0.0.1")
      let server = certificate.server { $0.handshakeSeconds = 1 }
      let port = try await server.start()
      let client = try SystemWebSocketClient(authorityFile: certificate.certificate)
      let link = try await client.connect(WebSocketRequest(url: "wss://localhost:\(port)/"))
      try await Task.sleep(for: .seconds(2.5))
      try await link.send("still here")
      for await event in link.messages {
        #expect(event == .text("still here"))
        break
      }
      link.close()
      await server.stop()
    }

    @Test("a server without TLS is told")
    func plainServer() async throws {
      let server = RawServer { peer in
        _ = peer.read()
        peer.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      }
      defer { server.stop() }
      await #expect {
        try await SystemHTTPClient().send(HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/"))
      } throws: { error in
        if case NetError.tls = error { true } else { false }
      }
    }

    @Test("a file without certificates is refused", arguments: ["/nowhere/ca.pem", "/etc/hostname"])
    func badFile(path: String) {
      #expect {
        try SystemHTTPClient(authorityFile: path)
      } throws: { error in
        if case NetError.invalidTLS = error { true } else { false }
      }
    }
  }
#endif
