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
  let seed: UInt64?
  let stop: [String]?

  init(_ model: String, _ messages: [ChatMessage], _ options: LlmOptions) {
    self.model = model
    self.messages = messages.map { Message(role: $0.role.rawValue, content: $0.content) }
    max_tokens = options.maxOutputTokens
    temperature = options.temperature
    top_p = options.topP
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
