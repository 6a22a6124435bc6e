/// What the driver of a client session has to do, in order.
public enum ConversationAction: Sendable, Equatable {
  /// Open a socket after so many seconds, in place of any older one, and report `socketOpened` or
  /// `connectionFailed`. Every socket needs fresh credentials: a voice session is good for one connection, and
  /// client secrets and ephemeral tokens run out.
  case connect(after: Double)
  /// Send a text message.
  case send(String)
  /// Close the socket. Its own report of the close needs no answer.
  case close(code: Int, reason: String)
  /// An item's sound begins. The sink plays items in order: this one waits for the one before.
  case beginUtterance(itemID: String, sampleRate: Int)
  /// Mono PCM16 little-endian of the item that began last, at its rate; whole samples.
  case play(pcm: [UInt8], itemID: String)
  /// No more sound of the item follows; report `utteranceFinished` when the last sample was heard.
  case endUtterance(itemID: String)
  /// Silence the sink now, drop all that is queued, and report `playbackInterrupted` with the samples heard.
  case interruptPlayback
  /// The conversation stands here now; show it.
  case state(ConversationState)
  /// Text to show.
  case transcript(ConversationTranscript)
  /// Run a tool with arguments as JSON text, and report `toolResult` with the same id.
  case callTool(id: String, name: String, arguments: String)
  /// The result is no longer wanted.
  case cancelTool(id: String)
  /// Hold the sound because the user may be interrupting it, or go on with the sample after the last one heard.
  case holdPlayback(Bool)
  /// The words of a reply with their times, from a server that tells them.
  case words(itemID: String, [SpeechWord])
  /// Mouth frames of a reply, 15 weights each in the order of `visemes`, at `rate` a second from `startMs` of the
  /// item on, from a server that tells them.
  case visemes(itemID: String, startMs: Int, rate: Int, frames: [[Float]])
  /// The provider closes the connection in so many seconds; the session has its own plan for that.
  case goAway(secondsLeft: Double)
  /// What went wrong, for the user to read; the conversation is over only when its state is `ended`.
  case failure(ConversationFailure)
}

/// Text of the conversation.
public struct ConversationTranscript: Sendable, Equatable {
  /// Who speaks.
  public enum Role: String, Sendable, Equatable {
    /// The person, or the model.
    case user, assistant
  }

  /// Who speaks.
  public var role: Role
  /// What is said together has one id.
  public var itemID: String
  /// All of it so far. Of the assistant's speech it is what the listener has heard. Empty and final takes back
  /// what was shown under this id.
  public var text: String
  /// Whether nothing more comes.
  public var isFinal: Bool

  /// Text of one speaker.
  public init(role: Role, itemID: String, text: String, isFinal: Bool) {
    self.role = role
    self.itemID = itemID
    self.text = text
    self.isFinal = isFinal
  }
}
