/// Decides when a person is told that the microphone gives no sound: not while they type.
struct SilenceNotice {
  /// Seconds without a key after which somebody who typed may want to speak.
  static let patience = 30.0

  private var since: Double?
  private var isTold = false
  private var lastTyped = -Double.infinity

  /// The microphone has been silent since that time of the clock.
  mutating func silent(since time: Double) { since = since ?? time }

  /// The microphone gave sound.
  mutating func heard() { (since, isTold) = (nil, false) }

  mutating func typed(at time: Double) { lastTyped = time }

  /// The seconds of silence to tell of now, once for each silence; nil when there is nothing to tell.
  mutating func due(at time: Double) -> Double? {
    guard let since, !isTold, time - lastTyped >= Self.patience else { return nil }
    isTold = true
    return time - since
  }
}
