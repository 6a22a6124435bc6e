#if os(Linux)
  import Testing

  @testable import YoobNet

  @Suite("Redirects")
  struct RedirectTests {
    private func next(
      _ status: Int, _ location: String?, method: String = "POST",
      from url: String = "https://a.example/x/y?z"
    ) throws(NetError) -> HTTPClientRequest? {
      var request = HTTPClientRequest(
        method: method, url: url,
        headers: [
          ("Authorization", "k"), ("cookie", "c"), ("Content-Type", "t"), ("X-Api-Key", "k"), ("Range", "r"),
        ], body: [1])
      request.maxRedirects = 3
      var headers = HTTPHeaders()
      headers["location"] = location
      return try Redirect.next(after: request, status: status, headers: headers, followed: 0)
    }

    @Test(
      "a location is read from where it was given",
      arguments: [
        ("/b", "https://a.example/b"), ("b?c", "https://a.example/x/b?c"), ("?q", "https://a.example/x/y?q"),
        ("//b.example/c", "https://b.example/c"), ("https://b.example", "https://b.example/"),
        ("../../../c", "https://a.example/c"), ("https://B.example:8443/#f", "https://b.example:8443/"),
      ])
    func location(text: String, url: String) throws {
      #expect(try next(307, text)?.url == url)
    }

    @Test(
      "a location that is no web address ends the request",
      arguments: ["ftp://a/", "file:///etc/passwd", "https://u:p@a.example/", "javascript:1", "http://["])
    func badLocation(text: String) {
      #expect(throws: NetError.badRedirect(reason: "it leads to no web address")) { try next(302, text) }
    }

    @Test("https never leads to http")
    func downgrade() throws {
      #expect(throws: NetError.badRedirect(reason: "it leads from https to http")) {
        try next(302, "http://a.example/")
      }
      #expect(try next(302, "https://a.example/", from: "http://127.0.0.1/")?.url == "https://a.example/")
    }

    @Test(
      "fields that may hold secrets stay within the origin",
      arguments: ["https://b.example/", "https://a.example:8443/"])
    func secrets(location: String) throws {
      #expect(
        try next(307, "/other")?.headers.map(\.name)
          == ["Authorization", "cookie", "Content-Type", "X-Api-Key", "Range"])
      #expect(try next(307, location)?.headers.map(\.name) == ["Content-Type", "Range"])
    }

    @Test(
      "a form that was sent is fetched after 301, 302 and 303, and sent again after 307 and 308",
      arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "HEAD", "HEAD"), (301, "PUT", "PUT"), (307, "POST", "POST"), (308, "POST", "POST"),
      ])
    func methods(status: Int, method: String, then: String) throws {
      let request = try next(status, "/b", method: method)
      #expect(request?.method == then)
      let keepsBody = method == then
      #expect(request?.body == (keepsBody ? [1] : nil))
      #expect(request?.headers.contains { $0.name == "Content-Type" } == keepsBody)
    }

    @Test("no other answer redirects", arguments: [200, 300, 304, 404])
    func others(status: Int) throws {
      #expect(try next(status, "/b") == nil)
      #expect(try next(302, nil) == nil)
    }

    /// Answers every request with a redirect to the next number, up to `count`.
    private func chain(_ count: Int) -> RawServer {
      RawServer { peer in
        while true {
          let head = peer.readHead()
          guard let path = head.split(separator: " ").dropFirst().first else { return }
          let number = Int(path.dropFirst()) ?? 0
          peer.write(
            number == count
              ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone"
              : "HTTP/1.1 302 Found\r\nLocation: /\(number + 1)\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }

    @Test("redirects are followed as far as they are asked for")
    func following() async throws {
      let server = chain(3)
      defer { server.stop() }
      let client = SystemHTTPClient()
      var request = HTTPClientRequest(url: server.http)
      #expect(try await client.send(request).status == 302)
      request.maxRedirects = 2
      let short = request
      await #expect(throws: NetError.badRedirect(reason: "there are more than 2 in a row")) {
        try await client.send(short)
      }
      request.maxRedirects = 3
      #expect(try await client.send(request).body == Array("done".utf8))
    }

    @Test("a loop ends")
    func loop() async {
      let server = chain(-1)
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.maxRedirects = 20
      let final = request
      await #expect(throws: NetError.badRedirect(reason: "there are more than 20 in a row")) {
        try await SystemHTTPClient().send(final)
      }
    }

    @Test("a redirect to plain http on another machine is refused")
    func leavesThisMachine() async {
      let server = RawServer { peer in
        _ = peer.readHead()
        peer.write("HTTP/1.1 302 Found\r\nLocation: http://example.org/\r\nContent-Length: 0\r\n\r\n")
      }
      defer { server.stop() }
      var request = HTTPClientRequest(url: server.http)
      request.maxRedirects = 5
      let final = request
      await #expect(throws: NetError.unprotected(host: "example.org")) {
        try await SystemHTTPClient().send(final)
      }
    }
  }
#endif
