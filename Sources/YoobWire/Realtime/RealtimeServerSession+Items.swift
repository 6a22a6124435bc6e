/// The conversation's items and the user's turns.
extension RealtimeServerSession {
  func item(_ id: String) -> RealtimeItem? { items.last { $0.id == id } }

  /// What a client may do with an item that is there.
  enum ItemUse: String {
    case retrieve = "retrieving"
    case delete = "deleting"
    case truncate = "truncating"
  }

  func item(_ id: String, to use: ItemUse) throws(RealtimeFault) -> RealtimeItem {
    if let item = item(id) { return item }
    throw RealtimeFault(
      code: "item_\(use)_invalid_item_id",
      message: "Error \(use.rawValue) item: the item with id '\(RealtimeFault.excerpt(id))' does not exist.",
      param: "item_id")
  }

  mutating func update(_ id: String, _ change: (inout RealtimeItem) -> Void) {
    if let place = items.lastIndex(where: { $0.id == id }) { change(&items[place]) }
  }

  /// Puts `item` into the conversation and announces it. The first item's predecessor is null:
  /// clients that keep an ordered history look every other name up and fail on one they lack.
  mutating func add(_ item: RealtimeItem, at place: Int? = nil) -> RealtimeAction {
    var place = place ?? items.count
    if items.count >= Self.maximumItems, place > 0 {
      items.removeFirst()
      place -= 1
    }
    let previous = place > 0 ? items[place - 1].id : nil
    items.insert(item, at: place)
    return send(
      "conversation.item.added", ["previous_item_id": JSONValue(previous), "item": item.json])
  }

  func previousID(of id: String) -> String? {
    guard let place = items.lastIndex(where: { $0.id == id }), place > 0 else { return nil }
    return items[place - 1].id
  }

  mutating func done(_ item: RealtimeItem) -> RealtimeAction {
    send(
      "conversation.item.done",
      ["previous_item_id": JSONValue(previousID(of: item.id)), "item": item.json])
  }

  /// Adds an item that the client wrote.
  mutating func create(
    _ item: RealtimeItem, after previousID: String?
  ) throws(RealtimeFault) -> [RealtimeAction] {
    var item = item
    if item.id.isEmpty { item.id = ids.make("item") }
    guard !items.contains(where: { $0.id == item.id }) else {
      throw .invalid("item.id", "The conversation already has an item '\(item.id)'.")
    }
    var place = items.count
    if previousID == "root" {
      place = 0
    } else if let previousID {
      guard let previous = items.lastIndex(where: { $0.id == previousID }) else {
        throw .invalid(
          "previous_item_id", "The conversation has no item '\(RealtimeFault.excerpt(previousID))'.")
      }
      place = previous + 1
    }
    var memory: [RealtimeAction] = []
    if item.role == .assistant {
      // What the client retells: messages before it were answered by it.
      let earlier = unanswered.map { SpeechAgentMessage(.user, $0.text) }
      unanswered = []
      let answer = item.text.isEmpty ? [] : [SpeechAgentMessage(.assistant, item.text)]
      if !(earlier + answer).isEmpty { memory = [.agent(.remember(earlier + answer))] }
    } else if !item.text.isEmpty {
      guard unanswered.reduce(item.text.utf8.count, { $0 + $1.text.utf8.count }) <= RealtimeItem.maximumText
      else {
        throw .invalid(
          "item.content",
          "The messages that wait for an answer may have \(RealtimeItem.maximumText) bytes together: "
            + "send 'response.create'.")
      }
      unanswered.append(Unanswered(itemID: item.id, text: item.text))
    }
    return memory + [add(item, at: place), done(item)]
  }

  // MARK: Turns

  mutating func beginTurn(audioMs: Int, atMs now: Int) -> [RealtimeAction] {
    var actions: [RealtimeAction] = []
    if turn == nil { turn = Turn(itemID: ids.make("item")) }
    turn?.isStopped = false
    if turn?.startMs == nil { turn?.startMs = audioMs }
    actions.append(
      send(
        "input_audio_buffer.speech_started",
        ["audio_start_ms": .int(audioMs), "item_id": JSONValue(turn?.itemID)]))
    // A reply that is complete may still sound; one that is being made ends through the agent.
    if response == nil, settings.turnDetection?.interruptsResponse == true {
      actions += truncatePlayback(atMs: now)
    }
    return actions
  }

