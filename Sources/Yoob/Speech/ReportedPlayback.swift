/// Where the listener is in sound that the app plays itself, from what the app reports now and then.
///
/// Between two reports the position goes on at the sound's own pace, for a moment at most, and never past
/// what was given; it never goes back.
struct ReportedPlayback: Sendable, Equatable {
  /// Seconds for which the position goes on without a report.
  static let reach = 0.25

  let sampleRate: Int
  /// Samples that were given.
  private(set) var appended = 0
  private(set) var isEnded = false
  private var reported = 0
  private var time: Double?
  private var furthest = 0

  init(sampleRate: Int) { self.sampleRate = max(1, sampleRate) }

  /// More sound was given.
  mutating func append(_ count: Int) { appended += max(0, count) }

  /// No more sound follows.
  mutating func end() { isEnded = true }

  /// The listener has heard so many samples of the utterance.
  mutating func report(_ samples: Int, now: Double) {
    let samples = min(max(0, samples), appended)
    guard samples > reported || time == nil else { return }
    furthest = max(furthest, played(now) ?? 0)
    (reported, time) = (samples, now)
  }

  /// Samples that were heard at `now`; nil before the first report.
  func played(_ now: Double) -> Int? {
    guard let time else { return nil }
    let ahead = Int(min(Self.reach, max(0, now - time)) * Double(sampleRate))
    return min(appended, max(furthest, reported + ahead))
  }

  /// Samples that the app has said were heard.
  var heard: Int { reported }

  /// Whether it is complete, all but a moment was reported, and no report has come since that moment passed.
  func isForgotten(_ now: Double) -> Bool {
    guard isEnded, let time else { return false }
    let rest = Double(appended - reported) / Double(sampleRate)
    return rest <= Self.reach && now - time > rest + Self.reach
  }

  /// Whether all was heard.
  var isOver: Bool { isEnded && reported >= appended }
}
