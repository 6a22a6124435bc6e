/// The life of a response, from `response.created` to `response.done`.
extension RealtimeServerSession {
  mutating func createResponse(
    _ request: RealtimeResponseRequest
  ) throws(RealtimeFault) -> [RealtimeAction] {
    guard response == nil else {
      throw RealtimeFault(
        code: "conversation_already_has_active_response",
        message: "Conversation already has an active response in progress: "
          + "\(response?.id ?? ""). Wait until the response is finished before creating a new one.")
    }
    let message = unanswered.map(\.text).joined(separator: "\n")
    unanswered = []
    var actions = begin(request, agentID: nil)
    // A message carries no instructions: they are the agent's until the response ends.
    if !message.isEmpty { response?.instructions = request.instructions }
    if response?.hasOwnConfiguration == true { actions.append(.agent(.configure(agentConfiguration))) }
    let call: RealtimeAction.AgentCall =
      message.isEmpty ? .respond(instructions: request.instructions) : .sendText(message)
    return actions + [.agent(call)]
  }

  /// What the agent is asked to be now: the session's settings, and the open response's own.
  var agentConfiguration: SpeechAgentConfiguration {
    var configuration = settings.agentConfiguration
    if let instructions = response?.instructions { configuration.instructions = instructions }
    if let limit = response?.tokenLimit { configuration.maxOutputTokens = limit.count }
    return configuration
  }

  mutating func cancelResponse(
    _ id: String?, atMs now: Int
  ) throws(RealtimeFault) -> [RealtimeAction] {
    guard let response, id == nil || id == response.id else {
      throw RealtimeFault(
        code: "response_cancel_not_active",
        message: "Cancellation failed: no active response found.", param: "response_id")
    }
    // The agent's later reports on this response find no open response and are dropped.
    let toldMs = playback?.itemID == response.itemID ? playback?.toldMs : nil
    return [.agent(.interrupt(heardMs: toldMs))]
      + finish(.cancelled(reason: "client_cancelled"), atMs: now)
  }

  mutating func begin(_ request: RealtimeResponseRequest, agentID: String?) -> [RealtimeAction] {
    let new = Response(
      id: ids.make("resp"), agentID: agentID,
      isTextOnly: request.isTextOnly ?? settings.isTextOnly, metadata: request.metadata,
      tokenLimit: request.tokenLimit)
    response = new
    playback?.isFollowed = true
    return [send("response.created", ["response": json(new, status: "in_progress")])]
  }

  /// The agent has begun a reply: the one that was asked for, or one of its own accord.
  mutating func bind(agentID: String, atMs now: Int) -> [RealtimeAction] {
    var actions: [RealtimeAction] = []
    if let open = turn, open.isStopped {
      turn = nil
      actions += commit(open.itemID)
    }
    if response != nil, response?.agentID == nil {
      response?.agentID = agentID
      return actions
    }
    if response != nil { actions += finish(.cancelled(reason: "turn_detected"), atMs: now) }
    return actions + begin(RealtimeResponseRequest(), agentID: agentID)
  }

  /// The item of the response, announced at its first content.
  private mutating func openItem() -> [RealtimeAction] {
    guard var open = response, open.itemID == nil else { return [] }
    let item = RealtimeItem(id: ids.make("item"), role: .assistant, status: "in_progress", content: [])
    open.itemID = item.id
    response = open
    playback = Playback(itemID: item.id)
    let part: JSONValue =
      open.isTextOnly ? ["type": "text", "text": ""] : ["type": "audio", "transcript": ""]
    var added = place(open)
    added["part"] = part
    return [
      send(
        "response.output_item.added",
        ["response_id": .string(open.id), "output_index": 0, "item": item.json]),
      add(item), send("response.content_part.added", added),
    ]
  }

  private func place(_ response: Response) -> JSONObject {
    [
      "response_id": .string(response.id), "item_id": JSONValue(response.itemID),
      "output_index": 0, "content_index": 0,
    ]
  }

