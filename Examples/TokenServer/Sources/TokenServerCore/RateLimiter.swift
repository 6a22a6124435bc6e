/// How often each user may ask: a fixed window of a minute, which begins with the user's first request.
struct RateLimiter: Sendable {
  /// Seconds.
  static let window = 60.0
  /// Users that are counted at a time; beyond that nobody new is let in.
  static let maximumUsers = 10_000

  private let limit: Int
  private var windows: [String: (start: Double, count: Int)] = [:]

  /// `limit` requests a minute for each user.
  init(limit: Int) { self.limit = limit }

  /// Counts a request at `now` seconds; nil lets it pass, otherwise seconds until the next one may.
  mutating func take(_ user: String, at now: Double) -> Double? {
    var window = windows[user] ?? (now, 0)
    if now - window.start >= Self.window || now < window.start { window = (now, 0) }
    guard window.count < limit else { return window.start + Self.window - now }
    if windows[user] == nil, windows.count >= Self.maximumUsers {
      windows = windows.filter { now - $0.value.start < Self.window && now >= $0.value.start }
      guard windows.count < Self.maximumUsers else { return Self.window }
    }
    window.count += 1
    windows[user] = window
    return nil
  }
}
