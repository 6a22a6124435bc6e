/// The newest names of things that are over; the oldest are forgotten.
struct RecentIDs: Sendable, Equatable {
  private(set) var ids: [String] = []
  let capacity: Int

  init(capacity: Int = 64) { self.capacity = capacity }

  func contains(_ id: String) -> Bool { ids.contains(id) }

  /// Returns whether `id` is new.
  @discardableResult mutating func insert(_ id: String) -> Bool {
    guard !ids.contains(id) else { return false }
    if ids.count >= capacity { ids.removeFirst() }
    ids.append(id)
    return true
  }
}
