#if canImport(CCurl)
  import CCurl
  import Glibc

  /// The WebSockets of one multi handle. Touched by its own thread only.
  final class ClientRunner {
    private let multi: UnsafeMutableRawPointer
    private var links: [Int: ClientLinkState] = [:]
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

    func take(_ command: ClientLoop.Command, of id: Int) {
      switch command {
      case .connect(let socket):
        // A request that was given up meanwhile finds nobody.
        guard socket.isPending else { return }
        guard let link = ClientLinkState(socket) else {
          return socket.fail(.failed(host: socket.plan.url.place, reason: "there is no memory"))
        }
        links[id] = link
        curl_multi_add_handle(multi, link.easy)
      case .flush: break
      case .resume: links[id]?.isPaused = false
      case .kill: end(id)
      }
    }

    /// Moves what can be moved, then waits for the network, a ping or a command.
    func turn() {
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      while let message = curl_multi_info_read(multi, &count) {
        let (easy, code) = (message.pointee.easy_handle, message.pointee.data.result)
        guard message.pointee.msg == CURLMSG_DONE,
          let (id, link) = links.first(where: { $0.value.easy == easy })
        else { continue }
        if !link.connected(code) { end(id) }
      }
      var isBusy = false
      for (id, link) in links where link.isConnected {
        switch link.move(through: &buffer) {
        case .waits: break
        case .hasMore: isBusy = true
        case .ended: end(id)
        }
      }
      let now = HTTPRunner.now
      var next = now + 60
      var sockets: [curl_waitfd] = []
      for (id, link) in links where link.isConnected {
        guard link.tick(now) else {
          end(id)
          continue
        }
        next = min(next, link.nextTick)
        sockets.append(link.waiting)
      }
      let wait = isBusy ? 0 : Int32(max(0, next - now) * 1000) + 1
      curl_multi_poll(multi, &sockets, UInt32(sockets.count), wait, nil)
    }

    private func end(_ id: Int) {
      guard let link = links.removeValue(forKey: id) else { return }
      curl_multi_remove_handle(multi, link.easy)
      link.ended()
    }
  }
#endif
