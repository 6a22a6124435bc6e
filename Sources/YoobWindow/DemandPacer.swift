/// Decides when a new picture is asked for: at once for the first size, and for later ones when the window
/// has kept its size for a moment, since each begins a renderer of its own.
struct DemandPacer {
  /// Seconds that a size must stay.
  static let pause = 0.15

  private var current: WindowLayout.Demand?
  private var next: WindowLayout.Demand?
  private var isWaiting = false
  /// When the waiting one is due, in seconds.
  private(set) var due: Double?

  /// The window wants another picture, nil for none while nobody sees it.
  mutating func want(_ demand: WindowLayout.Demand?, at time: Double) {
    guard demand != (isWaiting ? next : current) else { return }
    guard demand != current else {
      (next, isWaiting, due) = (nil, false, nil)
      return
    }
    (next, isWaiting) = (demand, true)
    // What appears, or vanishes, has nothing to wait for.
    due = current == nil || demand == nil ? time : time + Self.pause
  }

  /// What is to be asked for now: a demand, or nil for no picture; nothing while it is not time.
  mutating func take(at time: Double) -> WindowLayout.Demand?? {
    guard isWaiting, let due, time >= due else { return .none }
    (current, next, isWaiting, self.due) = (next, nil, false, nil)
    return .some(current)
  }
}
