/// What is heard of the replies.
extension GeminiClientSession {
  /// Stops the reply: what is queued is never heard, and what still comes of it is ignored.
  mutating func interrupt(at now: Double) -> [ConversationAction] {
    ignoresTurn = isTurnOpen
    return silence(at: now)
  }

  mutating func silence(at now: Double) -> [ConversationAction] {
    let actions = resolveUnanswered()
    itemID = nil
    if !isAwaiting { core.replyDeadline = nil }
    guard core.ledger.isSounding else {
      _ = core.ledger.removeAll()
      return actions
    }
    return actions + core.silence(until: now + ConversationLimits.sink)
  }

  /// The model is told what was heard of all that sounded, as one reply.
  mutating func cut(_ interruption: ConversationCore.Interruption) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    var heard = ""
    var isCut = false
    var isKnown = false
    for entry in interruption.entries where entry.hasSound {
      isCut = isCut || entry.heard < entry.received || !entry.isComplete
      isKnown = isKnown || !entry.isOrphan || entry.retoldID != nil
      let text = entry.heardText
      guard !text.isEmpty else { continue }
      heard += heard.isEmpty ? text : " " + text
      actions.append(.transcript(.init(role: .assistant, itemID: entry.itemID, text: text, isFinal: true)))
    }
    core.history.add(.assistant, heard, isCut: isCut)
    // A provider that was not told of the reply learns it with the history.
    if isCut, isKnown, options.reportsHeard, core.link.isReady { actions.append(report(heard: heard)) }
    return actions
  }

  /// The protocol cannot cut a reply where it was heard: the model is told in words.
  private func report(heard: String) -> ConversationAction {
    let words =
      heard.isEmpty
      ? "(I interrupted you before I could hear your last reply.)"
      : "(I interrupted you. Of your last reply I heard only: \"\(heard)\")"
    return send(
      "clientContent",
      ["turns": [["role": "user", "parts": [["text": .string(words)]]]], "turnComplete": false])
  }

  /// All of the item was heard.
  mutating func finish(_ itemID: String) -> [ConversationAction] {
    guard let entry = core.ledger.remove(itemID) else { return [] }
    let text = entry.caption.text.trimmedPrefix(maximumBytes: HeardText.maximumBytes)
    guard !text.isEmpty else { return [] }
    core.history.add(.assistant, text)
    if entry.isSaved, let known = handle?.historyTotal, known == core.history.total - 1 {
      handle?.historyTotal = core.history.total
    }
    return [.transcript(.init(role: .assistant, itemID: itemID, text: text, isFinal: true))]
  }
}
