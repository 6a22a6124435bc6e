import Testing

@testable import YoobLipSync

@Suite("Lag and intervals")
struct StatisticsTests {
  /// A bump of 1, 2, 1 at a frame of 100.
  private func bump(at place: Int) -> [Float] {
    var values = [Float](repeating: 0, count: 100)
    values[place - 1] = 1
    values[place] = 2
    values[place + 1] = 1
    return values
  }

  @Test("A movement that is late by some frames has that lag", arguments: [-15, -3, 0, 4, 15])
  func lag(shift: Int) throws {
    let lag = Lag(truth: bump(at: 50), shown: bump(at: 50 + shift))
    let late = try #require(lag.milliseconds)
    #expect(abs(late - Double(shift * 10)) < 0.01)
  }

  @Test("Half a frame of lag is found between the frames")
  func half() throws {
    var shown = [Float](repeating: 0, count: 100)
    for (index, value) in [Float(0.5), 1.5, 1.5, 0.5].enumerated() { shown[49 + index] = value }
    let lag = try #require(Lag(truth: bump(at: 50), shown: shown).milliseconds)
    #expect(abs(lag - 5) < 0.01)
  }

  @Test("A mouth that does not move, or a recording that is too short, has no lag")
  func none() {
    #expect(Lag(truth: bump(at: 50), shown: [Float](repeating: 1, count: 100)).milliseconds == nil)
    #expect(Lag(truth: [1, 2, 3], shown: [1, 2, 3]).milliseconds == nil)
  }

  @Test("Recordings that are all alike have an interval of no width")
  func alike() {
    let interval = Bootstrap().interval(of: [2.0, 2.0, 2.0]) { $0.reduce(0, +) / Double($0.count) }
    #expect(interval == Bootstrap.Interval(value: 2, low: 2, high: 2))
  }

  @Test("The interval of a mean is about two standard errors to each side")
  func interval() {
    // 50 zeros and 50 ones: mean 0.5, standard error 0.05.
    let items = (0..<100).map { Double($0 % 2) }
    let interval = Bootstrap().interval(of: items) { $0.reduce(0, +) / Double($0.count) }
    #expect(interval.value == 0.5)
    #expect(abs(interval.low - 0.402) < 0.02)
    #expect(abs(interval.high - 0.598) < 0.02)
    #expect(interval == Bootstrap().interval(of: items) { $0.reduce(0, +) / Double($0.count) })
  }

  @Test("Percentiles are nearest ranks")
  func percentiles() {
    let values = (1...10).map(Double.init)
    #expect(Bootstrap.percentile(values, 0.025) == 1)
    #expect(Bootstrap.percentile(values, 0.5) == 5)
    #expect(Bootstrap.percentile(values, 0.975) == 10)
  }

  @Test("One recording has no interval")
  func single() {
    let interval = Bootstrap().interval(of: [3.0]) { $0[0] }
    #expect(interval == Bootstrap.Interval(value: 3, low: 3, high: 3))
  }
}
