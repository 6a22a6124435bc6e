#if os(Linux)
  import Glibc

  /// Connections whose next request is not complete, by the library's addresses, oldest first.
  struct WaitingConnections {
    private var addresses: [UInt] = []
    /// Bytes of each connection that belong to its earlier requests.
    private var earlier: [UInt: Int] = [:]

    mutating func add(_ address: UInt, earlierBytes: Int = 0) {
      remove(address)
      addresses.append(address)
      if earlierBytes > 0 { earlier[address] = earlierBytes }
    }

    /// The request is complete.
    mutating func remove(_ address: UInt) {
      if let place = addresses.firstIndex(of: address) { addresses.remove(at: place) }
    }

    /// The connection is gone.
    mutating func forget(_ address: UInt) {
      remove(address)
      earlier[address] = nil
    }

    mutating func takeOldest() -> UInt? { addresses.isEmpty ? nil : addresses.removeFirst() }

    /// The one of whose request most was read.
    func longest(socket: (UInt) -> Int32) -> UInt? {
      let sizes = addresses.map { ($0, Self.readBytes(socket($0)) - (earlier[$0] ?? 0)) }
      return sizes.max { $0.1 < $1.1 }?.0
    }

    /// Bytes that were read from a socket since it was opened; 0 where the system does not tell.
    static func readBytes(_ descriptor: Int32) -> Int {
      // `tcpi_bytes_received` of Linux's struct tcp_info, which the C library's header lacks.
      let offset = 128
      var info = [UInt8](repeating: 0, count: offset + 8)
      var size = socklen_t(info.count)
      var unread: Int32 = 0
      guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0, size == info.count,
        ioctl(descriptor, UInt(FIONREAD), &unread) == 0
      else { return 0 }
      let received = info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
      return Int(clamping: received) - Int(unread)
    }
  }
#endif
