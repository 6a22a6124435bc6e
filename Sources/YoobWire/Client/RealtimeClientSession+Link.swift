/// The connection: confirmed, lost, opened again, ended.
extension RealtimeClientSession {
  /// The socket could not be opened; `status` is the HTTP status of a refusal, nil for no answer.
  public mutating func connectionFailed(status: Int?, at now: Double) -> [ConversationAction] {
    guard link.isOpening else { return [] }
    link.dropped(at: now)
    let failure = ConversationFailure.refused(status: status)
    let isTemporary = status.map { $0 == 429 || $0 >= 500 } ?? true
    return isTemporary ? settle(lose(failure, at: now)) : end(failure, at: now)
  }

  /// The socket is closed; `code` is nil where the connection broke without a goodbye.
  public mutating func socketClosed(code: Int?, reason: String, at now: Double) -> [ConversationAction] {
    guard link.isOpen else { return [] }
    link.dropped(at: now)
    if options.isHosted {
      let close = VoiceRelayClose(code: code)
      return close.isTemporary ? settle(lose(close.failure, at: now)) : end(close.failure, at: now)
    }
    let text = Self.closeText(code: code, reason: reason)
    guard Self.isTemporary(closeCode: code) else { return end(.network(text), at: now) }
    return settle(lose(.network(text), at: now))
  }

  /// Whether a provider that closes so may be asked again.
  static func isTemporary(closeCode: Int?) -> Bool {
    switch closeCode {
    case nil, 1000?, 1001?, 1005?, 1006?, 1011?, 1012?, 1013?, 1014?: true
    default: false
    }
  }

  static func closeText(code: Int?, reason: String) -> String {
    var reason = reason.trimmedPrefix(maximumBytes: 120)
    while reason.hasSuffix(".") { reason.removeLast() }
    let detail = reason.isEmpty ? "" : ": " + reason
    return "The voice service disconnected (\(code ?? 1006))\(detail). Start the conversation again."
  }

  /// The provider has taken the session as it was asked for.
  mutating func confirm(at now: Double) -> [ConversationAction] {
    guard link.isOpen, !link.isReady else { return [] }
    link.confirmed(at: now)
    connectedAt = now
    var actions = tellHistory() + tellResults()
    actions += packets.take([], isReady: true).map(audioMessage)
    return actions + greetIfDue(at: now) + respondIfDue(at: now)
  }

  /// Tells a new provider what was said, what still sounds included.
  private mutating func tellHistory() -> [ConversationAction] {
    var actions = history.entries.map { create(Self.message($0.role, $0.text)) }
    for entry in ledger.entries where entry.isOrphan && !entry.caption.text.isEmpty {
      let id = eventID("item")
      ledger.update(entry.itemID) { $0.retoldID = id }
      actions.append(create(Self.message(.assistant, entry.caption.text, id: id)))
    }
    return actions
  }

  mutating func greetIfDue(at now: Double) -> [ConversationAction] {
    guard greetsLater, isMicrophoneLive, link.isReady else { return [] }
    greetsLater = false
    guard activeID == nil, !wantsResponse, !isUserSpeaking, history.entries.isEmpty else { return [] }
    return [createResponse("greet", at: now)]
  }

  /// The connection is gone: what has arrived is played to its end, and a new connection is tried.
  mutating func lose(_ failure: ConversationFailure, at now: Double) -> [ConversationAction] {
    let hadSound = activeID.map { id in ledger.entries.contains { $0.responseID == id && $0.hasSound } }
    var actions = forgetProvider()
    guard let delay = link.lost(at: now) else { return actions + end(failure, at: now) }
    // A question that got no word of an answer is asked again.
    if hadSound == false || (hadSound == nil && replyDeadline != nil), history.endsWithUser {
      wantsResponse = true
    }
    replyDeadline = nil
    actions.append(.connect(after: delay))
    return actions
  }

  /// Opens a new session in place of one that is near its end.
  mutating func renew(at now: Double) -> [ConversationAction] {
    let actions = forgetProvider() + [.close(code: 1000, reason: "renewed"), .connect(after: 0)]
    link.start(after: 0, at: now)
    return actions
  }

  mutating func connectTimedOut(at now: Double) -> [ConversationAction] {
    link.dropped(at: now)
    let closing: [ConversationAction] = [.close(code: 1000, reason: "no answer")]
    return closing + lose(.refused(status: nil), at: now)
  }

  /// What only the lost provider knew.
  private mutating func forgetProvider() -> [ConversationAction] {
    var actions = goOn()
    for entry in ledger.entries {
      actions += close(entry.itemID)
      ledger.update(entry.itemID) {
        $0.isOrphan = true; $0.retoldID = nil
      }
    }
    if let activeID { closed.insert(activeID) }
    activeID = nil
    cancelling = nil
    retryCreateAt = nil
    lastCreateID = nil
    createDeadline = nil
    discardsNextUntil = nil
    isUserSpeaking = false
    hearing = []
    connectedAt = nil
    return actions
  }

  mutating func end(_ failure: ConversationFailure?, at now: Double) -> [ConversationAction] {
    guard !link.isEnded else { return [] }
    let wasOpen = link.isOpen || link.isOpening
    var actions: [ConversationAction] = calls.map { .cancelTool(id: $0.id) }
    if ledger.isSounding { actions.append(.interruptPlayback) }
    if wasOpen { actions.append(.close(code: 1000, reason: "")) }
    if let failure { actions.append(.failure(failure)) }
    link.end()
    if ledger.isSounding {
      // What was heard is still to be told to the app.
      interruption = Interruption(
        entries: ledger.entries, cancelID: nil, currentID: ledger.currentID, deadline: now)
    }
    _ = ledger.removeAll()
    packets.clear()
    calls = []
    results = []
    hearing = []
    activeID = nil
    holdDeadline = nil
    return settle(actions)
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

  /// Adds the state when it has changed.
  mutating func settle(_ actions: [ConversationAction]) -> [ConversationAction] {
    let new = currentState
    guard new != state else { return actions }
    state = new
    return actions + [.state(new)]
  }

  private var currentState: ConversationState {
    if link.isEnded { return .ended }
    if link.phase == .idle { return .idle }
    if ledger.isSounding { return .speaking }
    if !link.isReady { return .connecting }
    if isUserSpeaking { return .listening }
    if activeID != nil || wantsResponse || replyDeadline != nil || !calls.isEmpty { return .thinking }
    return .listening
  }
}
