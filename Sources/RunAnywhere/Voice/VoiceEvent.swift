/// What the agent is doing.
public enum AgentState: Sendable, Equatable {
  /// Waiting for the user, or hearing them.
  case listening
  /// Working on a reply; nothing is heard yet.
  case thinking
  /// Being heard.
  case speaking
}

/// What happens in a voice session, in order.
public enum VoiceEvent: Sendable, Equatable {
  /// What the user said: again and again while they speak, then once with `isFinal: true`.
  case userTranscribed(text: String, isFinal: Bool)
  /// The agent does something else now.
  case agentStateChanged(AgentState)
  /// The next piece of the reply; append it.
  case agentResponse(text: String)
  /// The user began to speak, or to speak over the agent.
  case speechStarted
  /// The user's turn is over.
  case speechEnded
  /// Trouble; the session goes on when it is recoverable.
  case error(message: String, recoverable: Bool)
}
