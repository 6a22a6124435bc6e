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
