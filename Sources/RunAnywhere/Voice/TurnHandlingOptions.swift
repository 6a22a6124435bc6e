/// When a turn of the user ends, and what interrupts the agent.
public struct TurnHandlingOptions: Sendable, Equatable {
  /// How long a silence ends the user's turn.
  public var endpointing = Endpointing()
  /// Whether and when the user's voice stops the agent.
  public var interruption = Interruption()
  /// Whether the words say something about the end of a turn; benchmarks leave them out.
  package var readsWords = true
  /// The defaults.
  public init() {}
}

/// How long a silence ends the user's turn.
public struct Endpointing: Sendable, Equatable {
  /// Silence after which a finished turn is taken, in milliseconds.
  public var minDelayMs: Int
  /// Silence after which a turn that wants another word is taken at the latest, in milliseconds. Those that
  /// only seem unfinished wait a part of the way: up to 17 % of it what the language model takes for
  /// unfinished, 35 % dictated numbers, half of it what only the turn detector doubts.
  public var maxDelayMs: Int

  /// Delays in milliseconds; equal ones make the silence alone decide.
  public init(minDelayMs: Int = 500, maxDelayMs: Int = 3000) {
    self.minDelayMs = minDelayMs
    self.maxDelayMs = maxDelayMs
  }
}

/// Whether and when the user's voice stops the agent.
public struct Interruption: Sendable, Equatable {
  /// Whether speech over the agent is heeded at all.
  public var enabled: Bool
  /// Speech of the user, in milliseconds, that stops the agent.
  public var minDurationMs: Int

  /// After so many milliseconds of speech, unless it is switched off.
  public init(enabled: Bool = true, minDurationMs: Int = 500) {
    self.enabled = enabled
    self.minDurationMs = minDurationMs
  }
}
