/// Which steps of long work are told: all of them where one line is drawn again, each tenth where lines follow.
struct TenthsProgress {
  private let total: Int
  private var told = -1

  init(of total: Int) { self.total = max(1, total) }

  /// What to say of `done`, nil when it, or its tenth, was told before.
  mutating func remark(at done: Int, isDrawn: Bool) -> String? {
    let step = isDrawn ? done : done * 10 / total
    guard step > told else { return nil }
    told = step
    return "\(done) of \(total)"
  }
}
