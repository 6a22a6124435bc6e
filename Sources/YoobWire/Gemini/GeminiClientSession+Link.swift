/// The connection: set up, left in time, lost, resumed, ended.
extension GeminiClientSession {
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
    let wasResuming = resuming != nil && !link.isReady
    let wasAnnounced = leaveAt != nil
    link.dropped(at: now)
    let failure = Self.failure(code: code, reason: reason)
    if wasResuming {
      // The handle may be what was refused: a fresh session is told what the handle stood for.
      handle = nil
      return settle(lose(failure, at: now))
    }
    guard wasAnnounced || RealtimeClientSession.isTemporary(closeCode: code), case .network = failure else {
      return end(failure, at: now)
    }
    return settle(lose(failure, at: now))
  }

  private static func failure(code: Int?, reason: String) -> ConversationFailure {
    let words = reason.lowercased()
    if words.contains("quota") || words.contains("billing") {
      return .outOfCredit("The quota of the voice service is used up. Check the account's plan.")
    }
    if isRefusal(words) {
      return .unauthorized("The voice service refused the key or token. Get a new one.")
    }
    return .network(RealtimeClientSession.closeText(code: code, reason: reason))
  }

  /// Whether a reason, in small letters, is about the key or token. A token may be a piece of text, too.
  private static func isRefusal(_ words: String) -> Bool {
    let credentials = [
      "api key", "api_key", "unauthenticated", "authentication", "credential", "auth_token", "auth token",
      "access token", "access_token", "ephemeral token",
    ]
    if credentials.contains(where: words.contains) { return true }
    let faults = ["expired", "invalid", "not valid", "revoked", "been used", "already used"]
    let mentions = words.split { !$0.isLetter && $0 != "_" }
    return mentions.contains("token") && !words.contains("token count")
      && faults.contains(where: words.contains)
  }

  /// The provider has taken the session.
  mutating func confirm(at now: Double) -> [ConversationAction] {
    guard link.isOpen, !link.isReady else { return [] }
    link.confirmed(at: now)
    var actions = tellHistory(after: resuming?.historyTotal ?? 0, at: now)
    resuming = nil
    for held in takeResults() { actions += answer(held.call, held.output, at: now) }
    actions += packets.take([], isReady: true).map(audioMessage)
    return actions + greetIfDue(at: now)
  }

  mutating func greetIfDue(at now: Double) -> [ConversationAction] {
    guard greetsLater, isMicrophoneLive, link.isReady else { return [] }
    greetsLater = false
    guard !isAwaiting, !isTurnOpen, hearing == nil, history.entries.isEmpty, !options.greeting.isEmpty else {
      return []
    }
    isAwaiting = true
    replyDeadline = now + Self.replyTimeout
    return [send("realtimeInput", ["text": .string(options.greeting)])]
  }

  /// Tells what was said since the first `count` entries, and how much of it was heard; a question without an
  /// answer is asked again.
  private mutating func tellHistory(after count: Int, at now: Double) -> [ConversationAction] {
    var turns: [(role: String, parts: [JSONValue])] = []
    func add(_ role: String, _ text: String) {
      let part: JSONValue = ["text": .string(text)]
      if let last = turns.indices.last, turns[last].role == role {
        turns[last].parts.append(part)
      } else {
        turns.append((role, [part]))
      }
    }
    for entry in history.entries(after: count) {
      add(entry.role == .user ? "user" : "model", entry.text)
      if entry.isCut { add("user", "(I interrupted you here and did not hear the rest.)") }
    }
    for entry in ledger.entries where entry.isOrphan && !entry.caption.text.isEmpty {
      if resuming == nil || !entry.isSaved { add("model", entry.caption.text) }
      ledger.update(entry.itemID) { $0.retoldID = entry.itemID }
    }
    let asks = isAwaiting && history.endsWithUser && turns.last?.role == "user"
    if isAwaiting { replyDeadline = now + Self.replyTimeout }
    guard !turns.isEmpty else { return [] }
    let list = turns.map { turn -> JSONValue in ["role": .string(turn.role), "parts": .array(turn.parts)] }
    return [send("clientContent", ["turns": .array(list), "turnComplete": .bool(asks)])]
  }

  /// The connection is gone: what has arrived is played to its end, and a new connection is tried.
  mutating func lose(_ failure: ConversationFailure, at now: Double) -> [ConversationAction] {
    let actions = forgetConnection()
    guard let delay = link.lost(at: now) else { return actions + end(failure, at: now) }
    return actions + [.connect(after: delay)]
  }

  /// Leaves a connection that ends soon for a new one.
  mutating func swap(at now: Double) -> [ConversationAction] {
    let actions = forgetConnection() + [.close(code: 1000, reason: "resuming")]
    guard let delay = link.leave(at: now) else {
      return actions + end(.network("The voice service sends everybody away. Try again later."), at: now)
    }
    return actions + [.connect(after: delay)]
  }

  /// Leaves a connection that ends soon as soon as the user and the model are silent.
  mutating func swapIfQuiet(at now: Double) -> [ConversationAction] {
    guard leaveAt != nil, hearing == nil, !isTurnOpen, !isAwaiting, calls.isEmpty else { return [] }
    return swap(at: now)
  }

  mutating func connectTimedOut(at now: Double) -> [ConversationAction] {
    link.dropped(at: now)
    if resuming != nil { handle = nil }
    return [.close(code: 1000, reason: "no answer")] + lose(.refused(status: nil), at: now)
  }

  /// What only the lost connection knew.
  private mutating func forgetConnection() -> [ConversationAction] {
    let actions = finishHearing() + closeItem()
    for entry in ledger.entries {
      ledger.update(entry.itemID) {
        $0.isOrphan = true; $0.retoldID = nil
      }
    }
    leaveAt = nil
    resuming = nil
    isTurnOpen = false
    ignoresTurn = false
    replyDeadline = nil
    return actions
  }

  mutating func end(_ failure: ConversationFailure?, at now: Double) -> [ConversationAction] {
    guard !link.isEnded else { return [] }
    var actions: [ConversationAction] = finishHearing() + calls.map { .cancelTool(id: $0.id) }
    if ledger.isSounding {
      // What was heard is still to be told to the app.
      interruption = Interruption(entries: ledger.entries, currentID: ledger.currentID, deadline: now)
      actions.append(.interruptPlayback)
    }
    if link.isOpen || link.isOpening { actions.append(.close(code: 1000, reason: "")) }
    if let failure { actions.append(.failure(failure)) }
    link.end()
    _ = ledger.removeAll()
    packets.clear()
    calls = []
    results = []
    itemID = nil
    return settle(actions)
  }
}
