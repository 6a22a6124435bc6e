/// Intervals by drawing recordings anew, with replacement, many times.
package struct Bootstrap: Sendable {
  /// A value and the limits between which 95 % of the redrawn values lie.
  package struct Interval: Sendable, Equatable, Encodable {
    package let value: Double
    package let low: Double
    package let high: Double

    package init(value: Double, low: Double, high: Double) {
      self.value = value
      self.low = low
      self.high = high
    }
  }

  /// How often recordings are drawn anew.
  package var rounds = 1000
  package var seed: UInt64 = 1

  package init() {}

  /// The statistic of all items, and its interval.
  package func interval<Item>(of items: [Item], _ statistic: ([Item]) -> Double) -> Interval {
    let value = statistic(items)
    guard items.count > 1 else { return Interval(value: value, low: value, high: value) }
    var state = seed
    var found: [Double] = []
    found.reserveCapacity(rounds)
    for _ in 0..<rounds {
      found.append(statistic(items.indices.map { _ in items[Self.draw(&state, items.count)] }))
    }
    found.sort()
    return Interval(
      value: value, low: Self.percentile(found, 0.025), high: Self.percentile(found, 0.975))
  }

  /// The smallest value that at least a share of the sorted values does not exceed.
  static func percentile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }

  /// SplitMix64.
  private static func draw(_ state: inout UInt64, _ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Int(z % UInt64(count))
  }
}
