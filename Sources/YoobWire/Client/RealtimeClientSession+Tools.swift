/// Tools that the model asks for.
extension RealtimeClientSession {
  /// The name of a function, for servers that tell it only where the item begins.
  mutating func noteFunction(_ event: RealtimeServerMessage) {
    guard let item = event.object["item"], item["type"] == "function_call", let id = event.itemID,
      let name = item["name"]?.string, name.utf8.count <= 256
    else { return }
    if functionNames.count >= ConversationLimits.toolCalls { functionNames.removeFirst() }
    functionNames.append((id, name))
  }

  mutating func functionCall(_ event: RealtimeServerMessage, at now: Double) -> [ConversationAction] {
    guard let id = event.string("call_id"), !id.isEmpty, id.utf8.count <= 256,
      let responseID = event.string("response_id"), !closed.contains(responseID)
    else { return [] }
    let known = functionNames.last { $0.itemID == event.itemID }?.name
    guard let name = event.string("name") ?? known, !name.isEmpty, core.knownCalls.insert(id) else {
      return []
    }
    let arguments = event.string("arguments") ?? "{}"
    let call = ConversationCore.ToolCall(
      id: id, name: name, arguments: arguments.utf8.count > ConversationLimits.arguments ? "{}" : arguments,
      responseID: responseID,
      epoch: core.link.epoch)
    guard arguments.utf8.count <= ConversationLimits.arguments else {
      return answer(call, #"{"error": "The arguments are too long."}"#, at: now)
    }
    guard core.calls.count < ConversationLimits.toolCalls else {
      return answer(
        call, #"{"error": "Too many tool core.calls are running. Wait for their core.results."}"#, at: now)
    }
    core.calls.append(call)
    return [.callTool(id: id, name: name, arguments: call.arguments)]
  }

  /// Results that came while there was no connection.
  mutating func tellResults(at now: Double) -> [ConversationAction] {
    core.takeResults().flatMap { answer($0.call, $0.output, at: now) }
  }

  /// The model goes on when all calls of its turn are answered.
  mutating func answer(
    _ call: ConversationCore.ToolCall, _ output: String, at now: Double
  ) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    if call.epoch != core.link.epoch {
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
        "output": .string(output),
      ]))
    if !core.calls.contains(where: { $0.responseID == call.responseID }), !isUserSpeaking {
      wantsResponse = true
    }
    return actions
  }
}
