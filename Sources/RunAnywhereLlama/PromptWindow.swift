import RunAnywhere

/// Chooses which messages of a conversation a context has room for.
struct PromptWindow {
  /// Turns are dropped in blocks, so that the cached beginning of the prompt stays the same for
  /// several turns after the context filled up.
  private static let blockOfPairs = 4

  /// Most tokens that the prompt may have.
  let limit: Int

  /// The messages to show: all system messages, and as many of the latest others as fit.
  /// Returns nil when not even the last message fits.
  func fit(_ messages: [ChatMessage], count: ([ChatMessage]) throws -> Int) rethrows -> [ChatMessage]? {
    if try count(messages) <= limit { return messages }
    let turns = messages.indices.filter { messages[$0].role != .system }
    guard turns.count > 1 else { return nil }
    let pairs = (turns.count - 1) / 2
    let blocks = Array(stride(from: Self.blockOfPairs, through: pairs, by: Self.blockOfPairs))
    let single = Array(((blocks.last ?? 0) + 1)...(pairs + 1))
    for dropped in blocks + single {
      let rest = dropping(min(dropped * 2, turns.count - 1), of: turns, from: messages)
      if try count(rest) <= limit { return rest }
    }
    return nil
  }

  private func dropping(_ count: Int, of turns: [Int], from messages: [ChatMessage]) -> [ChatMessage] {
    let dropped = Set(turns.prefix(count))
    return messages.indices.filter { !dropped.contains($0) }.map { messages[$0] }
  }
}
