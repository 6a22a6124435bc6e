import VoiceIO
import YoobNet
import YoobWire

extension ConversationDriver {
  /// Bytes that may wait to be sent; a connection with more is given up.
  static let mostWaiting = 4 << 20

  /// An open socket and what waits to be sent on it.
  struct Connection {
    let number: Int
    let link: any WebSocketLink
    let outbox: AsyncStream<String>.Continuation
    let goodbye: Guarded<(code: Int, reason: String)>
    var waitingBytes = 0
    var reader: Int?
  }

  /// Opens a socket in place of any older one.
  func connect(after delay: Double) {
    closeConnection(code: 1000, reason: "")
    if let connecting { tasks[connecting]?.cancel() }
    lastConnection += 1
    let number = lastConnection
    let ports = ports
    connecting = own { driver in
      if delay > 0 { await ports.clock.sleep(for: delay) }
      guard !Task.isCancelled else { return }
      let request: WebSocketRequest
      do { request = try await ports.endpoint() } catch {
        await driver()?.failed(error, number)
        return
      }
      guard !Task.isCancelled else { return }
      do throws(NetError) {
        let link = try await ports.connect(request)
        guard let driver = driver() else { return link.close() }
        await driver.opened(link, number)
      } catch {
        await driver()?.failed(error, number)
      }
    }
  }

  private func failed(_ error: any Error, _ number: Int) {
    guard number == lastConnection, !isOver, !(error is CancellationError) else { return }
    takePumpEvents()
    switch error {
    case let error as YoobError:
      // An outage of the app's own server may pass; a refusal does not.
      if case .network = error, wasReady { return advance { $0.connectionFailed(status: nil, at: $1) } }
      ownError = error
      advance { $0.fail(.network("\(error)"), at: $1) }
    case let failure as ConversationFailure: advance { $0.fail(failure, at: $1) }
    case NetError.noWebSocket(_, let status): advance { $0.connectionFailed(status: status, at: $1) }
    case NetError.cancelled: break
    default:
      if wasReady { return advance { $0.connectionFailed(status: nil, at: $1) } }
      let text = (error as? NetError).map { "\($0)" } ?? error.localizedDescription
      advance { $0.fail(.network(text), at: $1) }
    }
  }

  private func opened(_ link: any WebSocketLink, _ number: Int) {
    guard number == lastConnection, !isOver else { return link.close() }
    connecting = nil
    let (messages, outbox) = AsyncStream<String>.makeStream()
    let goodbye = Guarded((code: 1000, reason: ""))
    connection = Connection(number: number, link: link, outbox: outbox, goodbye: goodbye)
    own { driver in
      for await text in messages {
        do throws(NetError) { try await link.send(.text(text)) } catch { break }
        await driver()?.sent(text.utf8.count, number)
      }
      let (code, reason) = goodbye.withLock { $0 }
      link.close(code: code, reason: reason)
    }
    connection?.reader = own { driver in
      for await event in link.messages { await driver()?.received(event, number) }
      await driver()?.received(.closed(code: nil, reason: ""), number)
    }
    input { $0.socketOpened(at: $1) }
  }

  func send(_ text: String) {
    guard connection != nil else { return }
    connection?.waitingBytes += text.utf8.count
    connection?.outbox.yield(text)
    guard let connection, connection.waitingBytes > Self.mostWaiting else { return }
    closeConnection(code: 1000, reason: "")
    advance { $0.socketClosed(code: nil, reason: "", at: $1) }
  }

  private func sent(_ bytes: Int, _ number: Int) {
    if connection?.number == number { connection?.waitingBytes -= bytes }
  }

  private func received(_ event: WebSocketLinkEvent, _ number: Int) {
    guard connection?.number == number else { return }
    switch event {
    case .text(let text): input { $0.receive(text, at: $1) }
    case .binary(let bytes): input { $0.receive(bytes, at: $1) }
    case .closed(let code, let reason):
      closeConnection(code: 1000, reason: "")
      input { $0.socketClosed(code: code, reason: reason, at: $1) }
    }
  }

  /// Says goodbye once what waits was sent; what still comes is not heeded.
  func closeConnection(code: Int, reason: String) {
    guard let connection else { return }
    self.connection = nil
    connection.goodbye.withLock { $0 = (code, reason) }
    connection.outbox.finish()
    if let reader = connection.reader { tasks[reader]?.cancel() }
  }
}