  mutating func writeText(_ text: String) -> [RealtimeAction] {
    var actions = openItem()
    guard let open = response else { return [] }
    response?.text += text
    var delta = place(open)
    delta["delta"] = .string(text)
    actions.append(
      send(
        open.isTextOnly ? "response.output_text.delta" : "response.output_audio_transcript.delta",
        delta))
    return actions
  }

  mutating func writeAudio(_ pcm: [UInt8], atMs now: Int) -> [RealtimeAction] {
    guard response?.isTextOnly == false, !pcm.isEmpty else { return [] }
    var actions = openItem()
    guard let open = response else { return [] }
    lockVoice()
    if playback?.startMs == nil { playback?.startMs = now }
    playback?.bytes += pcm.count
    var delta = place(open)
    delta["delta"] = .string(Base64.encode(pcm))
    actions.append(send("response.output_audio.delta", delta))
    return actions
  }

  mutating func writeWords(_ words: [SpeechWord]) -> [RealtimeAction] {
    guard response?.isTextOnly == false, !words.isEmpty else { return [] }
    var actions = openItem()
    guard let itemID = response?.itemID else { return [] }
    update(itemID) { $0.words += words }
    guard settings.include.contains("yoob.words") else { return actions }
    let list: [JSONValue] = words.map {
      ["text": .string($0.text), "start_ms": .int($0.startMs), "end_ms": .int($0.endMs)]
    }
    actions.append(
      send(
        "yoob.words",
        [
          "response_id": JSONValue(response?.id), "item_id": .string(itemID), "words": .array(list),
        ]))
    return actions
  }

  mutating func writeVisemes(startMs: Int, rate: Int, frames: [[Float]]) -> [RealtimeAction] {
    guard response?.isTextOnly == false, settings.include.contains("yoob.visemes") else { return [] }
    var actions = openItem()
    guard let itemID = response?.itemID else { return [] }
    // Three decimals are finer than a mouth can show, and a third of the bytes.
    let list = frames.map { frame in
      JSONValue.array(frame.map { .double((Double($0) * 1000).rounded() / 1000) })
    }
    actions.append(
      send(
        "yoob.visemes",
        [
          "response_id": JSONValue(response?.id), "item_id": .string(itemID),
          "start_ms": .int(startMs), "rate": .int(rate), "frames": .array(list),
        ]))
    return actions
  }

  mutating func writeProsody(startMs: Int, rate: Int, pitch: [Float], marks: [Int]) -> [RealtimeAction] {
    guard response?.isTextOnly == false, settings.include.contains("yoob.prosody") else { return [] }
    var actions = openItem()
    guard let itemID = response?.itemID else { return [] }
    // Whole Hz are finer than a head can show.
    let hertz = pitch.map { JSONValue.int($0 > 0 && $0 < 10_000 ? Int($0.rounded()) : 0) }
    actions.append(
      send(
        "yoob.prosody",
        [
          "response_id": JSONValue(response?.id), "item_id": .string(itemID),
          "start_ms": .int(startMs), "rate": .int(rate), "pitch": .array(hertz),
          "marks": .array(marks.map(JSONValue.int)),
        ]))
    return actions
  }

  mutating func hold(_ isHeld: Bool, atMs now: Int) -> [RealtimeAction] {
    guard let open = response, let itemID = open.itemID else { return [] }
    playback?.hold(isHeld, atMs: now)
    guard settings.include.contains("yoob.hold") else { return [] }
    return [
      send(
        "yoob.hold",
        ["response_id": .string(open.id), "item_id": .string(itemID), "held": .bool(isHeld)])
    ]
  }

