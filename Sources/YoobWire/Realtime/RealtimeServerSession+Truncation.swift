/// What the user has heard of the replies.
extension RealtimeServerSession {
  /// The client says how much of a reply was heard. After the reply's end this stops nothing: the
  /// agent may be about to go on to another reply. It only corrects what it took to be heard.
  mutating func truncate(
    _ id: String, contentIndex: Int, audioEndMs: Int, atMs now: Int
  ) throws(RealtimeFault) -> [RealtimeAction] {
    let item = try item(id, to: .truncate)
    guard item.role == .assistant else {
      throw .invalid("item_id", "Only an assistant's message can be truncated.")
    }
    guard contentIndex == 0 else {
      throw .invalid("content_index", "The item has one content part, at index 0.")
    }
    let isSounding = playback?.itemID == id
    let sentMs = isSounding ? playback?.sentMs ?? 0 : item.audioMs
    guard audioEndMs <= sentMs else {
      throw .invalid(
        "audio_end_ms",
        "Audio content of \(sentMs)ms is already shorter than \(audioEndMs)ms.")
    }
    var actions: [RealtimeAction] = []
    var heardMs = audioEndMs
    if isSounding, let playback {
      heardMs = min(heardMs, playback.heardMs(atMs: now))
      self.playback?.isTruncated = true
      let isOfUse = response?.itemID == id || (response == nil && !playback.isFollowed)
      if isOfUse, playback.toldMs.map({ heardMs < $0 }) ?? true {
        self.playback?.toldMs = heardMs
        actions.append(
          .agent(response == nil ? .correctHeard(ms: heardMs) : .interrupt(heardMs: heardMs)))
      }
    }
    update(id) { $0.truncate(atMs: heardMs) }
    actions.append(truncated(id, audioEndMs: audioEndMs))
    return actions
  }

  /// The client takes an item back: the last reply, of which nothing was heard, or what the model was not told.
  mutating func delete(_ id: String) throws(RealtimeFault) -> [RealtimeAction] {
    let item = try item(id, to: .delete)
    guard response?.itemID != id else {
      throw .invalid("item_id", "The response still makes this item: send 'response.cancel' first.")
    }
    let isLastReply = playback.map { $0.itemID == id && !$0.isFollowed } ?? false
    let isEmpty = item.text.isEmpty && item.content.first != .inputAudio(transcript: nil)
    guard isLastReply || isEmpty || unanswered.contains(where: { $0.itemID == id }) else {
      throw .notSupported(
        "item_id",
        "The model has been told this item already, so it stays: send a message that puts it right.")
    }
    items.removeAll { $0.id == id }
    unanswered.removeAll { $0.itemID == id }
    var actions = [send("conversation.item.deleted", ["item_id": .string(id)])]
    guard isLastReply else { return actions }
    playback?.isTruncated = true
    if playback?.toldMs != 0 {
      playback?.toldMs = 0
      actions.insert(.agent(.correctHeard(ms: 0)), at: 0)
    }
    return actions
  }

  /// Cuts the reply that still sounds where it was heard.
  mutating func truncatePlayback(atMs now: Int) -> [RealtimeAction] {
    guard let playback, !playback.isTruncated else { return [] }
    let heardMs = playback.heardMs(atMs: now)
    guard heardMs < playback.sentMs else { return [] }
    self.playback?.isTruncated = true
    update(playback.itemID) { $0.truncate(atMs: heardMs) }
    return [truncated(playback.itemID, audioEndMs: heardMs)]
  }

  private mutating func truncated(_ id: String, audioEndMs: Int) -> RealtimeAction {
    send(
      "conversation.item.truncated",
      ["item_id": .string(id), "content_index": 0, "audio_end_ms": .int(audioEndMs)])
  }
}
