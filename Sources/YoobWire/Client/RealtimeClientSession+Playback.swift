/// What is heard of the replies.
extension RealtimeClientSession {
  /// The listener has heard so many samples of the item, counted from its first. Nil is the item that sounds.
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
    return settle(finish(id) + respondIfDue(at: now))
  }

  /// The answer to `interruptPlayback`: how many samples of the item that sounded were heard. Nil is the item
  /// that sounded when it was asked.
  public mutating func playbackInterrupted(
    heardSamples: Int, of itemID: String? = nil, at now: Double
  ) -> [ConversationAction] {
    guard let pending = interruption else { return [] }
    let actions = resolve(pending, heardSamples: heardSamples, of: itemID ?? pending.currentID)
    return settle(actions + (link.isEnded ? [] : respondIfDue(at: now)))
  }

  /// Ends an interruption: the response is cancelled, and the provider learns what was heard.
  private mutating func resolve(
    _ pending: Interruption, heardSamples: Int, of current: String?
  ) -> [ConversationAction] {
    interruption = nil
    var actions: [ConversationAction] = []
    if let id = pending.cancelID, link.isReady { actions.append(cancel(id)) }
    for var entry in pending.entries {
      if entry.itemID == current {
        entry.heard = min(entry.received, max(0, heardSamples))
      }
      actions += cut(entry)
    }
    return actions
  }

  /// The sink never answered: what is known of the sound has to do.
  mutating func resolveUnanswered() -> [ConversationAction] {
    guard let pending = interruption else { return [] }
    let current = pending.entries.first { $0.itemID == pending.currentID }
    return resolve(pending, heardSamples: current?.heard ?? 0, of: pending.currentID)
  }

  /// Stops the reply: what is queued is never heard, and what still comes of it is ignored.
  mutating func interrupt(at now: Double) -> [ConversationAction] {
    replyDeadline = nil
    guard let id = activeID else {
      if createDeadline != nil { discardsNextUntil = now + Self.turnTimeout }
      return silence(cancelID: nil, at: now)
    }
    closed.insert(id)
    activeID = nil
    cancelling = (id, now + Self.cancelTimeout)
    let stopped = calls.filter { $0.responseID == id }
    calls.removeAll { $0.responseID == id }
    return stopped.map { .cancelTool(id: $0.id) } + silence(cancelID: id, at: now)
  }

  mutating func silence(cancelID: String?, at now: Double) -> [ConversationAction] {
    var actions = resolveUnanswered()
    guard ledger.isSounding else {
      for entry in ledger.removeAll() { actions += cut(entry) }
      if let cancelID, link.isReady { actions.append(cancel(cancelID)) }
      return actions
    }
    let currentID = ledger.currentID
    holdDeadline = nil
    interruption = Interruption(
      entries: ledger.removeAll(), cancelID: cancelID, currentID: currentID,
      deadline: now + Self.cancelTimeout)
    return actions + [.interruptPlayback]
  }

  /// Tells what was heard of an item that was cut. One of which nothing was heard is deleted: a truncation at
  /// zero is an error to providers.
  private mutating func cut(_ entry: PlaybackLedger.Entry) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    closedItems.insert(entry.itemID)
    let text = entry.heardText
    if !text.isEmpty {
      history.add(.assistant, text)
      actions.append(.transcript(.init(role: .assistant, itemID: entry.itemID, text: text, isFinal: true)))
    }
    guard link.isReady, entry.hasSound else { return actions }
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
    guard let entry = ledger.remove(itemID) else { return [] }
    if !ledger.isSounding { holdDeadline = nil }
    closedItems.insert(itemID)
    let text = entry.caption.text
    guard !text.isEmpty else { return [] }
    history.add(.assistant, text)
    return [.transcript(.init(role: .assistant, itemID: itemID, text: text, isFinal: true))]
  }
}
