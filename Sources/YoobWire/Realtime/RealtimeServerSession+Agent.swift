/// What the agent reports, as the protocol tells it.
extension RealtimeServerSession {
  /// The agent reports; `now` is in milliseconds on the driver's clock.
  public mutating func handle(_ event: SpeechAgentEvent, atMs now: Int) -> [RealtimeAction] {
    switch event {
    case .speechStarted(let audioMs): return beginTurn(audioMs: audioMs, atMs: now)
    case .speechStopped(let audioMs): return stopTurn(audioMs: audioMs)
    case .userTranscript(let text, let isFinal): return transcript(text, isFinal: isFinal)
    case .turnReopened: return withdrawTurn()
    case .responseStarted(let id): return bind(agentID: id, atMs: now)
    case .responseText(let id, let text): return isOpen(id) ? writeText(text) : []
    case .responseAudio(let id, let pcm): return isOpen(id) ? writeAudio(pcm, atMs: now) : []
    case .responseWords(let id, let words): return isOpen(id) ? writeWords(words) : []
    case .responseVisemes(let id, let startMs, let rate, let frames):
      return isOpen(id) ? writeVisemes(startMs: startMs, rate: rate, frames: frames) : []
    case .responseProsody(let id, let startMs, let rate, let pitch, let marks):
      return isOpen(id) ? writeProsody(startMs: startMs, rate: rate, pitch: pitch, marks: marks) : []
    case .responseHeld(let id, let isHeld): return isOpen(id) ? hold(isHeld, atMs: now) : []
    case .responseFinished(let id, let status): return isOpen(id) ? finish(status, atMs: now) : []
    case .metrics(let stages): return metrics(stages)
    case .error(let code, let message, let isFatal):
      let problem = RealtimeFault(type: "server_error", code: code, message: message)
      if code == "transcription_failed", !isFatal { return transcriptionFailed(problem) }
      return isFatal ? fail(problem, closeCode: 1011) : [fault(problem)]
    }
  }

  /// The agent has ended without a word.
  public mutating func agentEnded() -> [RealtimeAction] {
    fail(
      RealtimeFault(
        type: "server_error", code: "agent_ended",
        message: "The voice agent has stopped. Connect again."),
      closeCode: 1011)
  }

  private func isOpen(_ agentID: String) -> Bool { response?.agentID == agentID }

  private mutating func metrics(_ stages: [String: Double]) -> [RealtimeAction] {
    if let tokens = stages["input_tokens"].flatMap({ Int(exactly: $0.rounded()) }) {
      usage.inputTokens = tokens
      usage.cachedTokens = stages["cached_tokens"].flatMap { Int(exactly: $0.rounded()) } ?? 0
    }
    if let tokens = stages["output_tokens"].flatMap({ Int(exactly: $0.rounded()) }) {
      usage.outputTokens = tokens
    }
    guard settings.include.contains("yoob.metrics") else { return [] }
    var list = JSONObject()
    for (name, value) in stages.sorted(by: { $0.key < $1.key }) { list[name] = .double(value) }
    return [
      send(
        "yoob.metrics",
        ["response_id": JSONValue(response?.id ?? lastResponseID), "stages": .object(list)])
    ]
  }
}