  mutating func stopTurn(audioMs: Int) -> [RealtimeAction] {
    guard let open = turn else { return [] }
    turn?.isStopped = true
    turn?.endMs = audioMs
    return [
      send(
        "input_audio_buffer.speech_stopped",
        ["audio_end_ms": .int(audioMs), "item_id": .string(open.itemID)])
    ]
  }

  /// Makes an item of the user's turn.
  mutating func commit(_ itemID: String) -> [RealtimeAction] {
    forgetInput()
    let item = RealtimeItem(
      id: itemID, role: .user, status: "completed", content: [.inputAudio(transcript: nil)])
    let previous = JSONValue(items.last?.id)
    return [
      send(
        "input_audio_buffer.committed",
        ["item_id": .string(itemID), "previous_item_id": previous]),
      add(item), done(item),
    ]
  }

  /// Takes back the user's last turn and the reply to it: what the user says now replaces both. Text that
  /// the client wrote since, and that waits for its answer, stays.
  mutating func withdrawTurn() -> [RealtimeAction] {
    let place = items.lastIndex { item in
      if case .inputAudio = item.content.first { true } else { false }
    }
    guard let place, response == nil else { return [] }
    let waiting = Set(unanswered.map(\.itemID))
    let withdrawn = items[place...].map(\.id).filter { !waiting.contains($0) }
    items[place...].removeAll { !waiting.contains($0.id) }
    return withdrawn.map { send("conversation.item.deleted", ["item_id": .string($0)]) }
  }

  /// Ends the user's turn for a client that finds the turns itself.
  mutating func commitByClient() throws(RealtimeFault) -> [RealtimeAction] {
    guard settings.turnDetection == nil else {
      throw RealtimeFault(
        code: "input_audio_buffer_commit_not_allowed",
        message: "The server commits the sound itself where it detects the turns: set 'turn_detection' "
          + "to null to commit.")
    }
    guard untranscribed.count < Self.maximumItems else {
      throw RealtimeFault(
        code: "input_audio_buffer_commit_not_allowed",
        message: "\(Self.maximumItems) turns wait for their transcripts: wait for one.")
    }
    let itemID = turn?.itemID ?? ids.make("item")
    turn = nil
    untranscribed.append(itemID)
    return [.agent(.commitAudio)] + commit(itemID)
  }

  /// The agent could not read a turn: of those that the client ended the oldest stays without text.
  mutating func transcriptionFailed(_ problem: RealtimeFault) -> [RealtimeAction] {
    guard !untranscribed.isEmpty else { return [fault(problem)] }
    let itemID = untranscribed.removeFirst()
    guard !settings.transcription.isNull else { return [fault(problem)] }
    return [
      send(
        "conversation.item.input_audio_transcription.failed",
        [
          "item_id": .string(itemID), "content_index": 0,
          "error": [
            "type": .string(problem.type), "code": JSONValue(problem.code),
            "message": .string(problem.message), "param": nil,
          ],
        ])
    ]
  }

  mutating func transcript(_ text: String, isFinal: Bool) -> [RealtimeAction] {
    guard isFinal else { return partialTranscript(text) }
    var actions: [RealtimeAction] = []
    let itemID: String
    let seconds = turn?.seconds ?? 0
    if !untranscribed.isEmpty {
      itemID = untranscribed.removeFirst()
    } else if text.isEmpty {
      // Sound that was no speech: the turn stays open for what follows.
      return []
    } else {
      itemID = turn?.itemID ?? ids.make("item")
      turn = nil
      if settings.turnDetection != nil { playback?.isFollowed = true }
      actions += commit(itemID)
    }
    update(itemID) { $0.content = [.inputAudio(transcript: text)] }
    guard !settings.transcription.isNull else { return actions }
    let place: JSONObject = ["item_id": .string(itemID), "content_index": 0]
    if !text.isEmpty {
      var delta = place
      delta["delta"] = .string(text)
      actions.append(send("conversation.item.input_audio_transcription.delta", delta))
    }
    var completed = place
    completed["transcript"] = .string(text)
    completed["usage"] = ["type": "duration", "seconds": .double(seconds)]
    actions.append(send("conversation.item.input_audio_transcription.completed", completed))
    return actions
  }

  private mutating func partialTranscript(_ text: String) -> [RealtimeAction] {
    let itemID: String
    if let waiting = untranscribed.first {
      itemID = waiting
    } else {
      if turn == nil { turn = Turn(itemID: ids.make("item")) }
      itemID = turn?.itemID ?? ""
    }
    guard settings.include.contains("yoob.partials") else { return [] }
    return [send("yoob.partial", ["item_id": .string(itemID), "text": .string(text)])]
  }
}
