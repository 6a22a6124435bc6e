/// The conversation as the language model sees it: the system prompt and the newest messages.
struct ConversationHistory: Sendable, Equatable {
  /// Characters of messages from which the oldest go, and how many are then left: cutting deep and
  /// seldom keeps the prompt's beginning, which the model has cached.
  private let high: Int
  private let low: Int
  var systemPrompt: String?
  private(set) var messages: [ChatMessage] = []

  init(systemPrompt: String?, maxCharacters: Int = 6000) {
    self.systemPrompt = systemPrompt
    high = maxCharacters
    low = maxCharacters * 2 / 3
  }

  /// What the model is given, `next` behind all that was said.
  func prompt(adding next: ChatMessage? = nil) -> [ChatMessage] {
    let system = systemPrompt.map { [ChatMessage(role: .system, content: $0)] } ?? []
    return system + messages + (next.map { [$0] } ?? [])
  }

  mutating func append(_ message: ChatMessage) {
    messages.append(message)
    trim()
  }

  /// Takes back the newest message if it is the user's `text`.
  mutating func retractUser(_ text: String) {
    if messages.last == ChatMessage(role: .user, content: text) { messages.removeLast() }
  }

  var hasUserMessage: Bool { messages.contains { $0.role == .user } }

  /// Replaces the newest reply by `heard` if it is `text`; by nothing when nothing was heard.
  mutating func shortenReply(_ text: String, to heard: String) {
    guard let place = messages.lastIndex(where: { $0.role == .assistant }),
      messages[place].content == text
    else { return }
    if heard.isEmpty { messages.remove(at: place) } else { messages[place].content = heard }
  }

  private mutating func trim() {
    var size = messages.reduce(0) { $0 + $1.content.count }
    guard size > high else { return }
    while messages.count > 1, size > low || messages.first?.role == .assistant {
      size -= messages.removeFirst().content.count
    }
  }
}
