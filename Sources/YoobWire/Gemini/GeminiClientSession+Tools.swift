/// Tools that the model asks for.
extension GeminiClientSession {
  /// What a tool answered: a JSON object, or any text. The model goes on by itself.
  public mutating func toolResult(id: String, output: String, at now: Double) -> [ConversationAction] {
    guard !link.isEnded, let place = calls.firstIndex(where: { $0.id == id }) else { return [] }
    let call = calls.remove(at: place)
    let output = output.trimmedPrefix(maximumBytes: Self.maximumText)
    guard link.isReady else {
      if results.count >= Self.maximumToolCalls { results.removeFirst() }
      results.append((call, output))
      return settle([])
    }
    return settle(answer(call, output, at: now))
  }

  mutating func callTools(_ message: GeminiMessage, at now: Double) -> [ConversationAction] {
    var actions: [ConversationAction] = []
    for function in message.objects("function_calls") {
      guard let id = function.string("id"), !id.isEmpty, id.utf8.count <= 256,
        let name = function.string("name"), !name.isEmpty, name.utf8.count <= 256, knownCalls.insert(id)
      else { continue }
      let call = ToolCall(id: id, name: name, epoch: link.epoch)
      let arguments = (function.value("args") ?? [:]).text
      guard arguments.utf8.count <= Self.maximumArguments, calls.count < Self.maximumToolCalls else {
        actions += answer(call, #"{"error": "Too many or too long tool calls."}"#, at: now)
        continue
      }
      calls.append(call)
      actions.append(.callTool(id: id, name: name, arguments: arguments))
    }
    return actions
  }

  mutating func cancelTools(_ message: GeminiMessage) -> [ConversationAction] {
    let ids = message.array("ids").compactMap(\.string)
    let cancelled = calls.filter { ids.contains($0.id) }
    calls.removeAll { ids.contains($0.id) }
    return cancelled.map { .cancelTool(id: $0.id) }
  }

  mutating func takeResults() -> [(call: ToolCall, output: String)] {
    defer { results = [] }
    return results
  }

  mutating func answer(_ call: ToolCall, _ output: String, at now: Double) -> [ConversationAction] {
    isAwaiting = true
    replyDeadline = now + Self.replyTimeout
    guard call.epoch == link.epoch else {
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
