/// What the driver of a `RealtimeServerSession` has to do, in order.
public enum RealtimeAction: Sendable, Equatable {
  /// Send the event to the client.
  case send(JSONObject)
  /// Call the agent.
  case agent(AgentCall)
  /// Close the connection once everything before was sent.
  case close(code: Int, reason: String)

  /// A call of the `SpeechAgent`.
  public enum AgentCall: Sendable, Equatable {
    /// `SpeechAgent.configure(_:)`.
    case configure(SpeechAgentConfiguration)
    /// `SpeechAgent.appendAudio(_:)`.
    case appendAudio([UInt8])
    /// `SpeechAgent.commitAudio()`.
    case commitAudio
    /// `SpeechAgent.clearAudio()`.
    case clearAudio
    /// `SpeechAgent.send(text:)`.
    case sendText(String)
    /// `SpeechAgent.respond(instructions:)`.
    case respond(instructions: String?)
    /// `SpeechAgent.interrupt(heardMs:)`.
    case interrupt(heardMs: Int?)
    /// `SpeechAgent.correctHeard(ms:)`.
    case correctHeard(ms: Int)
    /// `SpeechAgent.remember(_:)`.
    case remember([SpeechAgentMessage])

    /// Makes the call; returns when the agent has taken it.
    public func carryOut(on agent: any SpeechAgent) async {
      switch self {
      case .configure(let configuration): await agent.configure(configuration)
      case .appendAudio(let pcm): agent.appendAudio(pcm)
      case .commitAudio: await agent.commitAudio()
      case .clearAudio: await agent.clearAudio()
      case .sendText(let text): await agent.send(text: text)
      case .respond(let instructions): await agent.respond(instructions: instructions)
      case .interrupt(let heardMs): await agent.interrupt(heardMs: heardMs)
      case .correctHeard(let ms): await agent.correctHeard(ms: ms)
      case .remember(let messages): await agent.remember(messages)
      }
    }
  }
}

/// Names for sessions, items, responses and events. One seed gives one sequence.
struct RealtimeIDs: Sendable, Equatable {
  private var state: UInt64
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  init(seed: UInt64) { state = seed }

  mutating func make(_ prefix: String) -> String {
    var text = Array((prefix + "_").utf8)
    for _ in 0..<2 {
      var bits = next()
      for _ in 0..<10 {
        text.append(Self.digits[Int(bits % 62)])
        bits /= 62
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A number in 0..<1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