  /// Closes all that is open of the response, then the response.
  mutating func finish(_ status: ResponseStatus, atMs now: Int) -> [RealtimeAction] {
    guard let ended = response else { return [] }
    response = nil
    lastResponseID = ended.id
    var actions: [RealtimeAction] = []
    var output: [JSONValue] = []
    if let itemID = ended.itemID {
      actions += closeItem(itemID, of: ended, isComplete: status == .completed)
      if let item = item(itemID) { output = [item.json] }
    }
    let name =
      switch status {
      case .completed: "completed"
      case .cancelled: "cancelled"
      case .failed: "failed"
      }
    var body = json(ended, status: name)
    if case .object(var object) = body {
      object["output"] = .array(output)
      object["status_details"] = Self.details(status)
      object["usage"] = usageJSON
      body = .object(object)
    }
    usage = Usage()
    actions.append(send("response.done", ["response": body]))
    if case .cancelled = status, ended.itemID != nil { actions += truncatePlayback(atMs: now) }
    if ended.hasOwnConfiguration { actions.append(.agent(.configure(agentConfiguration))) }
    return actions
  }

  private mutating func closeItem(
    _ itemID: String, of ended: Response, isComplete: Bool
  ) -> [RealtimeAction] {
    var actions: [RealtimeAction] = []
    let place = place(ended)
    let sentMs = playback?.itemID == itemID ? playback?.sentMs ?? 0 : 0
    update(itemID) {
      $0.status = isComplete ? "completed" : "incomplete"
      $0.content = [ended.isTextOnly ? .outputText(ended.text) : .outputAudio(transcript: ended.text)]
      $0.audioMs = sentMs
      $0.trim()
    }
    var text = place
    var part = place
    if ended.isTextOnly {
      text["text"] = .string(ended.text)
      actions.append(send("response.output_text.done", text))
      part["part"] = ["type": "text", "text": .string(ended.text)]
    } else {
      text["transcript"] = .string(ended.text)
      actions.append(send("response.output_audio.done", place))
      actions.append(send("response.output_audio_transcript.done", text))
      part["part"] = ["type": "audio", "transcript": .string(ended.text)]
    }
    actions.append(send("response.content_part.done", part))
    guard let item = item(itemID) else { return actions }
    actions.append(done(item))
    actions.append(
      send(
        "response.output_item.done",
        ["response_id": .string(ended.id), "output_index": 0, "item": item.json]))
    return actions
  }

  private static func details(_ status: ResponseStatus) -> JSONValue {
    switch status {
    case .completed: .null
    case .cancelled(let reason):
      [
        "type": "cancelled",
        "reason": reason == "client_cancelled" ? "client_cancelled" : "turn_detected",
      ]
    case .failed(let message):
      [
        "type": "failed",
        "error": ["type": "server_error", "code": "response_failed", "message": .string(message)],
      ]
    }
  }

  private var usageJSON: JSONValue {
    [
      "total_tokens": .int(usage.inputTokens + usage.outputTokens),
      "input_tokens": .int(usage.inputTokens), "output_tokens": .int(usage.outputTokens),
      "input_token_details": [
        "text_tokens": .int(usage.inputTokens), "audio_tokens": 0, "cached_tokens": .int(usage.cachedTokens),
      ],
      "output_token_details": ["text_tokens": .int(usage.outputTokens), "audio_tokens": 0],
    ]
  }

  private func json(_ response: Response, status: String) -> JSONValue {
    [
      "object": "realtime.response", "id": .string(response.id), "status": .string(status),
      "status_details": nil, "output": [], "conversation_id": .string("conv_" + sessionID),
      "output_modalities": response.isTextOnly ? ["text"] : ["audio"],
      "max_output_tokens": RealtimeSettings.json(
        tokenLimit: response.tokenLimit.map(\.count) ?? settings.maxOutputTokens),
      "audio": [
        "output": ["format": RealtimeSettings.audioFormat, "voice": .string(settings.voice)]
      ],
      "usage": nil, "metadata": response.metadata,
    ]
  }
}
