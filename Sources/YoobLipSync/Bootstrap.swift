import VoiceAudio

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
    var random = SplitMix64(seed: seed)
    var found: [Double] = []
    found.reserveCapacity(rounds)
    for _ in 0..<rounds {
      found.append(statistic(items.indices.map { _ in items[Int(random.next() % UInt64(items.count))] }))
    }
    found.sort()
    return Interval(
      value: value, low: Self.percentile(found, 0.025), high: Self.percentile(found, 0.975))
  }

  /// The smallest value that at least a share of the sorted values does not exceed.
  static func percentile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }
}
