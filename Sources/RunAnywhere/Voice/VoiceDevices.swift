import VoiceIO

/// Where a session hears and speaks.
public struct VoiceDevices: Sendable {
  /// Where the user is heard.
  public var microphone: any Microphone
  /// Where the agent is heard.
  public var sink: any SpeechSink
  /// The clock that paces both.
  public var clock: any PacingClock
  package var tasks = TaskSpawner.standard

  /// A microphone, a loudspeaker, and the clock that both go by.
  public init(
    microphone: any Microphone, sink: any SpeechSink, clock: any PacingClock = MonotonicClock()
  ) {
    self.microphone = microphone
    self.sink = sink
    self.clock = clock
  }

  /// How standard devices are made.
  private struct Maker {
    var make: (@Sendable () throws -> VoiceDevices)?
  }
  private static let standard = Guarded(Maker())

  /// Registers the devices of sessions that are created without `devices:`; nil removes them.
  public static func setStandard(_ make: (@Sendable () throws -> VoiceDevices)?) {
    standard.withLock { $0.make = make }
  }

  static var hasStandard: Bool { standard.withLock { $0.make != nil } }

  static func makeStandard() throws -> VoiceDevices? {
    let make = standard.withLock { $0.make }
    return try make?()
  }
}

/// Starts a session's tasks.
package struct TaskSpawner: Sendable {
  package let spawn: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

  package init(_ spawn: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>) {
    self.spawn = spawn
  }

  package static let standard = TaskSpawner { body in Task { await body() } }
}

/// The loaded models of a session; sessions may share them.
public struct VoiceEngines: Sendable {
  /// Tells speech from silence.
  public var vad: any VadEngine
  /// Writes down what the user says.
  public var stt: any SttEngine
  /// Writes the replies.
  public var llm: any LlmEngine
  /// Speaks them.
  public var tts: any TtsEngine
  /// Tells from the sound whether the user has finished; without it the words alone do.
  public var turn: (any TurnDetector)?
  /// Why there is no turn detector, where one was asked for.
  package var turnMissing: String?

  /// Engines for one session or several; `turn` may be left out.
  public init(
    vad: any VadEngine, stt: any SttEngine, llm: any LlmEngine, tts: any TtsEngine,
    turn: (any TurnDetector)? = nil
  ) {
    self.vad = vad
    self.stt = stt
    self.llm = llm
    self.tts = tts
    self.turn = turn
  }
}
