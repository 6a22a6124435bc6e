/// The user's sound and the sound that the session hears, which may lack some of it or hold silence
/// that never came: which place of the one is which of the other.
struct InputPlaces: Equatable {
  private struct Shift: Equatable {
    /// From this sample of the session on, at 24 kHz …
    var start: Int
    /// … the user's samples lie so much further on.
    var amount: Int
  }
  /// Places that are asked for are recent: so many changes are remembered.
  private static let maximumShifts = 64

  /// Samples of the user so far, at 24 kHz.
  private(set) var samples = 0
  private var sessionSamples = 0
  private var shifts: [Shift] = []

  /// Milliseconds of the user's sound so far.
  var milliseconds: Int { samples / 24 }

  /// Sound of the user that the session hears.
  mutating func hear(_ count: Int) {
    samples += count
    sessionSamples += count
  }

  /// Sound of the user that the session does not hear.
  mutating func withhold(_ count: Int) {
    samples += count
    shift()
  }

  /// Silence that the session hears and that the user did not send.
  mutating func insert(_ count: Int) {
    sessionSamples += count
    shift()
  }

  private mutating func shift() {
    let next = Shift(start: sessionSamples, amount: samples - sessionSamples)
    if shifts.last?.start == sessionSamples { shifts.removeLast() }
    shifts.append(next)
    if shifts.count > Self.maximumShifts { shifts.removeFirst() }
  }

  /// The place in the user's sound, in milliseconds, of a sample of the session at 16 kHz.
  func milliseconds(atSessionSample sample: Int) -> Int {
    let place = sample * 3 / 2
    let shift = shifts.last { $0.start <= place }?.amount ?? 0
    return (place + shift) / 24
  }
}
