/// What the provider says.
extension RealtimeClientSession {
  /// A message of the provider. What is no event that is known is ignored.
  mutating func receive(_ message: JSONObject, at now: Double) -> [ConversationAction] {
    guard let type = message["type"]?.string else { return [] }
    return handle(type, RealtimeServerMessage(message), at: now)
  }

  private mutating func handle(
    _ type: String, _ event: RealtimeServerMessage, at now: Double
  ) -> [ConversationAction] {
    switch type {
    case "session.created": return options.session == nil ? confirm(at: now) : []
    case "session.updated": return confirm(at: now)
    case "input_audio_buffer.speech_started": return speechStarted(at: now)
    case "input_audio_buffer.speech_stopped", "input_audio_buffer.committed":
      guard isUserSpeaking else { return [] }
      isUserSpeaking = false
      core.replyDeadline = now + ConversationLimits.turn
      return []
    case "conversation.item.input_audio_transcription.delta": return heardUser(event)
    case "conversation.item.input_audio_transcription.completed": return understoodUser(event)
    case "conversation.item.input_audio_transcription.failed":
      hearing.removeAll { $0.itemID == event.itemID }
      return []
    case "response.created": return responseCreated(event, at: now)
    case "response.output_item.added":
      noteFunction(event)
      return []
    case "response.output_audio.delta": return audio(event, at: now)
    case "response.output_audio.done", "response.output_item.done":
      return event.itemID.map { close($0) } ?? []
    case "response.output_audio_transcript.delta", "response.output_text.delta":
      return caption(event, isSpoken: type != "response.output_text.delta", at: now)
    case "response.output_audio_transcript.done":
      if let id = event.itemID, let text = event.string("transcript") {
        core.ledger.update(id) { $0.caption.replace(text) }
      }
      return []
    case "response.function_call_arguments.done": return functionCall(event, at: now)
    case "response.done": return responseDone(event, at: now)
    case "conversation.item.deleted": return deleted(event)
    case "yoob.words": return words(event)
    case "yoob.visemes": return visemes(event)
    case "yoob.hold": return hold(event, at: now)
    case "yoob.partial": return partial(event)
    case "error": return fault(event, at: now)
    default: return []
    }
  }

  // MARK: The user

  private mutating func speechStarted(at now: Double) -> [ConversationAction] {
    isUserSpeaking = true
    // The reply to this turn answers what was asked before it, too.
    wantsResponse = false
    discardsNextUntil = nil
    return interrupt(at: now)
  }

  private mutating func heardUser(_ event: RealtimeServerMessage) -> [ConversationAction] {
    guard let id = event.itemID, let delta = event.string("delta"), !transcribed.contains(id) else {
      return []
    }
    let place = hearing.firstIndex { $0.itemID == id }
    let text = (place.map { hearing[$0].text } ?? "") + delta
    guard text.utf8.count <= HeardText.maximumBytes else { return [] }
    if let place {
      hearing[place].text = text
    } else {
      if hearing.count >= 8 { hearing.removeFirst() }
      hearing.append((id, text))
    }
    return [.transcript(.init(role: .user, itemID: id, text: text, isFinal: false))]
  }

  private mutating func understoodUser(_ event: RealtimeServerMessage) -> [ConversationAction] {
    guard let id = event.itemID, let whole = event.string("transcript") else { return [] }
    hearing.removeAll { $0.itemID == id }
    let text = whole.trimmedPrefix(maximumBytes: HeardText.maximumBytes)
    guard transcribed.insert(id), !text.isEmpty else { return [] }
    core.history.add(.user, text, itemID: id)
    return [.transcript(.init(role: .user, itemID: id, text: text, isFinal: true))]
  }

  // MARK: Responses

  private mutating func responseCreated(
    _ event: RealtimeServerMessage, at now: Double
  ) -> [ConversationAction] {
    guard let id = event.response?["id"]?.string, id.utf8.count <= 256, !closed.contains(id) else {
      return []
    }
    createDeadline = nil
    if let until = discardsNextUntil {
      discardsNextUntil = nil
      if now < until {
        closed.insert(id)
        cancelling = (id, now + Self.cancelTimeout)
        return [cancel(id)]
      }
    }
    var actions: [ConversationAction] = []
    if let activeID, activeID != id {
      closed.insert(activeID)
      actions = finishWriting(activeID)
    }
    activeID = id
    refusedCreates = 0
    core.replyDeadline = now + ConversationLimits.reply
    return actions
  }

  /// Whether an event belongs to a reply that is wanted. A reply whose beginning was missed is taken too.
  private mutating func accepts(_ event: RealtimeServerMessage, at now: Double) -> String? {
    guard let id = event.string("response_id"), id.utf8.count <= 256, !closed.contains(id),
      activeID == nil || activeID == id
    else { return nil }
    activeID = id
    core.replyDeadline = now + ConversationLimits.reply
    return id
  }

