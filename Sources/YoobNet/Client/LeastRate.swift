/// The least that an answer must bring while it is under way: so many bytes in each window of time.
///
/// A server that sends a byte a second keeps every other timeout away; this one it does not.
public struct LeastRate: Sendable, Equatable {
  /// Bytes of head and body that each window needs, 1 or more.
  public var bytes: Int
  /// Length of a window, in seconds.
  public var seconds: Double

  /// So many bytes in so many seconds, again and again until the answer has ended.
  public init(bytes: Int, in seconds: Double) {
    self.bytes = bytes
    self.seconds = seconds
  }
}

/// One window after the other; a window ends when its time is over and it has brought enough.
struct RateWindow {
  let rate: LeastRate
  private(set) var bytes = 0
  private var opened: Double

  /// The first window, open from `now`, in seconds of a clock that only runs forward.
  init(_ rate: LeastRate, at now: Double) {
    self.rate = rate
    opened = now
  }

  /// Begins anew, as after time in which the receiver was busy.
  mutating func reopen(at now: Double) {
    opened = now
    bytes = 0
  }

  mutating func take(_ count: Int) { bytes += count }

  /// When the window is over; a time that has come means that it brought too little.
  mutating func deadline(at now: Double) -> Double {
    if now >= opened + rate.seconds, bytes >= rate.bytes { reopen(at: now) }
    return opened + rate.seconds
  }
}
