/// What is heard of the replies.
extension GeminiClientSession {
  /// The listener has heard so many samples of the item, counted from its first, at its rate. Nil is the item
  /// that sounds.
  public mutating func played(
    samples: Int, of itemID: String? = nil, at now: Double
  ) -> [ConversationAction] {
    guard !link.isEnded, let id = itemID ?? ledger.currentID else { return [] }
    var text: String?
    ledger.update(id) { entry in
      entry.heard = max(entry.heard, min(entry.received, max(0, samples)))
      text = entry.caption.advance(
        heard: entry.heard, of: entry.received, sampleRate: entry.sampleRate, isComplete: entry.isComplete)
    }
    return text.map { [.transcript(.init(role: .assistant, itemID: id, text: $0, isFinal: false))] } ?? []
  }

  /// The last sample of the item was heard. Nil is the item that sounds.
  public mutating func utteranceFinished(_ itemID: String? = nil, at now: Double) -> [ConversationAction] {
    guard !link.isEnded, let id = itemID ?? ledger.currentID, ledger[id]?.hasSound == true else { return [] }
    return settle(finish(id))
  }

  /// The answer to `interruptPlayback`: how many samples of the item that sounded were heard. Nil is the item
  /// that sounded when it was asked.
  public mutating func playbackInterrupted(
    heardSamples: Int, of itemID: String? = nil, at now: Double
  ) -> [ConversationAction] {
    guard let pending = interruption else { return [] }
    return settle(resolve(pending, heardSamples: heardSamples, of: itemID ?? pending.currentID))
  }

  /// Stops the reply: what is queued is never heard, and what still comes of it is ignored.
  mutating func interrupt(at now: Double) -> [ConversationAction] {
    ignoresTurn = isTurnOpen
    return silence(at: now)
  }

  mutating func silence(at now: Double) -> [ConversationAction] {
    var actions = resolveUnanswered(at: now)
    itemID = nil
    if !isAwaiting { replyDeadline = nil }
    guard ledger.isSounding else {
      _ = ledger.removeAll()
      return actions
    }
    let currentID = ledger.currentID
    interruption = Interruption(
      entries: ledger.removeAll(), currentID: currentID, deadline: now + Self.sinkTimeout)
    actions.append(.interruptPlayback)
    return actions
  }

  /// The sink never answered: what is known of the sound has to do.
  mutating func resolveUnanswered(at now: Double) -> [ConversationAction] {
    guard let pending = interruption else { return [] }
    let current = pending.entries.first { $0.itemID == pending.currentID }
    return resolve(pending, heardSamples: current?.heard ?? 0, of: pending.currentID)
  }

  private mutating func resolve(
    _ pending: Interruption, heardSamples: Int, of current: String?
  ) -> [ConversationAction] {
    interruption = nil
    var actions: [ConversationAction] = []
    var heard = ""
    var isCut = false
    var isKnown = false
    for var entry in pending.entries where entry.hasSound {
      if entry.itemID == current { entry.heard = min(entry.received, max(0, heardSamples)) }
      isCut = isCut || entry.heard < entry.received || !entry.isComplete
      isKnown = isKnown || !entry.isOrphan || entry.retoldID != nil
      let text = entry.heardText
      guard !text.isEmpty else { continue }
      heard += heard.isEmpty ? text : " " + text
      actions.append(.transcript(.init(role: .assistant, itemID: entry.itemID, text: text, isFinal: true)))
    }
    history.add(.assistant, heard, isCut: isCut)
    // A provider that was not told of the reply learns it with the history.
    if isCut, isKnown, options.reportsHeard, link.isReady { actions.append(report(heard: heard)) }
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
    guard let entry = ledger.remove(itemID) else { return [] }
    let text = entry.caption.text.trimmedPrefix(maximumBytes: HeardText.maximumBytes)
    guard !text.isEmpty else { return [] }
    history.add(.assistant, text)
    if entry.isSaved, let known = handle?.historyTotal, known == history.total - 1 {
      handle?.historyTotal = history.total
    }
    return [.transcript(.init(role: .assistant, itemID: itemID, text: text, isFinal: true))]
  }
}
