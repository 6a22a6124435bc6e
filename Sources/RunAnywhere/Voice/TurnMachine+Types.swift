/// What the machine is told, what it answers, and what it keeps.
extension TurnMachine {
  struct Settings: Sendable, Equatable {
    var vad = VadOptions()
    var turns = TurnHandlingOptions()
    /// Whether there is a turn detector to ask.
    var hasDetector = false

    /// Longest time that an option may ask for, in milliseconds: ten minutes.
    static let longestMs = 600_000

    /// The same with every time inside 0...`longestMs`.
    var clamped: Settings {
      var settings = self
      func clamp(_ milliseconds: inout Int) {
        milliseconds = min(max(0, milliseconds), Self.longestMs)
      }
      clamp(&settings.vad.minSpeechMs)
      clamp(&settings.vad.minSilenceMs)
      clamp(&settings.vad.prefixPaddingMs)
      clamp(&settings.turns.endpointing.minDelayMs)
      clamp(&settings.turns.endpointing.maxDelayMs)
      clamp(&settings.turns.interruption.minDurationMs)
      return settings
    }
  }

  /// What a reply answers.
  enum Request: Sendable, Equatable {
    case spoken(text: String)
    case typed(text: String)
    case instructions(String?)
    case line(id: Int, text: String)
  }

  enum Input: Sendable, Equatable {
    /// The speech probability of the next `count` samples at 16 kHz, and their level in dB.
    case window(probability: Float, count: Int, level: Float = -100)
    /// So many samples never came; whoever spoke before them spoke on.
    case lost(count: Int)
    /// `overlap` tells what the words are when they were said over the agent.
    case transcript(job: Int, text: String, overlap: SpeechOverlap = .words)
    case transcriptionFailed(job: Int, message: String)
    /// How likely, 0...1, the turn detector takes the turn for complete.
    case turnProbability(job: Int, value: Float)
    case turnDetectionFailed(job: Int, message: String)
    /// How likely, 0...1, the message that the reply answers is whole.
    case endLikelihood(reply: Int, value: Float)
    /// The reply's first sound is there, or it is known that it has none.
    case soundReady(reply: Int)
    /// The listener hears the reply's first sample, waits for more of it, hears it again.
    case soundStarted(reply: Int)
    case soundPaused(reply: Int)
    /// All of the reply was heard.
    case replyEnded(reply: Int)
    case replyFailed(reply: Int, message: String)
    case interruptRequested
    case typed(String)
    case asked(instructions: String?)
    case line(id: Int, text: String)
  }

  enum Action: Sendable, Equatable {
    case emit(VoiceEvent)
    case diagnose(VoiceDiagnostic)
    /// Transcribe these samples.
    case transcribe(job: Int, range: Range<Int>)
    /// Ask the turn detector about these samples.
    case detectTurn(job: Int, range: Range<Int>)
    /// Write and synthesize a reply, unheard and unseen.
    case prepare(reply: Int, Request)
    /// The reply is part of the conversation.
    case commit(reply: Int)
    /// The reply may be heard.
    case release(reply: Int)
    /// Hold the reply's sound; go on with it from the same sample.
    case hold(reply: Int)
    case resume(reply: Int)
    /// Stop the reply; the history keeps what was heard.
    case stop(reply: Int)
    /// Stop the reply as if it, and the message it answers, had never been.
    case undo(reply: Int)
    /// Lines that wait are given up.
    case dropLine(id: Int)
  }

  struct Reply: Sendable, Equatable {
    var id: Int
    var request: Request
    /// How likely, 0...1, what it answers is whole; nil as long as nobody has said.
    var endLikelihood: Float?
    var isCommitted = false
    var isReady = false
    var isReleased = false
    /// Position of the microphone when the first sample was heard.
    var soundStart: Int?

    var isSpoken: Bool { if case .spoken = request { true } else { false } }
  }

  struct Job: Sendable, Equatable {
    var id: Int
    var turn: Int
    var range: Range<Int>
    var voicedEnd: Int
    /// Whether the user was silent by then; else it is for a text in between.
    var isFinal = false
    /// Whether its text stands for good, because the turn is too long to be transcribed at once.
    var settles = false
  }
}
