#if canImport(Darwin)
  import Foundation

  /// A WebSocket of `URLSession`. Certificates are the keychain's business.
  final class URLSessionLink: WebSocketLink {
    private let task: URLSessionWebSocketTask
    private let plan: LinkPlan
    private let state = Locked((isEnded: false, ownClose: nil as (code: Int, reason: String)?))
    let subprotocol: String?

    private init(_ plan: LinkPlan, _ task: URLSessionWebSocketTask, subprotocol: String?) {
      self.plan = plan
      self.task = task
      self.subprotocol = subprotocol
    }

    deinit { close(code: 1000, reason: "") }

    static func connect(_ plan: LinkPlan) async throws(NetError) -> any WebSocketLink {
      guard let url = URL(string: plan.url.text) else {
        throw .invalidURL(plan.url.text, reason: "it is no web address")
      }
      var request = URLRequest(url: url, timeoutInterval: plan.connectTimeout)
      for (name, value) in plan.fields { request.addValue(value, forHTTPHeaderField: name) }
      if !plan.subprotocols.isEmpty {
        request.setValue(
          plan.subprotocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
      }
      let task = session.webSocketTask(with: request)
      task.maximumMessageSize = plan.maxMessageBytes
      let opening = URLSessionOpening(plan)
      task.delegate = opening
      task.resume()
      do throws(NetError) {
        let name = try await opening.wait()
        let link = URLSessionLink(plan, task, subprotocol: name)
        link.ping()
        return link
      } catch {
        task.cancel()
        throw error
      }
    }

    /// Keeps nothing: no cookie goes along that another part of the app has stored.
    private static let session: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpShouldSetCookies = false
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      return URLSession(configuration: configuration)
    }()

    /// Gives up a peer that does not answer pings.
    private func ping() {
      DispatchQueue.global().asyncAfter(deadline: .now() + plan.pingInterval) { [weak self] in
        self?.task.sendPing { [weak self] error in
          if error == nil { self?.ping() } else { self?.task.cancel() }
        }
      }
    }

    /// Reads when somebody asks: the network waits for the reader.
    var messages: AsyncStream<WebSocketLinkEvent> { AsyncStream { [self] in await next() } }

    private func next() async -> WebSocketLinkEvent? {
      guard !state.withLock({ $0.isEnded }) else { return nil }
      do {
        switch try await task.receive() {
        case .string(let text): return .text(text)
        case .data(let data): return .binary(Array(data))
        @unknown default: return .binary([])
        }
      } catch {
        let own = state.withLock { state in
          state.isEnded = true
          return state.ownClose
        }
        if let own { return .closed(code: own.code, reason: own.reason) }
        let code = task.closeCode.rawValue
        return .closed(
          code: code == 0 ? nil : code, reason: String(decoding: task.closeReason ?? Data(), as: UTF8.self))
      }
    }

    func send(_ message: WebSocketMessage) async throws(NetError) {
      guard message.count <= plan.maxMessageBytes else {
        throw .tooLarge(.message, limit: plan.maxMessageBytes)
      }
      do {
        switch message {
        case .text(let text): try await task.send(.string(text))
        case .binary(let bytes): try await task.send(.data(Data(bytes)))
        }
      } catch {
        throw Task.isCancelled ? .cancelled : .closedEarly(host: plan.url.place)
      }
    }

    func close(code: Int, reason: String) {
      let isFirst = state.withLock { state in
        guard state.ownClose == nil else { return false }
        state.ownClose = (code, reason)
        return true
      }
      guard isFirst else { return }
      let code = FrameReader.isCode(code) ? code : 1000
      task.cancel(
        with: URLSessionWebSocketTask.CloseCode(rawValue: code) ?? .normalClosure,
        reason: Data(reason.utf8.prefix(120)))
    }
  }

  /// Waits for a WebSocket to open.
  private final class URLSessionOpening: NSObject, URLSessionWebSocketDelegate, Sendable {
    private typealias Outcome = Result<String?, NetError>

    private let plan: LinkPlan
    private let outcomes: AsyncStream<Outcome>
    private let inlet: AsyncStream<Outcome>.Continuation

    init(_ plan: LinkPlan) {
      self.plan = plan
      (outcomes, inlet) = AsyncStream.makeStream()
      super.init()
      DispatchQueue.global().asyncAfter(deadline: .now() + plan.connectTimeout) { [inlet] in
        inlet.yield(.failure(.timedOut(host: plan.url.place, .connecting, seconds: plan.connectTimeout)))
      }
    }

    /// The subprotocol that was agreed on.
    func wait() async throws(NetError) -> String? {
      for await outcome in outcomes { return try outcome.get() }
      throw .cancelled
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // The microphone goes to the host that was named, to no other.
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol name: String?
    ) {
      inlet.yield(.success(name))
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      inlet.yield(.failure(.closedEarly(host: plan.url.place)))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      let status = (task.response as? HTTPURLResponse)?.statusCode
      if let status, status != 101 {
        inlet.yield(.failure(.noWebSocket(host: plan.url.place, status: status)))
      } else {
        inlet.yield(
          .failure(
            error.map { URLSessionFailure.error($0, place: plan.url.place, plan.connectTimeout) }
              ?? .closedEarly(host: plan.url.place)))
      }
    }
  }
#endif
