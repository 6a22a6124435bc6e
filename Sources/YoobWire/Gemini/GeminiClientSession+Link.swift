/// The connection: set up, left in time, lost, resumed, ended.
extension GeminiClientSession {
  mutating func disconnected(code: Int?, reason: String, at now: Double) -> [ConversationAction] {
    let wasResuming = resuming != nil
    let wasAnnounced = leaveAt != nil
    core.link.dropped(at: now)
    let failure = Self.failure(code: code, reason: reason)
    if wasResuming { return lose(failure, at: now) }
    guard wasAnnounced || ConversationFailure.isTemporary(closeCode: code), case .network = failure else {
      return end(failure, at: now)
    }
    return lose(failure, at: now)
  }

  private static func failure(code: Int?, reason: String) -> ConversationFailure {
    let words = reason.lowercased()
    if words.contains("quota") || words.contains("billing") {
      return .outOfCredit("The quota of the voice service is used up. Check the account's plan.")
    }
    if isRefusal(words) {
      return .unauthorized("The voice service refused the key or token. Get a new one.")
    }
    return .closed(code: code, reason: reason)
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
    guard core.link.isOpen, !core.link.isReady else { return [] }
    core.link.confirmed(at: now)
    var actions = tellHistory(after: resuming?.historyTotal ?? 0, at: now)
    resuming = nil
    for held in core.takeResults() { actions += answer(held.call, held.output, at: now) }
    actions += sound()
    return actions + greetIfDue(at: now)
  }

  mutating func greet(at now: Double) -> [ConversationAction] {
    guard !isAwaiting, !isTurnOpen, hearing == nil, !options.greeting.isEmpty else { return [] }
    isAwaiting = true
    core.replyDeadline = now + ConversationLimits.reply
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
    for entry in core.history.entries(after: count) {
      add(entry.role == .user ? "user" : "model", entry.text)
      if entry.isCut { add("user", "(I interrupted you here and did not hear the rest.)") }
    }
    for entry in core.ledger.entries where entry.isOrphan && !entry.caption.text.isEmpty {
      if resuming == nil || !entry.isSaved { add("model", entry.caption.text) }
      core.ledger.update(entry.itemID) { $0.retoldID = entry.itemID }
    }
    let asks = isAwaiting && core.history.endsWithUser && turns.last?.role == "user"
    if isAwaiting { core.replyDeadline = now + ConversationLimits.reply }
    guard !turns.isEmpty else { return [] }
    let list = turns.map { turn -> JSONValue in ["role": .string(turn.role), "parts": .array(turn.parts)] }
    return [send("clientContent", ["turns": .array(list), "turnComplete": .bool(asks)])]
  }

  /// Leaves a connection that ends soon for a new one.
  mutating func swap(at now: Double) -> [ConversationAction] {
    let actions = forgetConnection() + [.close(code: 1000, reason: "resuming")]
    guard let delay = core.link.leave(at: now) else {
      return actions + end(.network("The voice service sends everybody away. Try again later."), at: now)
    }
    return actions + [.connect(after: delay)]
  }

  /// Leaves a connection that ends soon as soon as the user and the model are silent.
  mutating func swapIfQuiet(at now: Double) -> [ConversationAction] {
    guard leaveAt != nil, hearing == nil, !isTurnOpen, !isAwaiting, core.calls.isEmpty else { return [] }
    return swap(at: now)
  }

  mutating func forgetConnection() -> [ConversationAction] {
    let actions = finishHearing() + closeItem()
    core.orphanReplies()
    // The handle may be what was refused: a fresh session is told what the handle stood for.
    if resuming != nil { handle = nil }
    leaveAt = nil
    resuming = nil
    isTurnOpen = false
    ignoresTurn = false
    core.replyDeadline = nil
    return actions
  }

  mutating func forgetAll() -> [ConversationAction] {
    itemID = nil
    return finishHearing()
  }
}
