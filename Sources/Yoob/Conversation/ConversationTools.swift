import VoiceIO
import YoobWire

extension YoobTool {
  /// As it is announced. Throws `YoobError.unsupported` for a name or a schema that services refuse.
  var announced: ConversationTool {
    get throws(YoobError) {
      let isName =
        (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
          (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == 0x5F || byte == 0x2D
        }
      guard isName else {
        throw .unsupported("\"\(name)\" is no name of a tool; use letters, digits, _ and -, at most 64")
      }
      guard let schema = try? JSONValue(parsing: parameters), schema.object != nil else {
        throw .unsupported("the parameters of the tool \"\(name)\" are not a JSON schema of an object")
      }
      return ConversationTool(name: name, description: description, parameters: schema)
    }
  }

  static func errorText(_ message: String) -> String {
    JSONValue.object(["error": .string(String(message.prefix(1000)))]).text
  }
}

extension ConversationDriver {
  /// Runs a tool; its result is told when it comes, or an error when it takes too long.
  func call(_ id: String, _ name: String, _ arguments: String) {
    guard let tool = ports.tools.first(where: { $0.name == name }) else {
      return advance { $0.toolResult(id: id, output: YoobTool.errorText("there is no tool \(name)"), at: $1) }
    }
    let clock = ports.clock
    let run = own { driver in
      let output: String
      do { output = try await tool.handler(arguments) } catch {
        output = YoobTool.errorText(error.localizedDescription)
      }
      await driver()?.answer(id, output)
    }
    let watch = own { driver in
      await clock.sleep(for: max(0, tool.timeout))
      guard !Task.isCancelled else { return }
      await driver()?.answer(id, YoobTool.errorText("the tool took longer than \(tool.timeout) s"))
    }
    calls[id] = (run, watch)
  }

  /// The first answer counts.
  private func answer(_ id: String, _ output: String) {
    guard cancelCall(id) else { return }
    takePumpEvents()
    advance { $0.toolResult(id: id, output: output, at: $1) }
  }

  /// Ends a call's work; false when there is none.
  @discardableResult func cancelCall(_ id: String) -> Bool {
    guard let (run, watch) = calls.removeValue(forKey: id) else { return false }
    tasks[run]?.cancel()
    tasks[watch]?.cancel()
    return true
  }
}
