import YoobWire

/// How much the calls that wait for an agent may hold.
struct CallBudget: Sendable, Equatable {
  /// In bytes.
  static let limit = 8 << 20
  /// What a call takes beside its content, in bytes.
  private static let overhead = 128

  private(set) var bytes = 0

  /// Counts a call that begins to wait; false, and nothing counted, where there is no room.
  mutating func add(_ call: RealtimeAction.AgentCall) -> Bool {
    let size = Self.size(call)
    guard bytes + size <= Self.limit else { return false }
    bytes += size
    return true
  }

  /// A call that was counted waits no longer.
  mutating func remove(_ call: RealtimeAction.AgentCall) { bytes -= Self.size(call) }

  private static func size(_ call: RealtimeAction.AgentCall) -> Int {
    let content =
      switch call {
      case .appendAudio(let pcm): pcm.count
      case .sendText(let text): text.utf8.count
      case .respond(let instructions): instructions?.utf8.count ?? 0
      case .configure(let configuration):
        (configuration.instructions?.utf8.count ?? 0) + (configuration.voice?.utf8.count ?? 0)
      case .remember(let messages): messages.reduce(0) { $0 + $1.text.utf8.count }
      case .commitAudio, .clearAudio, .interrupt, .correctHeard: 0
      }
    return content + overhead
  }
}
