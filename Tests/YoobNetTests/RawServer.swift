#if os(Linux)
  import Foundation
  import Glibc

  @testable import YoobNet

  /// A server on this machine that does with each connection what its script says, on a thread of
  /// its own, and closes it then.
  final class RawServer: Sendable {
    let port: Int
    private let listener: Int32
    private let peers = Locked([RawPeer]())
    private let isStopped = Locked(false)

    init(_ script: @escaping @Sendable (RawPeer) -> Void) {
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          _ = bind(listener, $0, size)
          _ = getsockname(listener, $0, &size)
        }
      }
      listen(listener, 64)
      self.listener = listener
      port = Int(in_port_t(bigEndian: address.sin_port))
      Thread.detachNewThread { [listener, peers] in
        while true {
          let descriptor = accept(listener, nil, nil)
          if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
          guard descriptor >= 0 else {
            close(listener)
            return
          }
          let peer = RawPeer(descriptor)
          peers.withLock { $0.append(peer) }
          Thread.detachNewThread {
            script(peer)
            peer.close()
          }
        }
      }
    }

    /// Connections until now.
    var connections: Int { peers.withLock { $0.count } }

    var http: String { "http://127.0.0.1:\(port)" }
    var ws: String { "ws://127.0.0.1:\(port)" }

    /// Takes no more connections, and ends those that it has.
    func stop() {
      let isFirst = isStopped.withLock { isStopped in
        defer { isStopped = true }
        return !isStopped
      }
      guard isFirst else { return }
      shutdown(listener, Int32(SHUT_RDWR))
      for peer in peers.withLock({ $0 }) { peer.hangUp() }
    }
  }

  /// The server's end of a connection.
  final class RawPeer: Sendable {
    private let descriptor: Int32
    private let isClosed = Locked(false)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// What comes next; empty when the other side has closed.
    func read() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return Array(bytes.prefix(max(0, count)))
    }

    /// Exactly so many bytes; fewer when the other side has closed.
    func read(exactly count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      let got = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
      return Array(bytes.prefix(max(0, got)))
    }

    /// Everything up to and with the next blank line.
    func readHead() -> String {
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        let byte = read(exactly: 1)
        if byte.isEmpty { break }
        head += byte
      }
      return String(decoding: head, as: UTF8.self)
    }

    /// False when the other side has closed.
    @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes { bytes in
          send(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { return false }
        sent += count
      }
      return true
    }

    /// Returns when the other side has closed.
    func waitForClose() { while !read().isEmpty {} }

    /// Ends reads and writes that are under way.
    func hangUp() {
      isClosed.withLock { isClosed in
        if !isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
      }
    }

    func close() {
      isClosed.withLock { isClosed in
        if !isClosed { Glibc.close(descriptor) }
        isClosed = true
      }
    }
  }

  /// A value that is set once and waited for.
  final class Latch: Sendable {
    private let (stream, inlet) = AsyncStream<Void>.makeStream()

    func open() { inlet.finish() }

    /// Returns when it is open, or the task is cancelled.
    func wait() async { for await _ in stream {} }
  }
#endif
