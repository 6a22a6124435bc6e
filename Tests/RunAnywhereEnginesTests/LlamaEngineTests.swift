import Foundation
import RunAnywhere
import RunAnywhereLlama
import Synchronization
import Testing

@Suite("Language model", .serialized)
struct LlamaEngineTests {
  static let conversation = [
    ChatMessage(
      role: .system, content: "You are Luna, a warm, concise voice assistant. Answer in one sentence."),
    ChatMessage(role: .user, content: "What is the capital of France?"),
  ]

  static func options(maxOutputTokens: Int = 24) -> LlmOptions {
    var options = LlmOptions()
    options.temperature = 0
    options.maxOutputTokens = maxOutputTokens
    return options
  }

  @Test("the pieces that stream are the text of the result")
  func streams() async throws {
    let llm = try await TestModels.loadLlm()
    let pieces = Mutex<[String]>([])
    let result = try await llm.generate(Self.conversation, options: Self.options()) { piece in
      pieces.withLock { $0.append(piece) }
      return true
    }
    #expect(result.text.contains("Paris"))
    #expect(pieces.withLock { $0.joined() } == result.text)
    #expect(pieces.withLock { $0.count } > 3)
    #expect(result.inputTokens > 20)
    #expect(result.outputTokens > 3)
  }

  @Test("a second call reads only what is new in the prompt")
  func reusesPrefix() async throws {
    let llm = try await TestModels.loadLlm()
    let first = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    #expect(first.cachedTokens == 0)
    let next =
      Self.conversation + [
        ChatMessage(role: .assistant, content: first.text), ChatMessage(role: .user, content: "Thank you."),
      ]
    let second = try await llm.generate(next, options: Self.options()) { _ in true }
    #expect(second.cachedTokens >= first.inputTokens)
    #expect(second.cachedTokens < second.inputTokens)
  }

  /// Tokens that the model reads in a turn after one whose reply was heard up to `words` words.
  private func newTokens(
    afterHearing words: Int?, prefilling: Bool = false
  ) async throws -> (new: Int, prompt: Int) {
    let llm = try await TestModels.loadLlm()
    let first = try await llm.generate(Self.story, options: Self.options(maxOutputTokens: 60)) { _ in true }
    var messages = Self.story
    let heard = words.map { first.text.split(separator: " ").prefix($0).joined(separator: " ") } ?? first.text
    #expect(first.text.hasPrefix(heard))
    if !heard.isEmpty { messages.append(ChatMessage(role: .assistant, content: heard)) }
    if prefilling { await llm.prefill(messages, options: Self.options()) }
    messages.append(ChatMessage(role: .user, content: "Stop. What is the capital of France?"))
    let second = try await llm.generate(messages, options: Self.options()) { _ in true }
    return (second.inputTokens - second.cachedTokens, second.inputTokens)
  }

  static let story = [
    conversation[0], ChatMessage(role: .user, content: "Tell me a long story about a fox and a river."),
  ]

  @Test(
    "after an interruption only what is new is read: the prompt stays up to the last word that was heard",
    arguments: [0, 1, 7, 20])
  func reusesHeardPart(words: Int) async throws {
    let whole = try await newTokens(afterHearing: nil)
    let cut = try await newTokens(afterHearing: words)
    #expect(cut.prompt < whole.prompt)
    // One token more where the last word that was heard was written as a part of a longer token.
    #expect(cut.new <= whole.new + 1)
    #expect(cut.new < 30)
  }

  @Test("what was read while the user spoke is not read again", arguments: [nil, 7])
  func reusesPrefilled(words: Int?) async throws {
    let without = try await newTokens(afterHearing: words)
    let with = try await newTokens(afterHearing: words, prefilling: true)
    #expect(with.prompt == without.prompt)
    #expect(with.new < without.new)
  }

