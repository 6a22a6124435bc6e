/// By how much one movement follows another: sums of their cross-correlation, which add up over recordings.
package struct Lag: Sendable, Equatable {
  /// Frames of 10 ms by which the movements are shifted at most.
  package static let reach = 20
  /// Sums of products at the shifts -reach...reach.
  package var products = [Double](repeating: 0, count: 2 * Lag.reach + 1)

  package init() {}

  /// Correlates what shows with what should show, both without their means.
  package init(truth: [Float], shown: [Float]) {
    let count = min(truth.count, shown.count)
    guard count > 2 * Self.reach else { return }
    let wanted = Self.centred(truth.prefix(count))
    let found = Self.centred(shown.prefix(count))
    for shift in -Self.reach...Self.reach {
      var sum = 0.0
      for frame in max(0, -shift)..<min(count, count - shift) { sum += wanted[frame] * found[frame + shift] }
      products[shift + Self.reach] = sum
    }
  }

  package static func += (sum: inout Lag, more: Lag) {
    for k in sum.products.indices { sum.products[k] += more.products[k] }
  }

  /// Milliseconds by which the shown movement is late (negative: early): the highest correlation, between
  /// frames by a parabola through its neighbours; nil when there is none.
  package var milliseconds: Double? {
    guard let best = products.indices.max(by: { products[$0] < products[$1] }), products[best] > 0 else {
      return nil
    }
    var place = Double(best - Self.reach)
    if best > 0, best < products.count - 1 {
      let (a, b, c) = (products[best - 1], products[best], products[best + 1])
      let bend = a - 2 * b + c
      if bend < 0 { place += 0.5 * (a - c) / bend }
    }
    return place * 10
  }

  private static func centred(_ values: ArraySlice<Float>) -> [Double] {
    let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
    return values.map { Double($0) - mean }
  }
}
