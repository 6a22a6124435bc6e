/// Tools that the model asks for.
extension RealtimeClientSession {
  /// What a tool answered, as text (JSON by custom). The model goes on when all calls of its turn are answered.
  public mutating func toolResult(id: String, output: String, at now: Double) -> [ConversationAction] {
    guard !link.isEnded, let place = calls.firstIndex(where: { $0.id == id }) else { return [] }
    let call = calls.remove(at: place)
    guard link.isReady else {
      if results.count >= Self.maximumToolCalls { results.removeFirst() }
      results.append((call, output.trimmedPrefix(maximumBytes: Self.maximumText)))
      return settle([])
    }
    return settle(answer(call, output) + respondIfDue(at: now))
  }

  /// The name of a function, for servers that tell it only where the item begins.
  mutating func noteFunction(_ event: RealtimeServerMessage) {
    guard let item = event.object["item"], item["type"] == "function_call", let id = event.itemID,
      let name = item["name"]?.string, name.utf8.count <= 256
    else { return }
    if functionNames.count >= Self.maximumToolCalls { functionNames.removeFirst() }
    functionNames.append((id, name))
  }

  mutating func functionCall(_ event: RealtimeServerMessage, at now: Double) -> [ConversationAction] {
    guard let id = event.string("call_id"), !id.isEmpty, id.utf8.count <= 256,
      let responseID = event.string("response_id"), !closed.contains(responseID)
    else { return [] }
    let known = functionNames.last { $0.itemID == event.itemID }?.name
    guard let name = event.string("name") ?? known, !name.isEmpty, knownCalls.insert(id) else { return [] }
    let arguments = event.string("arguments") ?? "{}"
    let call = ToolCall(
      id: id, name: name, arguments: arguments.utf8.count > Self.maximumArguments ? "{}" : arguments,
      responseID: responseID,
      epoch: link.epoch)
    guard arguments.utf8.count <= Self.maximumArguments else {
      return answer(call, #"{"error": "The arguments are too long."}"#)
    }
    guard calls.count < Self.maximumToolCalls else {
      return answer(call, #"{"error": "Too many tool calls are running. Wait for their results."}"#)
    }
    calls.append(call)
    return [.callTool(id: id, name: name, arguments: call.arguments)]
  }

  /// Results that came while there was no connection.
  mutating func tellResults() -> [ConversationAction] {
    let held = results
    results = []
    return held.flatMap { answer($0.call, $0.output) }
  }

  private mutating func answer(_ call: ToolCall, _ output: String) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    if call.epoch != link.epoch {
      // A provider that came later does not know of the call.
      actions.append(
        create([
          "type": "function_call", "call_id": .string(call.id), "name": .string(call.name),
          "arguments": .string(call.arguments),
        ]))
    }
    actions.append(
      create([
        "type": "function_call_output", "call_id": .string(call.id),
        "output": .string(output.trimmedPrefix(maximumBytes: Self.maximumText)),
      ]))
    if !calls.contains(where: { $0.responseID == call.responseID }), !isUserSpeaking { wantsResponse = true }
    return actions
  }
}
