import Testing

@testable import YoobFace

@Suite("Springs")
struct SpringsTests {
  private func springs(_ change: (inout Puppet) -> Void = { _ in }) -> Springs {
    var puppet = SyntheticPuppet.make()
    change(&puppet)
    var springs = Springs(puppet, seed: 1)
    springs.settle(HeadPose())
    return springs
  }

  private func run(
    _ springs: inout Springs, steps: Int, from: Int = 0, wind: Float = 0, _ head: (Float) -> HeadPose
  ) -> [Float] {
    (0..<steps).map { step in
      let time = Float(from + step) * Springs.step
      springs.advance(to: head(time), time: Double(time), wind: wind)
      return springs.current[0]
    }
  }

  @Test("a strand lags behind a turn of the head and then comes to rest")
  func lag() {
    var springs = springs()
    // The root lies left of the pivot and in front of it, so a turn to the right carries it to the right.
    let turning = run(&springs, steps: 48) { HeadPose(yaw: $0, pitch: 0, roll: 0) }
    let largest = turning.map { abs($0) }.max() ?? 0
    #expect(largest > 0.002)
    let resting = run(&springs, steps: 2400) { _ in HeadPose(yaw: 0.2, pitch: 0, roll: 0) }
    #expect(abs(resting[2399]) < largest * 0.02)
  }

  @Test("a hanging strand stays nearly upright when the head rolls")
  func gravity() {
    var springs = springs()
    let end = run(&springs, steps: 2400) { _ in HeadPose(yaw: 0, pitch: 0, roll: 0.2) }
    #expect(end[2399] < -0.05)
  }

  @Test("the wind moves a strand for ever, a little")
  func wind() {
    var springs = springs()
    _ = run(&springs, steps: 2400, wind: 1) { _ in HeadPose() }
    let late = run(&springs, steps: 4800, from: 864_000, wind: 1) { _ in HeadPose() }
    let low = late.min() ?? 0
    let high = late.max() ?? 0
    #expect(high - low > 0.005)
    #expect(high - low < 0.1)
  }

  @Test("no angle passes the limit, whatever the head does")
  func limit() {
    var springs = springs()
    let angles = run(&springs, steps: 4800) {
      HeadPose(yaw: FaceMath.sin(turns: Double($0) * 3) * 0.6, pitch: 0, roll: 0, shift: SIMD2($0 * 300, 0))
    }
    #expect(angles.allSatisfy { abs($0) <= 0.6 })
  }

  @Test("a head that jumps carries the strand along")
  func teleport() {
    var springs = springs()
    _ = run(&springs, steps: 240) { _ in HeadPose() }
    let after = run(&springs, steps: 240) { _ in
      HeadPose(yaw: 0, pitch: 0, roll: 0, shift: SIMD2(5000, 0))
    }
    #expect(after.allSatisfy { abs($0) < 0.05 })
  }

  @Test(
    "any stiffness and damping stays stable",
    arguments: [(Float(0), Float(0)), (1e9, 0), (1e9, 1e9), (-5, -5), (1, 500)])
  func stable(_ stiffness: Float, _ damping: Float) {
    var springs = springs {
      $0.springs[0].stiffness = stiffness
      $0.springs[0].damping = damping
      $0.springs[0].length = 0
    }
    let angles = run(&springs, steps: 4800, wind: 1) {
      HeadPose(yaw: FaceMath.sin(turns: Double($0)) * 0.3, pitch: 0, roll: 0.1)
    }
    #expect(angles.allSatisfy { $0.isFinite && abs($0) <= 0.6 })
  }
}
