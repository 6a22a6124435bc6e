#if os(Linux)
  import Foundation
  import Glibc

  @testable import YoobNet

  /// A connection to a port of this machine, over which a test writes what it likes.
  final class RawClient: Sendable {
    private let descriptor: Int32
    /// What was read beyond the text that was waited for.
    private let ahead = Locked([UInt8]())
    private let isEnded = Locked(false)

    init(_ port: Int) {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      _ = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }

    deinit { end() }

    /// Closes the connection. Idempotent.
    func end() {
      let isFirst = isEnded.withLock { isEnded in
        defer { isEnded = true }
        return !isEnded
      }
      if isFirst { close(descriptor) }
    }

    /// Says that nothing more follows.
    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the end of the connection one without a farewell.
    func breaksOff() {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// False when the server has closed.
    @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
      send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Writes the text again and again, until the server has closed, which opens the latch.
    @discardableResult func drip(_ text: String) -> Latch {
      let latch = Latch()
      Thread.detachNewThread { [self] in
        while write(text) { usleep(50_000) }
        latch.open()
      }
      return latch
    }

    /// What comes next; empty when the server has closed.
    func read() async -> [UInt8] {
      let ahead = ahead.withLock { ahead in
        defer { ahead = [] }
        return ahead
      }
      guard ahead.isEmpty else { return ahead }
      // On a thread of its own: the server's answers are made on those that tasks share.
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in
          var bytes = [UInt8](repeating: 0, count: 64 << 10)
          let count = recv(descriptor, &bytes, bytes.count, 0)
          continuation.resume(returning: Array(bytes.prefix(max(0, count))))
        }
      }
    }

    /// Everything up to the end of the connection.
    func readAll() async -> String {
      var all: [UInt8] = []
      while case let piece = await read(), !piece.isEmpty { all += piece }
      return String(decoding: all, as: UTF8.self)
    }

    /// What comes up to and with the text, or up to the end of the connection.
    func read(until end: String) async -> String {
      var all: [UInt8] = []
      while case let piece = await read(), !piece.isEmpty {
        all += piece
        guard let range = all.firstRange(of: Array(end.utf8)) else { continue }
        ahead.withLock { $0 = Array(all[range.upperBound...]) }
        all.removeSubrange(range.upperBound...)
        break
      }
      return String(decoding: all, as: UTF8.self)
    }
  }
#endif
