#if canImport(CCurl)
  import CCurl
  import Foundation

  /// One transfer of libcurl. Touched by the loop's thread only.
  final class HTTPExchange {
    let plan: HTTPExchangePlan
    let transfer: HTTPTransfer
    var lastActivity = HTTPRunner.now
    private let begun = HTTPRunner.now
    private var isConnected = false
    private var moved: Int64 = 0
    private var head = HTTPHeadReader()
    private var isPaused = false
    /// Open once the connection stands.
    private var window: RateWindow?
    private var handle: OpaquePointer?

    /// Nil without memory.
    init?(_ plan: HTTPExchangePlan, _ transfer: HTTPTransfer) {
      self.plan = plan
      self.transfer = transfer
      handle = open()
      if handle == nil { return nil }
    }

    deinit {
      if let handle { yoob_http_close(handle) }
    }

    var easy: UnsafeMutableRawPointer? { handle.flatMap { yoob_http_easy($0) } }

    /// Lets a transfer go on that waited for its reader.
    func resume() {
      guard isPaused else { return }
      isPaused = false
      lastActivity = HTTPRunner.now
      window?.reopen(at: lastActivity)
      curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    private func open() -> OpaquePointer? {
      let headers = Self.lines(plan).map { UnsafePointer(strdup($0)) }
      defer {
        for header in headers { free(UnsafeMutablePointer(mutating: header)) }
      }
      var callbacks = yoob_http_callbacks()
      // The handle is closed in `deinit`, so the library calls nobody later.
      callbacks.context = Unmanaged.passUnretained(self).toOpaque()
      callbacks.on_connected = { HTTPExchange.of($0)?.connected() }
      callbacks.on_header = { context, bytes, length in
        guard let exchange = HTTPExchange.of(context), let bytes else { return 0 }
        return exchange.takeHeader(UnsafeRawBufferPointer(start: bytes, count: length)) ? 1 : 0
      }
      callbacks.on_body = { context, bytes, length in
        guard let exchange = HTTPExchange.of(context), let bytes else { return Int32(YOOB_HTTP_STOP) }
        let verdict = exchange.takeBody(UnsafeRawBufferPointer(start: bytes, count: length))
        switch verdict {
        case .taken: return Int32(YOOB_HTTP_TAKEN)
        case .pause: return Int32(YOOB_HTTP_PAUSE)
        case .stop: return Int32(YOOB_HTTP_STOP)
        }
      }
      callbacks.on_progress = { context, received, sent in
        HTTPExchange.of(context)?.progressed(received + sent)
      }
      return plan.url.withCString { url in
        plan.method.withCString { method in
          headers.withUnsafeBufferPointer { headers in
            (plan.body ?? []).withUnsafeBytes { body in
              (plan.authorities?.pem ?? []).withUnsafeBytes { authorities in
                var request = yoob_http_request()
                request.url = url
                request.method = method
                request.headers = headers.baseAddress
                request.header_count = headers.count
                if plan.body != nil {
                  // An empty array may have no address.
                  request.body = body.isEmpty ? url : body.bindMemory(to: CChar.self).baseAddress
                  request.body_length = body.count
                }
                request.connect_timeout_milliseconds = Int(max(1, min(plan.connectTimeout, 86_400) * 1000))
                if plan.authorities != nil {
                  request.authorities = authorities.bindMemory(to: CChar.self).baseAddress
                  request.authorities_length = authorities.count
                }
                request.is_direct = plan.isDirect ? 1 : 0
                return yoob_http_open(&request, callbacks)
              }
            }
          }
        }
      }
    }

    /// Header lines; those that libcurl would add by itself are taken out.
    private static func lines(_ plan: HTTPExchangePlan) -> [String] {
      let names = Set(plan.fields.map { $0.name.lowercased() })
      let unwanted = ["Accept", "Expect", "Content-Type"].filter { !names.contains($0.lowercased()) }
      // libcurl sends an empty field when its line ends with a semicolon.
      return plan.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        + unwanted.map { "\($0):" }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPExchange? {
      context.map { Unmanaged<HTTPExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: What libcurl calls

    private func connected() {
      isConnected = true
      lastActivity = HTTPRunner.now
      window = plan.leastRate.map { RateWindow($0, at: lastActivity) }
    }

    private func progressed(_ total: Int64) {
      guard total != moved else { return }
      moved = total
      lastActivity = HTTPRunner.now
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
      lastActivity = HTTPRunner.now
      window?.take(line.count)
      do {
        guard let (status, headers) = try head.take(line) else { return true }
        let hasBody = plan.method != "HEAD" && status != 304 && status != 204
        return transfer.put(
          status: status, headers: headers,
          bodyLength: hasBody ? headers["content-length"].flatMap { Int($0) } : nil)
      } catch {
        transfer.finish(error)
        return false
      }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> HTTPTransfer.Verdict {
      lastActivity = HTTPRunner.now
      let verdict = transfer.put(bytes.bindMemory(to: UInt8.self))
      switch verdict {
      case .taken: window?.take(bytes.count)
      case .pause: isPaused = true
      case .stop: break
      }
      return verdict
    }

    /// When it has taken too long, by the clock of `HTTPRunner.now`, and the error then.
    func deadline(at now: Double) -> (Double, NetError) {
      var first = (
        begun + plan.totalTimeout,
        NetError.timedOut(host: plan.place, .finishing, seconds: plan.totalTimeout)
      )
      guard isConnected, !isPaused else { return first }
      if let rate = plan.leastRate, let end = window?.deadline(at: now), end < first.0 {
        first = (end, .tooSlow(host: plan.place, bytes: window?.bytes ?? 0, seconds: rate.seconds))
      }
      let idle = lastActivity + plan.idleTimeout
      if idle < first.0 {
        first = (idle, .timedOut(host: plan.place, .waiting, seconds: plan.idleTimeout))
      }
      return first
    }

    /// What libcurl's code means; nil for success.
    func error(_ code: CURLcode) -> NetError? {
      guard code != CURLE_OK else { return head.isComplete ? nil : .closedEarly(host: plan.place) }
      return handle.map {
        CurlFailure.error(code, of: $0, place: plan.place, connectTimeout: plan.connectTimeout)
      }
    }
  }
#endif
