/// What the provider says.
extension GeminiClientSession {
  /// A message of the provider. What is nothing that is known is ignored.
  mutating func receive(_ object: JSONObject, at now: Double) -> [ConversationAction] {
    let message = GeminiMessage(object)
    var actions: [ConversationAction] = []
    if message.object("setup_complete") != nil { actions += confirm(at: now) }
    guard core.link.isReady else { return actions }
    if let update = message.object("session_resumption_update") { note(update) }
    if let content = message.object("server_content") { actions += handle(content, at: now) }
    if let call = message.object("tool_call") { actions += callTools(call, at: now) }
    if let cancellation = message.object("tool_call_cancellation") { actions += cancelTools(cancellation) }
    if let goAway = message.object("go_away") { actions += leave(goAway, at: now) }
    return actions + swapIfQuiet(at: now)
  }

  private mutating func note(_ update: GeminiMessage) {
    guard update.isTrue("resumable"), let value = update.string("new_handle"), !value.isEmpty,
      value.utf8.count <= 64 << 10
    else { return }
    handle = (value, core.history.total)
    for entry in core.ledger.entries where entry.isComplete {
      core.ledger.update(entry.itemID) { $0.isSaved = true }
    }
  }

  private mutating func leave(_ goAway: GeminiMessage, at now: Double) -> [ConversationAction] {
    let left = goAway.seconds("time_left") ?? 0
    let wait = max(left / 2, left - Self.goAwayMargin)
    leaveAt = min(leaveAt ?? .infinity, now + wait)
    return [.goAway(secondsLeft: left)]
  }

  private mutating func handle(_ content: GeminiMessage, at now: Double) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    let isInterrupted = content.isTrue("interrupted")
    if isInterrupted {
      // What is said in the same message belongs to the reply that is over.
      isTurnOpen = false
      ignoresTurn = false
      actions += silence(at: now)
    }
    if let heard = content.object("input_transcription") { actions += hear(heard, at: now) }
    if !isInterrupted {
      if let said = content.object("output_transcription"), let text = said.string("text") {
        actions += caption(text, at: now)
      }
      for part in content.object("model_turn")?.objects("parts") ?? [] { actions += play(part, at: now) }
    }
    if content.isTrue("generation_complete") { actions += closeItem() }
    if content.isTrue("turn_complete") {
      actions += closeItem() + finishHearing()
      // The end of a turn that was interrupted says nothing of the reply that is awaited.
      if isTurnOpen, !ignoresTurn {
        isAwaiting = false
        core.replyDeadline = nil
      }
      isTurnOpen = false
      ignoresTurn = false
    }
    return actions
  }

  // MARK: The user

  private mutating func hear(_ heard: GeminiMessage, at now: Double) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    if let text = heard.string("text"), !text.isEmpty {
      // What is said from now on is to be answered.
      if !isTurnOpen { ignoresTurn = false }
      let id = hearing?.itemID ?? newID("user")
      let whole = (hearing?.text ?? "") + text
      guard whole.utf8.count <= HeardText.maximumBytes else { return [] }
      hearing = (id, whole)
      actions.append(.transcript(.init(role: .user, itemID: id, text: whole, isFinal: false)))
    }
    guard heard.isTrue("finished"), hearing != nil else { return actions }
    if !isTurnOpen {
      isAwaiting = true
      core.replyDeadline = now + ConversationLimits.turn
    }
    return actions + finishHearing()
  }

  /// What the user said is complete.
  mutating func finishHearing() -> [ConversationAction] {
    guard let (id, whole) = hearing else { return [] }
    hearing = nil
    let text = whole.trimmedPrefix(maximumBytes: HeardText.maximumBytes)
    guard !text.isEmpty else { return [] }
    core.history.add(.user, text)
    return [.transcript(.init(role: .user, itemID: id, text: text, isFinal: true))]
  }

  // MARK: The model

  /// The item that the model speaks; nil when nothing more of this turn is wanted.
  private mutating func openItem(at now: Double) -> String? {
    isTurnOpen = true
    guard !ignoresTurn else { return nil }
    if isAwaiting || core.replyDeadline != nil { core.replyDeadline = now + ConversationLimits.reply }
    let id = itemID ?? newID("model")
    itemID = id
    return id
  }

  private mutating func caption(_ text: String, at now: Double) -> [ConversationAction] {
    // A transcript may come after the last sound of its item.
    if itemID == nil, isTurnOpen, let last = core.ledger.entries.last, last.isComplete, !last.isOrphan {
      core.ledger.update(last.itemID) { $0.caption.append(text) }
      return []
    }
    guard let id = openItem(at: now) else { return [] }
    _ = core.ledger.update(id, responseID: id) { $0.caption.append(text) }
    return []
  }

  private mutating func play(_ part: GeminiMessage, at now: Double) -> [ConversationAction] {
    guard let data = part.object("inline_data"), let text = data.string("data"),
      let rate = GeminiMessage.sampleRate(mimeType: data.string("mime_type") ?? ""),
      let bytes = Base64.decode(text), !bytes.isEmpty
    else { return [] }
    var actions: [ConversationAction] = []
    if let itemID, let entry = core.ledger[itemID], entry.hasSound, entry.sampleRate != rate {
      // One rate an utterance.
      actions += closeItem()
    }
    guard let id = openItem(at: now) else { return [] }
    var pcm: [UInt8] = []
    var begins = false
    let isTaken = core.ledger.update(id, responseID: id) { entry in
      begins = !entry.hasSound
      entry.sampleRate = rate
      entry.hasSound = true
      pcm = entry.take(bytes)
    }
    guard isTaken else { return actions }
    if begins {
      isAwaiting = false
      core.replyDeadline = now + ConversationLimits.reply
      actions += finishHearing()
      actions.append(.beginUtterance(itemID: id, sampleRate: rate))
    }
    if !pcm.isEmpty { actions.append(.play(pcm: pcm, itemID: id)) }
    return actions
  }

  /// No more sound of the item follows.
  mutating func closeItem() -> [ConversationAction] {
    guard let id = itemID else { return [] }
    itemID = nil
    core.replyDeadline = nil
    guard let entry = core.ledger[id] else { return [] }
    guard entry.hasSound else { return finish(id) }
    core.ledger.update(id) {
      $0.isComplete = true
      $0.half = nil
    }
    return [.endUtterance(itemID: id)]
  }
}
