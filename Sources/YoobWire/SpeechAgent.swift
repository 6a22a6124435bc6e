/// What a conversation partner reports.
public enum SpeechAgentEvent: Sendable, Equatable {
  /// The user began to speak; milliseconds of input audio since the connection began.
  case speechStarted(audioMs: Int)
  /// The user fell silent; milliseconds of input audio since the connection began.
  case speechStopped(audioMs: Int)
  /// What the user said: again and again while they speak, then once as final.
  case userTranscript(text: String, isFinal: Bool)
  /// The user went on after the turn was taken: the next final transcript replaces the last one,
  /// and the reply to that was not heard.
  case turnReopened
  /// A reply begins. `responseID` names it in all that follows.
  case responseStarted(responseID: String)
  /// A piece of the reply's text, as it is written.
  case responseText(responseID: String, text: String)
  /// A piece of the reply's sound: mono PCM16 little-endian at 24 kHz.
  case responseAudio(responseID: String, pcm: [UInt8])
  /// Words of the reply; milliseconds since the reply's first sample.
  case responseWords(responseID: String, words: [SpeechWord])
  /// Mouth frames of the reply, 15 weights each at `rate` per second, from `startMs` on.
  case responseVisemes(responseID: String, startMs: Int, rate: Int, frames: [[Float]])
  /// The melody of the reply at `rate` frames a second, from `startMs` on: pitch in Hz, 0 where
  /// unvoiced, and as many marks: 1 in stressed sounds, 2 at the end of a question that is answered by
  /// yes or no, else 0.
  case responseProsody(responseID: String, startMs: Int, rate: Int, pitch: [Float], marks: [Int])
  /// The listener is to hold the reply's sound, because the user may be interrupting it, or to go on with
  /// the sample after the last one heard.
  case responseHeld(responseID: String, isHeld: Bool)
  /// No more of the reply follows.
  case responseFinished(responseID: String, status: ResponseStatus)
  /// Timings of the turn, by stage name, in milliseconds.
  case metrics([String: Double])
  /// "transcription_failed" stands in the place of the final transcript after a `commitAudio()`.
  case error(code: String, message: String, isFatal: Bool)
}

/// How a reply ended.
public enum ResponseStatus: Sendable, Equatable {
  /// All of it was made.
  case completed
  /// The user spoke, or the client cancelled.
  case cancelled(reason: String)
  /// It could not be made, for the reason given.
  case failed(message: String)
}

/// A spoken word with its place in the reply's sound.
public struct SpeechWord: Sendable, Equatable, Codable {
  /// As written, punctuation included.
  public var text: String
  /// Milliseconds from the reply's first sample to the word.
  public var startMs: Int
  /// Milliseconds from the reply's first sample to its end.
  public var endMs: Int
  /// A word and its times in milliseconds.
  public init(text: String, startMs: Int, endMs: Int) {
    self.text = text
    self.startMs = startMs
    self.endMs = endMs
  }
}

/// What an agent is asked to be.
public struct SpeechAgentConfiguration: Sendable, Equatable {
  /// What it is; nil leaves it as it is.
  public var instructions: String?
  /// Name of a voice; nil leaves the choice to the agent.
  public var voice: String?
  /// 0.25...1.5.
  public var speed: Double = 1
  /// The longest reply, in tokens; nil is no limit.
  public var maxOutputTokens: Int?
  /// Milliseconds of silence that end a turn.
  public var silenceMs: Int = 500
  /// Milliseconds before the speech that belong to the turn.
  public var prefixPaddingMs: Int = 300
  /// How sure it must be to hear speech, 0...1.
  public var threshold: Double = 0.5
  /// Whether speech of the user stops a reply.
  public var interruptsResponse: Bool = true
  /// Whether the listener wants `responseVisemes`.
  public var wantsVisemes: Bool = false
  /// Whether the listener wants `responseWords`.
  public var wantsWords: Bool = false
  /// Whether the listener wants `responseProsody`.
  public var wantsProsody: Bool = false
  /// Whether the listener heeds `responseHeld`; otherwise a reply that the user may be interrupting ends.
  public var wantsHolds: Bool = false
  /// Whether the agent finds the turns in the sound itself; otherwise `commitAudio()` ends each.
  public var detectsTurns: Bool = true
  /// The defaults.
  public init() {}
}

/// Something that was said before the agent took part.
public struct SpeechAgentMessage: Sendable, Equatable {
  /// Who said it.
  public enum Role: Sendable, Equatable {
    /// The person, or the agent.
    case user, assistant
  }
  /// Who said it.
  public var role: Role
  /// What was said.
  public var text: String
  /// A message of one side.
  public init(_ role: Role, _ text: String) {
    self.role = role
    self.text = text
  }
}

/// A conversation partner that hears and speaks: a local session, a provider, or a script.
public protocol SpeechAgent: Sendable {
  /// All that happens, from creation on; one reader.
  var events: AsyncStream<SpeechAgentEvent> { get }
  /// Opens the agent for sound. Throws when it cannot be had.
  func start() async throws
  /// Asks the agent to be this from now on.
  func configure(_ configuration: SpeechAgentConfiguration) async
  /// Sound of the user: mono PCM16 little-endian at 24 kHz, in order. Never blocks.
  func appendAudio(_ pcm: [UInt8])
  /// Ends the user's turn; its transcript follows. The reply waits for `respond(instructions:)`
  /// where the agent does not detect turns.
  func commitAudio() async
  /// Forgets the user's sound since the last turn.
  func clearAudio() async
  /// A typed message of the user; begins a reply (and interrupts one that is running).
  func send(text: String) async
  /// Begins a reply without a message of the user, such as a greeting.
  func respond(instructions: String?) async
  /// Stops the reply; `heardMs` is how much the listener heard, nil lets the agent estimate.
  func interrupt(heardMs: Int?) async
  /// The listener heard only `ms` milliseconds of the last reply, which is over. It stops nothing,
  /// and says nothing of a reply that has begun since.
  func correctHeard(ms: Int) async
  /// Earlier messages of the conversation, oldest first, to be known from the next reply on; begins none.
  func remember(_ messages: [SpeechAgentMessage]) async
  /// Ends the agent and releases what it holds. Idempotent.
  func close() async
}

extension SpeechAgent {
  /// Does nothing: the agent finds the turns itself.
  public func commitAudio() async {}
  /// Does nothing.
  public func clearAudio() async {}
  /// Does nothing: the agent keeps no account of what was heard.
  public func correctHeard(ms: Int) async {}
  /// Does nothing: the agent has no memory.
  public func remember(_ messages: [SpeechAgentMessage]) async {}
}
