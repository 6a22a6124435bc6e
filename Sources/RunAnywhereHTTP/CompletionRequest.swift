import RunAnywhere

/// The body of a streamed chat completion.
struct CompletionRequest: Encodable {
  struct Message: Encodable {
    let role: String
    let content: String
  }
  let model: String
  let messages: [Message]
  let stream = true
  let max_tokens: Int
  let temperature: Float
  let top_p: Float
  // Fields beyond OpenAI's, which local servers know and others ignore.
  let top_k: Int
  let min_p: Float
  let repeat_penalty: Float
  let seed: UInt64?
  let stop: [String]?

  init(_ model: String, _ messages: [ChatMessage], _ options: LlmOptions) {
    self.model = model
    var all = messages.map { Message(role: $0.role.rawValue, content: $0.content) }
    if let prompt = options.systemPrompt, !messages.contains(where: { $0.role == .system }) {
      all.insert(Message(role: "system", content: prompt), at: 0)
    }
    self.messages = all
    max_tokens = options.maxOutputTokens
    temperature = options.temperature
    top_p = options.topP
    top_k = options.topK
    min_p = options.minP
    repeat_penalty = options.repetitionPenalty
    seed = options.seed
    stop = options.stopSequences.isEmpty ? nil : options.stopSequences
  }
}

/// One event of a streamed chat completion.
struct CompletionChunk: Decodable {
  struct Choice: Decodable {
    struct Delta: Decodable { let content: String? }
    let delta: Delta?
    let finish_reason: String?
  }
  let choices: [Choice]?
}
