import RunAnywhere
import VoiceIO

/// Draws what was heard, one character for 100 ms.
public enum Timeline {
  /// "=" where the loudspeaker was heard for most of the time, "." elsewhere.
  public static func agent(_ sink: RecordingSink, seconds: Double) -> String {
    let samples = sink.recording(sampleRate: 16_000, duration: seconds).samples
    return stride(from: 0, to: samples.count, by: 1600).map { start in
      let part = samples[start..<min(start + 1600, samples.count)]
      return part.lazy.filter { abs($0) > 0.001 }.count * 2 >= part.count ? "=" : "."
    }.joined()
  }

  /// A whole conversation, one character for 100 ms, in four rows:
  ///
  /// ```
  /// user  ..AAAAAAAAAA..............................
  /// agent ..................============..============
  /// state LLLLLLLLLLLLLLLLLSSSSSSSSSSSSSSSSSSSSSSSSSS
  /// event ....(...p......p.F........................
  /// ```
  ///
  /// - `user`: letters of `ScriptedSound`, "." silence, " " where the microphone gave nothing.
  /// - `agent`: "=" where the loudspeaker was heard for most of the time.
  /// - `state`: listening, thinking or speaking at the end of the 100 ms.
  /// - `event`: "(" and ")" speech started and ended, "p" a partial and "F" a final transcript, "!" an error,
  ///   "x" a false interruption, "o" a turn that was reopened; of several the one that says most.
  ///
  /// Spaces at the ends of rows are left out.
  static func draw(
    heard: [(time: Double, letter: Character)], sink: RecordingSink,
    events: [(time: Double, event: VoiceEvent)],
    diagnostics: [(time: Double, diagnostic: VoiceDiagnostic)], seconds: Double
  ) -> String {
    let count = Int((seconds * 10).rounded())
    var user = [Character](repeating: " ", count: count)
    var state = [Character](repeating: " ", count: count)
    var event = [Character](repeating: ".", count: count)
    /// What happens at the very end of 100 ms belongs to them.
    func slot(_ time: Double) -> Int? {
      let index = max(0, Int((time * 10 - 1e-6).rounded(.down)))
      return index < count ? index : nil
    }
    var votes: [Int: [Character: Int]] = [:]
    for (time, letter) in heard {
      if let slot = slot(time) { votes[slot, default: [:]][letter, default: 0] += 1 }
    }
    for (slot, letters) in votes {
      user[slot] = letters.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? " "
    }
    func mark(_ time: Double, _ sign: Character) {
      guard let slot = slot(time), weight(sign) > weight(event[slot]) else { return }
      event[slot] = sign
    }
    for (time, happened) in events {
      switch happened {
      case .agentStateChanged(let changed):
        guard let slot = slot(time) else { continue }
        let letter = "\(changed)".uppercased().first ?? " "
        for later in slot..<count { state[later] = letter }
      case .speechStarted: mark(time, "(")
      case .speechEnded: mark(time, ")")
      case .userTranscribed(_, let isFinal): mark(time, isFinal ? "F" : "p")
      case .error: mark(time, "!")
      case .agentResponse: continue
      }
    }
    for (time, diagnostic) in diagnostics {
      switch diagnostic {
      case .falseInterruption: mark(time, "x")
      case .turnReopened: mark(time, "o")
      default: continue
      }
    }
    let rows = [("user ", String(user)), ("agent", agent(sink, seconds: seconds)), ("state", String(state))]
    return (rows + [("event", String(event))]).map { name, row in
      var line = Substring("\(name) \(row)")
      while line.last == " " { line.removeLast() }
      return String(line)
    }.joined(separator: "\n")
  }

  /// How much a sign of the row of events says.
  private static func weight(_ sign: Character) -> Int { Array(".p)(xoF!").firstIndex(of: sign) ?? 0 }

  /// One short word for each event, pieces of a reply joined.
  public static func events(_ events: [VoiceEvent]) -> [String] {
    var lines: [String] = []
    var isReply = false
    for event in events {
      if case .agentResponse(let text) = event {
        if isReply { lines[lines.count - 1] += text } else { lines.append("reply: \(text)") }
        isReply = true
        continue
      }
      isReply = false
      lines.append(line(event))
    }
    return lines
  }

  private static func line(_ event: VoiceEvent) -> String {
    switch event {
    case .userTranscribed(let text, let isFinal): "\(isFinal ? "final" : "partial"): \(text)"
    case .agentStateChanged(let state): "\(state)"
    case .agentResponse(let text): "reply: \(text)"
    case .speechStarted: "speech started"
    case .speechEnded: "speech ended"
    case .error(let message, let recoverable): "\(recoverable ? "error" : "failure"): \(message)"
    }
  }
}