  @Test("a question that went on is read from where it differs")
  func reusesQuestion() async throws {
    let llm = try await TestModels.loadLlm()
    _ = try await llm.generate(Self.conversation, options: Self.options(maxOutputTokens: 8)) { _ in true }
    var longer = Self.conversation
    longer[1].content = "What is the capital of France? And what is the capital of Spain?"
    let result = try await llm.generate(longer, options: Self.options(maxOutputTokens: 8)) { _ in true }
    #expect(result.inputTokens - result.cachedTokens < 20)
  }

  @Test("a reply is the same whether its prompt was cached or not")
  func cacheDoesNotChangeReplies() async throws {
    let llm = try await TestModels.loadLlm()
    let first = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    let again = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    #expect(again.cachedTokens == again.inputTokens - 1)
    #expect(again.text == first.text)
  }

  @Test("a prefilled prompt is in the cache when the reply is asked for")
  func prefills() async throws {
    let llm = try await TestModels.loadLlm()
    await llm.prefill([Self.conversation[0]], options: Self.options())
    let result = try await llm.generate(Self.conversation, options: Self.options(maxOutputTokens: 2)) { _ in
      true
    }
    #expect(result.cachedTokens > 15)
  }

  // MARK: The end of a message

  private func likelihood(_ text: String, _ llm: any MessageEndJudging) async throws -> Float {
    let messages = [Self.conversation[0], ChatMessage(role: .user, content: text)]
    return try #require(await llm.endLikelihood(of: messages, options: Self.options()))
  }

  @Test(
    "whole messages are told from those that were cut",
    arguments: [
      ("What is the capital of France?", "What is the capital of"),
      ("I would like a cup of tea.", "I would"),
      ("Can you wake me up at a quarter past six tomorrow?", "Can you wake me up at a"),
    ])
  func judges(whole: String, cut: String) async throws {
    let llm = try #require(try await TestModels.loadLlm() as? any MessageEndJudging)
    #expect(try await likelihood(whole, llm) > 0.1)
    #expect(try await likelihood(cut, llm) < 0.02)
  }

  @Test("marks that the recognizer put at the end change nothing")
  func judgesWordsAlone() async throws {
    let llm = try #require(try await TestModels.loadLlm() as? any MessageEndJudging)
    let bare = try await likelihood("What is the capital of", llm)
    for text in ["What is the capital of?", "What is the capital of...", "What is the capital of. "] {
      #expect(abs(try await likelihood(text, llm) - bare) < 1e-4)
    }
  }

  @Test("what was read to judge a message is in the cache for its reply, which stays the same")
  func judgementKeepsCache() async throws {
    let llm = try await TestModels.loadLlm()
    let judge = try #require(llm as? any MessageEndJudging)
    let expected = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    let other = [Self.conversation[0], ChatMessage(role: .user, content: "Tell me a story.")]
    _ = await judge.endLikelihood(of: other, options: Self.options())
    _ = await judge.endLikelihood(of: Self.conversation, options: Self.options())
    let result = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    #expect(result.text == expected.text)
    // The final mark, the end of the message and the head of the reply are left.
    #expect(result.inputTokens - result.cachedTokens < 10)
  }

  @Test("nothing is told of a conversation without a message of the user at its end")
  func judgesNothing() async throws {
    let llm = try #require(try await TestModels.loadLlm() as? any MessageEndJudging)
    #expect(await llm.endLikelihood(of: [], options: Self.options()) == nil)
    #expect(await llm.endLikelihood(of: [Self.conversation[0]], options: Self.options()) == nil)
  }

  @Test("the text ends before a stop sequence")
  func stops() async throws {
    let llm = try await TestModels.loadLlm()
    var options = Self.options()
    options.stopSequences = ["Paris"]
    let result = try await llm.generate(Self.conversation, options: options) { _ in true }
    #expect(!result.text.contains("Paris"))
    #expect(result.finishReason == .stop)
  }

  @Test("the reply has at most as many tokens as asked for")
  func limitsLength() async throws {
    let llm = try await TestModels.loadLlm()
    let result = try await llm.generate(Self.conversation, options: Self.options(maxOutputTokens: 3)) { _ in
      true
    }
    #expect(result.outputTokens == 3)
    #expect(result.finishReason == .length)
  }

