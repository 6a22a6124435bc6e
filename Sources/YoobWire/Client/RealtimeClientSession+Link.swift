/// The connection: confirmed, lost, opened again, ended.
extension RealtimeClientSession {
  mutating func disconnected(code: Int?, reason: String, at now: Double) -> [ConversationAction] {
    core.link.dropped(at: now)
    if options.isHosted {
      let close = VoiceRelayClose(code: code)
      return close.isTemporary ? lose(close.failure, at: now) : end(close.failure, at: now)
    }
    let failure = ConversationFailure.closed(code: code, reason: reason)
    guard ConversationFailure.isTemporary(closeCode: code) else { return end(failure, at: now) }
    return lose(failure, at: now)
  }

  /// The provider has taken the session as it was asked for.
  mutating func confirm(at now: Double) -> [ConversationAction] {
    guard core.link.isOpen, !core.link.isReady else { return [] }
    core.link.confirmed(at: now)
    connectedAt = now
    let actions = tellHistory() + tellResults(at: now) + sound()
    return actions + greetIfDue(at: now) + respondIfDue(at: now)
  }

  /// Tells a new provider what was said, what still sounds included.
  private mutating func tellHistory() -> [ConversationAction] {
    var actions = core.history.entries.map { create(Self.message($0.role, $0.text)) }
    for entry in core.ledger.entries where entry.isOrphan && !entry.caption.text.isEmpty {
      let id = eventID("item")
      core.ledger.update(entry.itemID) { $0.retoldID = id }
      actions.append(create(Self.message(.assistant, entry.caption.text, id: id)))
    }
    return actions
  }

  mutating func greet(at now: Double) -> [ConversationAction] {
    activeID == nil && !wantsResponse && !isUserSpeaking ? [createResponse("greet", at: now)] : []
  }

  /// Opens a new session in place of one that is near its end.
  mutating func renew(at now: Double) -> [ConversationAction] {
    let actions = forgetConnection() + [.close(code: 1000, reason: "renewed"), .connect(after: 0)]
    core.link.start(after: 0, at: now)
    return actions
  }

  mutating func forgetConnection() -> [ConversationAction] {
    // A question that got no word of an answer is asked again.
    let hadSound = activeID.map { id in core.ledger.entries.contains { $0.responseID == id && $0.hasSound } }
    if !(hadSound ?? (core.replyDeadline == nil)), core.history.endsWithUser { wantsResponse = true }
    let actions = goOn() + core.ledger.entries.flatMap { close($0.itemID) }
    core.orphanReplies()
    if let activeID { closed.insert(activeID) }
    activeID = nil
    cancelling = nil
    retryCreateAt = nil
    lastCreateID = nil
    createDeadline = nil
    discardsNextUntil = nil
    core.replyDeadline = nil
    isUserSpeaking = false
    hearing = []
    connectedAt = nil
    return actions
  }

  mutating func forgetAll() -> [ConversationAction] {
    hearing = []
    activeID = nil
    holdDeadline = nil
    return []
  }

  // MARK: For all parts

  mutating func eventID(_ kind: String) -> String {
    eventCount &+= 1
    return "yoob_\(kind)_\(eventCount)"
  }

  func send(_ event: JSONObject) -> ConversationAction { .send(JSONValue.object(event).text) }

  func audioMessage(_ pcm: [UInt8]) -> ConversationAction {
    send(["type": "input_audio_buffer.append", "audio": .string(Base64.encode(pcm))])
  }

  /// Adds an item to the provider's conversation. Not every server takes every kind: a refusal is no matter.
  mutating func create(_ item: JSONValue) -> ConversationAction {
    send(["type": "conversation.item.create", "event_id": .string(eventID("quiet")), "item": item])
  }

  static func message(
    _ role: ConversationTranscript.Role, _ text: String, id: String? = nil
  ) -> JSONValue {
    var item: JSONObject = ["type": "message", "role": .string(role.rawValue)]
    if let id { item["id"] = .string(id) }
    let type: JSONValue = role == .user ? "input_text" : "output_text"
    item["content"] = [["type": type, "text": .string(text)]]
    return .object(item)
  }
}
