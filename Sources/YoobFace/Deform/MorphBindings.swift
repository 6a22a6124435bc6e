/// Which pose weights drive each morph of a puppet.
struct MorphBindings {
  /// Two lanes of `MorphWeights` for each puppet morph; -1 stands for nothing.
  private let factors: [SIMD2<Int16>]

  init(_ puppet: Puppet) {
    var factors: [SIMD2<Int16>] = []
    factors.reserveCapacity(puppet.morphs.count)
    for morph in puppet.morphs { factors.append(Self.factors(of: morph.name)) }
    self.factors = factors
  }

  /// Weight of a puppet morph, 0...1; zero for a name that this build does not know.
  @inline(__always)
  func weight(_ morph: Int, _ weights: MorphWeights) -> Float {
    let pair = factors[morph]
    guard pair.x >= 0 else { return 0 }
    let first = FaceMath.unit(weights.lanes[Int(pair.x)])
    return pair.y < 0 ? first : first * FaceMath.unit(weights.lanes[Int(pair.y)])
  }

  private static func factors(of name: PuppetName) -> SIMD2<Int16> {
    let none = SIMD2<Int16>(-1, -1)
    let count = name.count
    var star = 0
    while star < count && name.bytes[star] != 0x2A { star += 1 }
    guard let first = Morph.named(name.slice(0, star)) else { return none }
    if star == count { return SIMD2(Int16(first.rawValue), -1) }
    guard let second = Morph.named(name.slice(star + 1, count)) else { return none }
    return SIMD2(Int16(first.rawValue), Int16(second.rawValue))
  }
}
