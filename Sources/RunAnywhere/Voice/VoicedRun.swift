/// A run of voiced windows with only short gaps, in samples at 16 kHz.
struct VoicedRun: Sendable, Equatable {
  /// A silence longer than this ends the run.
  static let maxGap = 16 * 300
  /// Voiced sound that is more than a click.
  static let candidate = 2 * 512

  /// First voiced sample.
  var onset: Int
  /// End of the last voiced window.
  var end: Int
  /// Voiced samples.
  var voiced: Int
  /// Whether it belongs to the user's turn already.
  var isJoined = false

  var isCandidate: Bool { voiced >= Self.candidate }

  /// Whether it is speech of at least that length; clicks far apart are not.
  func lasts(_ milliseconds: Int) -> Bool {
    isCandidate && end - onset >= milliseconds * 16 && voiced * 2 >= end - onset
  }
}

/// What the user is saying, in samples at 16 kHz.
struct UserTurn: Sendable, Equatable {
  let id: Int
  /// First voiced sample.
  var onset: Int
  /// First sample, pre-roll included.
  let start: Int
  /// First sample for the recognizer: pre-roll included, settled parts not.
  var audioStart: Int
  /// End of the last voiced window.
  var voicedEnd: Int
  /// Text of earlier parts that are not transcribed again.
  var settled = ""
  /// The newest transcript of the audio from `audioStart`, and where its voice ended.
  var text: String?
  var textEnd = -1
  /// Position at which the newest recognizer run began.
  var lastJobStart: Int?
  var lastPartial = ""
  /// What the turn detector was last asked about, and its answer.
  var detection: TurnDetection?
  /// Runs over all of the turn that have failed since the last that did not.
  var failures = 0
  /// Whether it was said over the agent and may be nothing that interrupts: nobody is told of it yet.
  var isDoubtful = false
  /// Whether `speechEnded` was emitted.
  var isEnded = false
  /// The reply that was prepared in advance failed; it is tried again when the turn is taken.
  var isSpeculationSpoilt = false

  /// Whether the transcript covers all that was voiced.
  var isTextCurrent: Bool { text != nil && textEnd == voicedEnd }

  /// The turn detector's answer for the silence that is now; nil as long as there is none.
  var completeness: Float? { detection?.voicedEnd == voicedEnd ? detection?.completeness : nil }

  var fullText: String {
    [settled, text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// A question to the turn detector: whether the turn is complete with the voice that ended there.
struct TurnDetection: Sendable, Equatable {
  let job: Int
  let voicedEnd: Int
  /// 0...1; nil as long as there is no answer, and when it failed.
  var completeness: Float?
}
