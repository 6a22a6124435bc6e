/// Tools that the model asks for.
extension GeminiClientSession {
  mutating func callTools(_ message: GeminiMessage, at now: Double) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    for function in message.objects("function_calls") {
      guard let id = function.string("id"), !id.isEmpty, id.utf8.count <= 256,
        let name = function.string("name"), !name.isEmpty, name.utf8.count <= 256, core.knownCalls.insert(id)
      else { continue }
      let call = ConversationCore.ToolCall(id: id, name: name, epoch: core.link.epoch)
      let arguments = (function.value("args") ?? [:]).text
      guard arguments.utf8.count <= ConversationLimits.arguments,
        core.calls.count < ConversationLimits.toolCalls
      else {
        actions += answer(call, #"{"error": "Too many or too long tool core.calls."}"#, at: now)
        continue
      }
      core.calls.append(call)
      actions.append(.callTool(id: id, name: name, arguments: arguments))
    }
    return actions
  }

  mutating func cancelTools(_ message: GeminiMessage) -> [ConversationAction] {
    let ids = message.array("ids").compactMap(\.string)
    let cancelled = core.calls.filter { ids.contains($0.id) }
    core.calls.removeAll { ids.contains($0.id) }
    return cancelled.map { .cancelTool(id: $0.id) }
  }

  /// The model goes on by itself.
  mutating func answer(
    _ call: ConversationCore.ToolCall, _ output: String, at now: Double
  ) -> [ConversationAction] {
    isAwaiting = true
    core.replyDeadline = now + ConversationLimits.reply
    guard call.epoch == core.link.epoch else {
      // A connection that came later does not know of the call.
      let text = "(The result of \(call.name) is: \(output))"
      return [
        send(
          "clientContent",
          ["turns": [["role": "user", "parts": [["text": .string(text)]]]], "turnComplete": true])
      ]
    }
    let parsed = try? JSONValue(parsing: output)
    let response: JSONValue = parsed?.object != nil ? parsed ?? [:] : ["output": .string(output)]
    return [
      send(
        "toolResponse",
        [
          "functionResponses": [
            ["id": .string(call.id), "name": .string(call.name), "response": response]
          ]
        ])
    ]
  }
}
