/// What is heard of the replies.
extension RealtimeClientSession {
  /// The response is cancelled, and the provider learns what was heard of each item.
  mutating func cut(_ interruption: ConversationCore.Interruption) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    if let id = interruption.cancelID, core.link.isReady { actions.append(cancel(id)) }
    return interruption.entries.reduce(into: actions) { $0 += cut($1) }
  }

  /// Stops the reply: what is queued is never heard, and what still comes of it is ignored.
  mutating func interrupt(at now: Double) -> [ConversationAction] {
    core.replyDeadline = nil
    guard let id = activeID else {
      if createDeadline != nil { discardsNextUntil = now + ConversationLimits.turn }
      return silence(cancelID: nil, at: now)
    }
    closed.insert(id)
    activeID = nil
    cancelling = (id, now + Self.cancelTimeout)
    let stopped = core.calls.filter { $0.responseID == id }
    core.calls.removeAll { $0.responseID == id }
    return stopped.map { .cancelTool(id: $0.id) } + silence(cancelID: id, at: now)
  }

  mutating func silence(cancelID: String?, at now: Double) -> [ConversationAction] {
    var actions = resolveUnanswered()
    guard core.ledger.isSounding else {
      for entry in core.ledger.removeAll() { actions += cut(entry) }
      if let cancelID, core.link.isReady { actions.append(cancel(cancelID)) }
      return actions
    }
    holdDeadline = nil
    return actions + core.silence(cancelID: cancelID, until: now + ConversationLimits.sink)
  }

  /// Tells what was heard of an item that was cut. One of which nothing was heard is deleted: a truncation at
  /// zero is an error to providers.
  private mutating func cut(_ entry: PlaybackLedger.Entry) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    closedItems.insert(entry.itemID)
    let text = entry.heardText
    if !text.isEmpty {
      core.history.add(.assistant, text)
      actions.append(.transcript(.init(role: .assistant, itemID: entry.itemID, text: text, isFinal: true)))
    }
    guard core.link.isReady, entry.hasSound else { return actions }
    if let retoldID = entry.retoldID {
      actions.append(delete(retoldID))
      if !text.isEmpty { actions.append(create(Self.message(.assistant, text))) }
    } else if entry.isOrphan {
      // No provider knows of it yet: the history tells it.
    } else if entry.isComplete, entry.heard >= entry.received {
      // The provider takes it to be heard anyway.
    } else if entry.heardMs > 0 {
      actions.append(
        send([
          "type": "conversation.item.truncate", "event_id": .string(eventID("quiet")),
          "item_id": .string(entry.itemID), "content_index": .int(entry.contentIndex),
          "audio_end_ms": .int(entry.heardMs),
        ]))
    } else {
      actions.append(delete(entry.itemID))
    }
    return actions
  }

  private mutating func delete(_ itemID: String) -> ConversationAction {
    send([
      "type": "conversation.item.delete", "event_id": .string(eventID("quiet")), "item_id": .string(itemID),
    ])
  }

  /// All of the item was heard, or read.
  mutating func finish(_ itemID: String) -> [ConversationAction] {
    guard let entry = core.ledger.remove(itemID) else { return [] }
    if !core.ledger.isSounding { holdDeadline = nil }
    closedItems.insert(itemID)
    let text = entry.caption.text
    guard !text.isEmpty else { return [] }
    core.history.add(.assistant, text)
    return [.transcript(.init(role: .assistant, itemID: itemID, text: text, isFinal: true))]
  }
}