  private mutating func audio(
    _ event: RealtimeServerMessage, at now: Double
  ) -> [ConversationAction] {
    guard let itemID = event.itemID, !closedItems.contains(itemID), let delta = event.string("delta"),
      let responseID = accepts(event, at: now), let bytes = Base64.decode(delta), !bytes.isEmpty
    else { return [] }
    var pcm: [UInt8] = []
    var begins = false
    let isTaken = core.ledger.update(itemID, responseID: responseID) { entry in
      guard !entry.isComplete else { return }
      entry.contentIndex = event.index ?? entry.contentIndex
      begins = !entry.hasSound
      pcm = entry.take(bytes)
      entry.hasSound = true
    }
    guard isTaken, !pcm.isEmpty || begins else { return [] }
    var actions: [ConversationAction] = []
    if begins {
      // One utterance is written at a time.
      for other in core.ledger.entries where other.itemID != itemID && other.hasSound {
        actions += close(other.itemID)
      }
      actions.append(.beginUtterance(itemID: itemID, sampleRate: Self.inputSampleRate))
    }
    if !pcm.isEmpty { actions.append(.play(pcm: pcm, itemID: itemID)) }
    return actions
  }

  /// No more sound of the item follows.
  mutating func close(_ itemID: String) -> [ConversationAction] {
    guard let entry = core.ledger[itemID], entry.hasSound, !entry.isComplete else { return [] }
    core.ledger.update(itemID) {
      $0.isComplete = true; $0.half = nil
    }
    return [.endUtterance(itemID: itemID)]
  }

  private mutating func caption(
    _ event: RealtimeServerMessage, isSpoken: Bool, at now: Double
  ) -> [ConversationAction] {
    guard let itemID = event.itemID, !closedItems.contains(itemID), let delta = event.string("delta"),
      let responseID = accepts(event, at: now)
    else { return [] }
    let isTaken = core.ledger.update(itemID, responseID: responseID) { entry in
      entry.caption.append(delta)
      entry.isWritten = entry.isWritten || !isSpoken
    }
    // Written replies are shown at once, spoken ones as they are heard.
    guard isTaken, !isSpoken, let text = core.ledger[itemID]?.caption.text else { return [] }
    return [.transcript(.init(role: .assistant, itemID: itemID, text: text, isFinal: false))]
  }

  private mutating func responseDone(
    _ event: RealtimeServerMessage, at now: Double
  ) -> [ConversationAction] {
    guard let response = event.response, let id = response["id"]?.string else { return [] }
    if cancelling?.id == id { cancelling = nil }
    retryCreateAt = nil
    let isActive = activeID == id
    if isActive {
      activeID = nil
      core.replyDeadline = nil
    }
    var actions: [ConversationAction] = []
    // One that was cancelled here has been dealt with.
    if closed.insert(id) {
      switch response["status"]?.string {
      case "cancelled"?, "failed"?:
        if core.ledger.entries.contains(where: { $0.responseID == id }) {
          actions += silence(cancelID: nil, at: now)
        }
        if response["status"] == "failed" {
          actions.append(.failure(.network(Self.failureText(response["status_details"]?["error"]))))
        }
      default: actions += finishWriting(id)
      }
    }
    return actions + respondIfDue(at: now)
  }

  /// All of the response has arrived: what has no sound is over.
  private mutating func finishWriting(_ responseID: String) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    for entry in core.ledger.entries where entry.responseID == responseID {
      if entry.hasSound { actions += close(entry.itemID) } else { actions += finish(entry.itemID) }
    }
    return actions
  }

  /// Asks for a response when one is wanted and the provider is free.
  mutating func respondIfDue(at now: Double) -> [ConversationAction] {
    guard wantsResponse, core.link.isReady, activeID == nil, cancelling == nil, retryCreateAt == nil,
      createDeadline == nil, core.interruption == nil, !isUserSpeaking
    else { return [] }
    wantsResponse = false
    return [createResponse("reply", at: now)]
  }

  mutating func createResponse(_ kind: String, at now: Double) -> ConversationAction {
    let id = eventID(kind)
    lastCreateID = id
    core.replyDeadline = now + ConversationLimits.reply
    createDeadline = now + ConversationLimits.turn
    return send(["type": "response.create", "event_id": .string(id)])
  }

  /// The expected reply gave no sign for long: the conversation goes on without it.
  mutating func replyTimedOut(at now: Double) -> [ConversationAction] {
    core.replyDeadline = nil
    guard let id = activeID else { return [] }
    closed.insert(id)
    activeID = nil
    return finishWriting(id) + [cancel(id)]
  }

  func cancel(_ id: String) -> ConversationAction {
    send(["type": "response.cancel", "response_id": .string(id)])
  }
}

/// Access to the members that many events of the server have.
struct RealtimeServerMessage {
  let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  func string(_ name: String) -> String? { object[name]?.string }

  /// `item_id`, or the id of the item itself; long ones are none of a provider.
  var itemID: String? {
    guard let id = string("item_id") ?? object["item"]?["id"]?.string, !id.isEmpty, id.utf8.count <= 256
    else { return nil }
    return id
  }

  /// The content part, where it is a possible one.
  var index: Int? { object["content_index"]?.int.flatMap { (0..<1024).contains($0) ? $0 : nil } }

  var response: JSONObject? { object["response"]?.object }
}
