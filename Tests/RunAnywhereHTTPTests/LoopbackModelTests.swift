#if os(Linux)
  import RunAnywhere
  import Testing
  import VoiceIO
  import YoobNet

  @testable import RunAnywhereHTTP

  @Suite("Language models of this machine")
  struct LoopbackModelTests {
    private static let events = ["Hello", " there", "."].map {
      "data: {\"choices\":[{\"delta\":{\"content\":\"\($0)\"}}]}\n\n"
    }

    /// What comes of a question to a server that answers completions with `answer`.
    private func ask(
      _ answer: HTTPResponse, key: String? = nil, onText: @escaping @Sendable (String) -> Bool
    ) async throws -> GenerationResult {
      let server = HTTPServer(
        HTTPServerConfiguration(port: 0),
        handlers: HTTPServerHandlers(respond: { request in
          guard request.headers["authorization"] == key.map({ "Bearer \($0)" }) else {
            return .json("{}", status: 401)
          }
          switch (request.method, request.path) {
          case ("GET", "/v1/models"): return .json("{\"data\":[{\"id\":\"small\"}]}")
          case ("POST", "/v1/chat/completions"):
            let names = String(decoding: request.body, as: UTF8.self).contains("\"model\":\"small\"")
            return names ? answer : .text("Which?", status: 400)
          default: return .text("Not found.", status: 404)
          }
        }))
      let port = try await server.start()
      let outcome: Result<GenerationResult, any Error>
      do {
        let engine = try HTTPLanguageModel("http://127.0.0.1:\(port)", key: key)
        outcome = .success(
          try await engine.generate(
            [ChatMessage(role: .user, content: "Hi")], options: LlmOptions(), onText: onText))
      } catch {
        outcome = .failure(error)
      }
      await server.stop()
      return try outcome.get()
    }

    @Test("the first model that a server lists answers, with the key", arguments: [nil, "k"] as [String?])
    func answers(key: String?) async throws {
      let spoken = Guarded("")
      let result = try await ask(.text(Self.events.joined() + "data: [DONE]\n\n"), key: key) { piece in
        spoken.withLock { $0 += piece }
        return true
      }
      #expect(result.text == "Hello there.")
      #expect(spoken.withLock { $0 } == "Hello there.")
      #expect(result.finishReason == .stop)
    }

    @Test("who has heard enough ends the answer")
    func cancelled() async throws {
      let result = try await ask(.text(Self.events.joined())) { _ in false }
      #expect(result.finishReason == .cancelled)
    }

    @Test("HTML instead of a completion is told")
    func html() async throws {
      let error = await #expect(throws: SDKException.self) {
        try await ask(.text("<html>", type: "text/html")) { _ in true }
      }
      #expect(error?.message.contains("no chat completion") == true)
    }
  }
#endif
