#if os(Linux)
  import CLWS
  import Foundation

  /// Requests and their answers.
  extension ServerLoop {
    private static let methods: [(lws_token_indexes, String)] = [
      (WSI_TOKEN_GET_URI, "GET"), (WSI_TOKEN_HEAD_URI, "HEAD"), (WSI_TOKEN_POST_URI, "POST"),
      (WSI_TOKEN_PUT_URI, "PUT"), (WSI_TOKEN_DELETE_URI, "DELETE"),
      (WSI_TOKEN_PATCH_URI, "PATCH"), (WSI_TOKEN_OPTIONS_URI, "OPTIONS"),
    ]

    private static let fields: [(lws_token_indexes, String)] = [
      (WSI_TOKEN_HOST, "host"), (WSI_TOKEN_ORIGIN, "origin"),
      (WSI_TOKEN_HTTP_AUTHORIZATION, "authorization"),
      (WSI_TOKEN_HTTP_CONTENT_LENGTH, "content-length"),
      (WSI_TOKEN_HTTP_CONTENT_TYPE, "content-type"), (WSI_TOKEN_HTTP_COOKIE, "cookie"),
      (WSI_TOKEN_HTTP_IF_NONE_MATCH, "if-none-match"), (WSI_TOKEN_HTTP_IF_RANGE, "if-range"),
      (WSI_TOKEN_HTTP_RANGE, "range"), (WSI_TOKEN_HTTP_TRANSFER_ENCODING, "transfer-encoding"),
      (WSI_TOKEN_HTTP_USER_AGENT, "user-agent"), (WSI_TOKEN_PROTOCOL, "sec-websocket-protocol"),
    ]

    func beginRequest(
      _ wsi: OpaquePointer, path: UnsafeMutableRawPointer?, _ length: Int
    ) -> Int32 {
      let link = openLink(wsi)
      link.requestNumber += 1
      link.response = nil
      link.written = nil
      link.closesAfterResponse = false
      link.isDispatched = false
      var request = request(wsi)
      if let path {
        request.path = String(
          decoding: UnsafeRawBufferPointer(start: path, count: length), as: UTF8.self)
      }
      link.request = request
      let size = request.headers["content-length"].map { Int($0) ?? -1 } ?? 0
      let refusal: HTTPResponse? =
        if request.headers["transfer-encoding"] != nil {
          .text("Send a body with its Content-Length.\n", status: 411)
        } else if size < 0 {
          .text("The Content-Length is not a number.\n", status: 400)
        } else if size > configuration.maximumBody {
          .text("The body is larger than \(configuration.maximumBody) bytes.\n", status: 413)
        } else {
          nil
        }
      if let refusal {
        // The body is not read: the connection cannot be used again.
        waiting.remove(UInt(bitPattern: wsi))
        link.closesAfterResponse = true
        link.response = refusal
        lws_callback_on_writable(wsi)
        return 0
      }
      // The library would wait for a body whose length was not said, instead of for the next request.
      link.closesAfterResponse =
        ["POST", "PUT", "PATCH"].contains(request.method) && request.headers["content-length"] == nil
      if size == 0 { dispatch(link) }
      return 0
    }

    /// Answers the connection whose header has just met the limit; the library then closes it.
    func refuseLongHeader() {
      let longest = waiting.longest { address in
        OpaquePointer(bitPattern: address).map { lws_get_socket_fd($0) } ?? -1
      }
      guard let longest, let wsi = OpaquePointer(bitPattern: longest) else { return }
      waiting.remove(longest)
      let tokens = Self.methods.map(\.0) + [WSI_TOKEN_HTTP_URI_ARGS]
      let path = tokens.reduce(0) { $0 + Int(lws_hdr_total_length(wsi, $1)) }
      let limit = "a request's header may have \(Self.maximumHeader) bytes.\n"
      let refusal: HTTPResponse =
        path > Self.maximumHeader / 2
        ? .text("The path is too long: \(limit)", status: 414)
        : .text("The header is too long: \(limit)", status: 431)
      _ = writeRefusal(refusal, to: wsi)
    }

    /// Writes a whole answer at once, where the library has no request yet.
    func writeRefusal(_ refusal: HTTPResponse, to wsi: OpaquePointer) -> Bool {
      // The library does not know the request's HTTP version yet and would answer with 1.0.
      var head = "HTTP/1.1 \(refusal.status) Refused\r\nconnection: close\r\n"
      for (name, value) in refusal.headers.fields { head += "\(name): \(value)\r\n" }
      guard case .bytes(let body) = refusal.body else { return false }
      head += "content-length: \(body.count)\r\n\r\n"
      return write(Array(head.utf8) + body, to: wsi, as: LWS_WRITE_HTTP_HEADERS)
    }

    /// The request's header; `path` is where the request line put it.
    func request(_ wsi: OpaquePointer) -> HTTPRequest {
      var request = HTTPRequest(method: "", path: "/")
      for (token, method) in Self.methods where lws_hdr_total_length(wsi, token) > 0 {
        request.method = method
        request.path = header(wsi, token) ?? "/"
      }
      for (token, name) in Self.fields {
        if let value = header(wsi, token) { request.headers[name] = value }
      }
      request.query = query(wsi)
      request.isSecure = configuration.tls != nil
      return request
    }

    private func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
      let length = Int(lws_hdr_total_length(wsi, token))
      guard length > 0 else { return nil }
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
        guard let start = buffer.baseAddress,
          lws_hdr_copy(wsi, start, Int32(length + 1), token) >= 0
        else { return nil }
        return String(cString: start)
      }
    }

    private func query(_ wsi: OpaquePointer) -> String {
      var pairs: [String] = []
      let capacity = 4096
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        guard let start = buffer.baseAddress else { return }
        while pairs.count < 64,
          lws_hdr_copy_fragment(
            wsi, start, Int32(capacity), WSI_TOKEN_HTTP_URI_ARGS, Int32(pairs.count)) >= 0
        {
          pairs.append(String(cString: start))
        }
      }
      return pairs.joined(separator: "&")
    }

    func takeBody(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ length: Int) -> Int32 {
      guard let link = link(wsi), let input, link.response == nil else { return 0 }
      link.request?.body += UnsafeRawBufferPointer(start: input, count: length)
      return (link.request?.body.count ?? 0) > configuration.maximumBody ? -1 : 0
    }

    func endBody(_ wsi: OpaquePointer) -> Int32 {
      guard let link = link(wsi) else { return -1 }
      if link.response == nil { dispatch(link) }
      return 0
    }

    /// Hands the request on, once: the library tells of the end of a body of no bytes too.
    private func dispatch(_ link: Link) {
      guard let request = link.request, !link.isDispatched else { return }
      link.isDispatched = true
      waiting.remove(UInt(bitPattern: link.wsi))
      lws_set_timeout(link.wsi, PENDING_TIMEOUT_HTTP_CONTENT, 30)
      let (id, number, mailbox, respond) = (link.id, link.requestNumber, mailbox, handlers.respond)
      Task {
        let response = await respond(request)
        mailbox.post(.respond(response, request: number), to: id)
      }
    }

    func writeResponse(_ wsi: OpaquePointer) -> Int32 {
      guard let link = link(wsi), let response = link.response else { return 0 }
      let isHead = link.request?.method == "HEAD"
      let total = isHead ? 0 : response.body.count
      guard let written = link.written else {
        guard writeHeader(response, link) else { return -1 }
        link.written = 0
        if total == 0 { return endResponse(link) }
        lws_callback_on_writable(wsi)
        return 0
      }
      let count = min(Self.fileChunk, total - written)
      let isLast = written + count == total
      let kind = isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP
      let isWritten =
        switch response.body {
        case .bytes(let bytes): write(bytes[written..<written + count], to: wsi, as: kind)
        case .file(let file, let offset, _):
          write(file, offset: offset + written, count: count, to: wsi, as: kind)
        }
      guard isWritten else { return -1 }
      link.written = written + count
      if isLast { return endResponse(link) }
      lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, 30)
      lws_callback_on_writable(wsi)
      return 0
    }

    private func endResponse(_ link: Link) -> Int32 {
      link.response = nil
      link.request = nil
      if link.closesAfterResponse { return -1 }
      waiting.add(
        UInt(bitPattern: link.wsi),
        earlierBytes: WaitingConnections.readBytes(lws_get_socket_fd(link.wsi)))
      return lws_http_transaction_completed(link.wsi) != 0 ? -1 : 0
    }

    /// Writes status and header fields; false when the connection is lost.
    func writeHeader(_ response: HTTPResponse, _ link: Link) -> Bool {
      let wsi = link.wsi
      var buffer = [UInt8](repeating: 0, count: Self.pre + (8 << 10))
      return buffer.withUnsafeMutableBufferPointer { buffer -> Bool in
        guard let base = buffer.baseAddress else { return false }
        let start = base + Self.pre
        let end = base + buffer.count
        var place: UnsafeMutablePointer<UInt8>? = start
        guard lws_add_http_header_status(wsi, UInt32(response.status), &place, end) == 0 else {
          return false
        }
        var fields = response.headers.fields
        if response.status != 304 { fields.append(("content-length", String(response.body.count))) }
        if link.closesAfterResponse { fields.append(("connection", "close")) }
        for (name, value) in fields where !value.utf8.contains(where: { $0 < 0x20 }) {
          let isAdded = lws_add_http_header_by_name(
            wsi, name + ":", value, Int32(value.utf8.count), &place, end)
          guard isAdded == 0 else { return false }
        }
        guard lws_finalize_http_header(wsi, &place, end) == 0, let place else { return false }
        let count = place - start
        return lws_write(wsi, start, count, LWS_WRITE_HTTP_HEADERS) >= count
      }
    }
  }
#endif
