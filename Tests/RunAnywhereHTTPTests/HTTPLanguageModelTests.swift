import RunAnywhere
import Testing
import VoiceAudio
import VoiceIO

@testable import RunAnywhereHTTP

@Suite("Language models over HTTP")
struct HTTPLanguageModelTests {
  @Test(
    "an address names the server, the path and the model",
    arguments: [
      ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1", nil as String?),
      ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1", nil),
      ("http://localhost:8080/v1/", "http://localhost:8080/v1", nil),
      ("https://example.org/v1/chat/completions#a%2Fb", "https://example.org/v1", "a/b"),
      ("http://[::1]:9/v1#llama3.2", "http://[::1]:9/v1", "llama3.2"),
    ])
  func address(text: String, base: String, model: String?) throws {
    let engine = try HTTPLanguageModel(text)
    #expect(engine.base == base)
    #expect(engine.model == model)
  }

  @Test(
    "what is no web address is refused", arguments: ["", "ftp://a/v1", "http://", "a b", "http://u:p@h/v1"])
  func refused(text: String) {
    #expect(throws: SDKException.self) { try HTTPLanguageModel(text) }
  }

  @Test("a key does not travel unprotected")
  func unprotectedKey() throws {
    #expect(throws: SDKException.self) { try HTTPLanguageModel("http://example.org/v1", key: "secret") }
    _ = try HTTPLanguageModel("https://example.org/v1", key: "secret")
    _ = try HTTPLanguageModel("http://127.0.0.1:1/v1", key: "secret")
  }

  @Test("a server that is not there is named")
  func nobodyThere() async throws {
    let engine = try HTTPLanguageModel("http://127.0.0.1:9/v1#m")
    let error = await #expect(throws: SDKException.self) {
      try await engine.generate([], options: LlmOptions()) { _ in true }
    }
    #expect(error?.code == .networkUnavailable)
    #expect(error?.message.contains("http://127.0.0.1:9/v1") == true)
  }

  @Test(
    "an answer that is no completion becomes one line",
    arguments: [
      (
        404, #"{"error":{"message":"model 'x'\n not found"}}"#, ["a", "b"],
        "The language model at B answered 404 (not found): model 'x' not found. "
          + "It has no “x”. Name one of its models behind #: a, b."
      ),
      (
        404, #"{"error":"no such thing"}"#, [],
        "The language model at B answered 404 (not found): no such thing. "
          + "Check the address, which mostly ends in /v1, and the model's name behind #."
      ),
      (
        501, "<!DOCTYPE HTML>\n<html></html>", [],
        "The language model at B answered 501 (not implemented). "
          + "Check that the address is that of an OpenAI-compatible server."
      ),
      (
        401, "", [],
        "The language model at B answered 401 (unauthorized). Check its key, which the commands take from "
          + "YOOB_LLM_KEY."
      ),
      (418, "I am a\nteapot!", [], "The language model at B answered 418: I am a teapot!"),
      (418, #"["no", "text"]"#, [], "The language model at B answered 418."),
    ] as [(Int, String, [String], String)])
  func refusal(status: Int, body: String, known: [String], text: String) {
    var refusal = ServerRefusal(status: status, body: Array(body.utf8))
    refusal.model = "x"
    refusal.known = known
    #expect(refusal.exception(from: "B").errorDescription == text)
  }

  @Test("long answers and long lists of models are cut")
  func longRefusal() throws {
    var refusal = ServerRefusal(status: 404, body: Array(String(repeating: "word ", count: 500).utf8))
    refusal.model = "x"
    refusal.known = (0..<100).map { "m\($0)" }
    let text = try #require(refusal.exception(from: "B").errorDescription)
    #expect(text.contains("m7 ….") && !text.contains("m8"))
    #expect(text.count < 400)
  }

  @Test("events are the same however the bytes are cut")
  func cuts() {
    let stream = Array(
      "data: one\r\n\r\n: remark\ndata:two\ndata: three\n\nevent: x\n\ndata: [DONE]\n\n".utf8)
    var whole = ServerSentEvents()
    let expected = whole.process(stream).map { String(decoding: $0, as: UTF8.self) }
    #expect(expected == ["one", "two\nthree", "[DONE]"])
    for cut in 0..<stream.count {
      var parts = ServerSentEvents()
      let found = parts.process(stream[..<cut]) + parts.process(stream[cut...])
      #expect(found.map { String(decoding: $0, as: UTF8.self) } == expected)
    }
  }

  @Test("rubbish is no event and no crash")
  func fuzz() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<200 {
      var parser = ServerSentEvents()
      let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for event in parser.process(bytes) { #expect(event.count <= bytes.count) }
    }
  }

  @Test("a stop sequence ends the text before it, also across pieces")
  func stop() throws {
    let spoken = Guarded("")
    var options = LlmOptions()
    options.stopSequences = ["END"]
    let reader = CompletionReader(options) { piece in
      spoken.withLock { $0 += piece }
      return true
    }
    for piece in ["Hello", " wor", "ld E", "ND of"] {
      let json = "data: {\"choices\":[{\"delta\":{\"content\":\"\(piece)\"}}]}\n\n"
      Array(json.utf8).withUnsafeBufferPointer { _ = reader.take($0) }
    }
    let answer = HTTPExchange.Answer(status: 200)
    let result = try reader.result(answer, from: "http://h/v1")
    #expect(result.text == "Hello world ")
    #expect(result.finishReason == .stop)
    #expect(spoken.withLock { $0 } == "Hello world ")
  }

  @Test("a reply that is long enough ends with its sentence")
  func softLimit() throws {
    let spoken = Guarded("")
    var options = LlmOptions()
    options.softOutputTokens = 2
    let reader = CompletionReader(options) { piece in
      spoken.withLock { $0 += piece }
      return true
    }
    var goesOn = true
    for piece in ["One.", " Two", " words.", " More", " words."] {
      let json = "data: {\"choices\":[{\"delta\":{\"content\":\"\(piece)\"}}]}\n\n"
      Array(json.utf8).withUnsafeBufferPointer { goesOn = reader.take($0) }
    }
    #expect(!goesOn)
    let result = try reader.result(
      HTTPExchange.Answer(status: 200), from: "http://h/v1")
    #expect(result.text == "One. Two words.")
    #expect(result.finishReason == .stop)
    #expect(spoken.withLock { $0 } == "One. Two words.")
  }
}
