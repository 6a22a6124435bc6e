#if canImport(Darwin)
  import Foundation

  /// One exchange of `URLSession`. Certificates are the keychain's business.
  final class URLSessionExchange: NSObject, URLSessionDataDelegate, Sendable {
    private let transfer: HTTPTransfer
    private let plan: HTTPExchangePlan
    private let pieces: HeldPieces
    private let watch: RateWatch?

    private init(
      _ plan: HTTPExchangePlan, _ transfer: HTTPTransfer, _ pieces: HeldPieces, _ watch: RateWatch?
    ) {
      self.watch = watch
      self.plan = plan
      self.transfer = transfer
      self.pieces = pieces
    }

    /// Begins an exchange; the transfer tells how it goes.
    static func start(_ plan: HTTPExchangePlan) -> HTTPTransfer {
      let transfer = HTTPTransfer(maxBodyBytes: plan.maxBodyBytes)
      guard let url = URL(string: plan.url) else {
        transfer.finish(.invalidURL(plan.url, reason: "it is no web address"))
        return transfer
      }
      var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
      request.httpMethod = plan.method
      request.httpBody = plan.body.map { Data($0) }
      request.timeoutInterval = plan.idleTimeout
      for (name, value) in plan.fields { request.addValue(value, forHTTPHeaderField: name) }
      let task = session.dataTask(with: request)
      // What the signal keeps is let go when the transfer is cancelled, which every reader does in the end.
      let watch = plan.leastRate.map { rate in
        RateWatch(rate) { [weak transfer, weak task] bytes in
          transfer?.finish(.tooSlow(host: plan.place, bytes: bytes, seconds: rate.seconds))
          task?.cancel()
        }
      }
      let pieces = HeldPieces(transfer) { [weak task] order in
        switch order {
        case .suspend:
          watch?.pause()
          task?.suspend()
        case .resume:
          watch?.resume()
          task?.resume()
        case .cancel: task?.cancel()
        }
      }
      task.delegate = URLSessionExchange(plan, transfer, pieces, watch)
      transfer.onSignal { signal in
        switch signal {
        case .resume: pieces.goOn()
        case .cancel: task.cancel()
        }
      }
      if plan.totalTimeout.isFinite {
        DispatchQueue.global().asyncAfter(deadline: .now() + plan.totalTimeout) { [weak transfer] in
          transfer?.finish(.timedOut(host: plan.place, .finishing, seconds: plan.totalTimeout))
          task.cancel()
        }
      }
      watch?.resume()
      task.resume()
      return transfer
    }

    /// Keeps connections, and nothing else.
    private static let session: URLSession = {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpShouldSetCookies = false
      configuration.urlCache = nil
      return URLSession(configuration: configuration)
    }()

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // The client follows redirects itself.
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
      var headers = HTTPHeaders()
      for (name, value) in response.allHeaderFields {
        headers.add(name: "\(name)", value: "\(value)")
      }
      let length = plan.method == "HEAD" ? -1 : response.expectedContentLength
      let isWanted = transfer.put(
        status: response.statusCode, headers: headers, bodyLength: length < 0 ? nil : Int(length))
      completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      watch?.take(data.count)
      pieces.take(Array(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      watch?.end()
      pieces.complete(error.map { URLSessionFailure.error($0, place: plan.place, plan.idleTimeout) })
    }
  }

  /// What errors of `URLSession` mean.
  enum URLSessionFailure {
    static func error(_ error: any Error, place: String, _ timeout: Double) -> NetError {
      guard let error = error as? URLError else {
        return .failed(host: place, reason: error.localizedDescription)
      }
      switch error.code {
      case .timedOut: return .timedOut(host: place, .waiting, seconds: timeout)
      case .cannotFindHost, .dnsLookupFailed: return .nameNotFound(host: place)
      case .cannotConnectToHost: return .refused(host: place)
      case .networkConnectionLost: return .closedEarly(host: place)
      case .cancelled: return .cancelled
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
        return .tls(host: place, reason: error.localizedDescription)
      case .badServerResponse, .cannotParseResponse:
        return .invalidAnswer(host: place, reason: error.localizedDescription)
      default: return .failed(host: place, reason: error.localizedDescription)
      }
    }
  }
#endif