  @Test("the same seed writes the same text")
  func seeds() async throws {
    let llm = try await TestModels.loadLlm()
    var options = Self.options()
    options.temperature = 0.9
    options.seed = 11
    let first = try await llm.generate(Self.conversation, options: options) { _ in true }
    let second = try await llm.generate(Self.conversation, options: options) { _ in true }
    #expect(first.text == second.text)
  }

  @Test("a listener that returns false ends the reply")
  func listenerStops() async throws {
    let llm = try await TestModels.loadLlm()
    let result = try await llm.generate(Self.conversation, options: Self.options()) { _ in false }
    #expect(result.finishReason == .cancelled)
    #expect(result.outputTokens == 1)
  }

  @Test("a cancelled task ends its reply, and the next reply is whole")
  func cancels() async throws {
    let llm = try await TestModels.loadLlm()
    let expected = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    let task = Task {
      try await llm.generate(Self.conversation, options: Self.options()) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return true
      }
    }
    let cut = try await task.value
    #expect(cut.finishReason == .cancelled)
    #expect(cut.outputTokens == 1)
    let whole = try await llm.generate(Self.conversation, options: Self.options()) { _ in true }
    #expect(whole.text == expected.text)
  }

  @Test("the oldest turns make room in a full context, the system message stays")
  func dropsOldTurns() async throws {
    let llm = try await TestModels.loadLlm(contextLength: 256)
    var messages = [Self.conversation[0]]
    for turn in 0..<12 {
      messages.append(
        ChatMessage(role: .user, content: "Tell me about the number \(turn) and why it matters."))
      messages.append(ChatMessage(role: .assistant, content: "It is one more than the number before it."))
    }
    messages.append(Self.conversation[1])
    let result = try await llm.generate(messages, options: Self.options(maxOutputTokens: 16)) { _ in true }
    #expect(result.inputTokens <= 240)
    #expect(result.text.contains("Paris"))
  }

  @Test("a message that alone is longer than the context is refused by name")
  func refusesLongMessages() async throws {
    let llm = try await TestModels.loadLlm(contextLength: 128)
    let long = [ChatMessage(role: .user, content: String(repeating: "word ", count: 400))]
    let error = await #expect(throws: SDKException.self) {
      try await llm.generate(long, options: Self.options()) { _ in true }
    }
    #expect(error?.code == .contextTooLong)
  }

  @Test(
    "what spells a control token inside a message or the instructions stays text",
    arguments: ["<|im_end|>", "<|im_start|>", "<|endoftext|>", "<repo_name>", "<file_sep>", "<empty_output>"])
  func spelledTokens(token: String) async throws {
    let llm = try await TestModels.loadLlm()
    let one = Self.options(maxOutputTokens: 1)
    for role in [ChatMessage.Role.system, .user] {
      func conversation(_ text: String) -> [ChatMessage] {
        Self.conversation.map { $0.role == role ? ChatMessage(role: role, content: text) : $0 }
      }
      let plain = try await llm.generate(conversation("Say: it"), options: one) { _ in true }
      let marked = try await llm.generate(conversation("Say: it\(token)"), options: one) { _ in true }
      #expect(marked.inputTokens > plain.inputTokens + 2)
    }
  }

  @Test("a damaged file is named", arguments: [0, 1, 4_000, 3_000_000])
  func namesDamagedFile(size: Int) async throws {
    let name = "SmolLM2-135M-Instruct.Q4_1.gguf"
    let original = try Data(
      contentsOf: TestModels.folder(of: TestModels.llm).appendingPathComponent(name), options: .alwaysMapped)
    let folder = try TestModels.folder(of: TestModels.llm, replacing: name, by: original.prefix(size))
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: SDKException.self) {
      try await LlamaProvider().load(TestModels.llm, folder: folder, options: LoadOptions())
    }
    #expect(error?.code == .modelLoadFailed)
    #expect(error?.message.contains(name) == true)
  }
}
