/// What a Yoob voice server tells beyond the protocol, to clients that ask for it.
extension RealtimeClientSession {
  /// The words' times, from a server that has them.
  mutating func words(_ event: RealtimeServerMessage) -> [ConversationAction] {
    guard let id = event.itemID, core.ledger.contains(id), let list = event.object["words"]?.array else {
      return []
    }
    let words = list.prefix(HeardText.maximumWords).compactMap { word -> SpeechWord? in
      guard let text = word["text"]?.string, let start = word["start_ms"]?.int, let end = word["end_ms"]?.int,
        (0...86_400_000).contains(start), (start...86_400_000).contains(end)
      else { return nil }
      return SpeechWord(text: text, startMs: start, endMs: end)
    }
    guard !words.isEmpty else { return [] }
    core.ledger.update(id) { $0.caption.append(words) }
    return [.words(itemID: id, words)]
  }

  /// Mouth frames, from a server that has them.
  mutating func visemes(_ event: RealtimeServerMessage) -> [ConversationAction] {
    guard let id = event.itemID, !closedItems.contains(id), let list = event.object["frames"]?.array,
      let start = event.object["start_ms"]?.int, (0...86_400_000).contains(start),
      let rate = event.object["rate"]?.int, (1...1000).contains(rate)
    else { return [] }
    let frames = list.prefix(60 * rate).compactMap { frame -> [Float]? in
      guard let weights = frame.array, weights.count == 15 else { return nil }
      return weights.map { min(1, max(0, Float($0.double ?? 0))) }
    }
    guard frames.count == list.count, !frames.isEmpty else { return [] }
    return [.visemes(itemID: id, startMs: start, rate: rate, frames: frames)]
  }

  /// The user may be interrupting: the sound is held until that is known.
  mutating func hold(_ event: RealtimeServerMessage, at now: Double) -> [ConversationAction] {
    guard let id = event.itemID, core.ledger[id]?.hasSound == true, let isHeld = event.object["held"]?.bool
    else {
      return []
    }
    guard isHeld else { return goOn() }
    defer { holdDeadline = now + Self.holdTimeout }
    return holdDeadline == nil ? [.holdPlayback(true)] : []
  }

  /// The sound goes on where it is held: the user did not interrupt, or nobody is there to tell.
  mutating func goOn() -> [ConversationAction] {
    guard holdDeadline != nil else { return [] }
    holdDeadline = nil
    return [.holdPlayback(false)]
  }

  /// What the user says, as far as it is understood.
  mutating func partial(_ event: RealtimeServerMessage) -> [ConversationAction] {
    guard let id = event.itemID, let text = event.string("text"), !transcribed.contains(id), !text.isEmpty,
      text.utf8.count <= HeardText.maximumBytes
    else { return [] }
    return [.transcript(.init(role: .user, itemID: id, text: text, isFinal: false))]
  }

  /// The server takes an item back, as a turn that the user went on with after it was taken.
  mutating func deleted(_ event: RealtimeServerMessage) -> [ConversationAction] {
    guard let id = event.itemID, core.history.remove(id) else { return [] }
    return [.transcript(.init(role: .user, itemID: id, text: "", isFinal: true))]
  }
}
