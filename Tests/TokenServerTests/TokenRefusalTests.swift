#if os(Linux)
  import Foundation
  import Glibc
  import Testing
  import YoobNet
  import YoobWire

  @testable import TokenServerCore

  @Suite("What a token server does not let in", .serialized)
  struct TokenRefusalTests {
    /// Everything that the server says to the text before it closes.
    private func exchange(_ text: String, with address: String) async throws -> String {
      let port = try #require(URL(string: address)?.port)
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
          defer { close(descriptor) }
          var address = sockaddr_in()
          address.sin_family = sa_family_t(AF_INET)
          address.sin_port = in_port_t(port).bigEndian
          address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
          _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
              connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
          }
          let bytes = Array(text.utf8)
          _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
          var all: [UInt8] = []
          var piece = [UInt8](repeating: 0, count: 4096)
          while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 {
            all += piece[..<count]
          }
          continuation.resume(returning: String(decoding: all, as: UTF8.self))
        }
      }
    }

    @Test(
      "each is answered in the form of all refusals, and is one line of the log",
      arguments: [
        ("NONSENSE\r\n\r\n", 400, "bad_request", "- - 400"),
        ("GET /secret-path HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n", 400, "bad_request", "GET (other) 400"),
        (
          "POST /yoob-session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 411,
          "length_required",
          "POST /yoob-session 411"
        ),
        (
          "POST /yoob-session HTTP/1.1\r\nHost: x\r\nContent-Length: 16385\r\n\r\n", 413, "too_large",
          "POST /yoob-session 413"
        ),
        ("GET /" + String(repeating: "a", count: 20_000), 414, "path_too_long", "- - 414"),
        (
          "POST /yoob-voice HTTP/1.1\r\nHost: x\r\nCookie: " + String(repeating: "a", count: 20_000), 431,
          "header_too_large", "POST /yoob-voice 431"
        ),
        ("SECRET-METHOD / HTTP/1.1\r\n\r\n", 501, "method_unknown", "- - 501"),
        ("GET / HTTP/2.0\r\n\r\n", 505, "version_not_supported", "- - 505"),
      ])
    func refused(text: String, status: Int, code: String, line: String) async throws {
      let bench = try await TokenBench()
      let answer = try await exchange(text, with: bench.address)
      let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
      try #require(parts.count == 2)
      #expect(parts[0].hasPrefix("HTTP/1.1 \(status) "))
      for field in [
        "content-type: application/json", "cache-control: no-store", "x-content-type-options: nosniff",
        "referrer-policy: no-referrer", "connection: close",
      ] {
        #expect(parts[0].contains("\r\n" + field))
      }
      let body = try JSONValue(parsing: Array(parts[1].utf8))
      #expect(body["code"] == .string(code))
      #expect(body["error"]?.string?.isEmpty == false)
      #expect(!answer.lowercased().contains("secret"))
      await bench.stop()
      let lines = bench.lines.withLock { $0 }
      #expect(lines.count == 1)
      #expect(lines.first?.hasSuffix(" \(line) - ms user=-: \(code)") == true)
    }

    @Test("a client that leaves while its request is at work is one line of the log", .timeLimit(.minutes(1)))
    func left() async throws {
      let bench = try await TokenBench()
      bench.answer.withLock {
        $0 = { _ in
          // Until the server gives up what is at work.
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
          return .json("{}")
        }
      }
      let port = try #require(bench.address.split(separator: ":").last.flatMap { UInt16($0) })
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      let text =
        "POST /yoob-voice HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(TokenBench.token)\r\n"
        + "Content-Length: 0\r\n\r\n"
      send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
      while bench.asked.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
      // Closes with a reset.
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
      close(descriptor)
      while bench.lines.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
      await bench.stop()
      let lines = bench.lines.withLock { $0 }
      #expect(lines.count == 1)
      #expect(lines.first?.contains(" POST /yoob-voice ") == true)
      #expect(lines.first?.hasSuffix(" user=ada: the client has left") == true)
    }

    @Test("a page of a named website may read why its request is too large")
    func origin() async throws {
      let bench = try await TokenBench(["YOOB_EXAMPLE_ORIGINS": "https://app.example"])
      let answer = try await exchange(
        "POST /yoob-session HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example\r\nContent-Length: 99999\r\n\r\n",
        with: bench.address)
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.contains("\r\naccess-control-allow-origin: https://app.example\r\n"))
      await bench.stop()
    }
  }
#endif
