#if canImport(CCurl)
  import CCurl
  import Foundation

  /// The transfers of one multi handle. Touched by its own thread only.
  final class HTTPRunner {
    private let multi: UnsafeMutableRawPointer
    private var running: [ObjectIdentifier: HTTPExchange] = [:]

    init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

    func take(_ command: HTTPLoop.Command) {
      switch command {
      case .start(let transfer, let plan):
        guard let exchange = HTTPExchange(plan, transfer) else {
          return transfer.finish(.failed(host: plan.place, reason: "there is no memory"))
        }
        running[ObjectIdentifier(transfer)] = exchange
        curl_multi_add_handle(multi, exchange.easy)
      case .signal(let transfer, .resume):
        running[ObjectIdentifier(transfer)]?.resume()
      case .signal(let transfer, .cancel): end(ObjectIdentifier(transfer), .cancelled)
      }
    }

    /// Moves what can be moved, then waits for the network, a deadline or a command.
    func turn() {
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      while let message = curl_multi_info_read(multi, &count) {
        guard message.pointee.msg == CURLMSG_DONE else { continue }
        let (easy, code) = (message.pointee.easy_handle, message.pointee.data.result)
        guard let (id, exchange) = running.first(where: { $0.value.easy == easy }) else { continue }
        end(id, exchange.error(code))
      }
      let now = Self.now
      var next = now + 60
      for (id, exchange) in running {
        let (deadline, error) = exchange.deadline(at: now)
        if deadline <= now { end(id, error) } else { next = min(next, deadline) }
      }
      curl_multi_poll(multi, nil, 0, Int32((next - now) * 1000) + 1, nil)
    }

    private func end(_ id: ObjectIdentifier, _ error: NetError?) {
      guard let exchange = running.removeValue(forKey: id) else { return }
      curl_multi_remove_handle(multi, exchange.easy)
      exchange.transfer.finish(error)
    }

    /// Seconds of a clock that only runs forward.
    static var now: Double { ProcessInfo.processInfo.systemUptime }
  }
#endif
