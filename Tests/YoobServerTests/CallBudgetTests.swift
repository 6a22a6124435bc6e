import Testing
import YoobWire

@testable import YoobServer

@Suite("Calls that wait for an agent")
struct CallBudgetTests {
  private let megabyte = RealtimeAction.AgentCall.appendAudio([UInt8](repeating: 0, count: 1 << 20))

  @Test("they are bounded by what they hold, not by their number")
  func largeCalls() {
    var budget = CallBudget()
    var count = 0
    while budget.add(megabyte) { count += 1 }
    #expect(count == 7)
    #expect(budget.bytes <= CallBudget.limit)
  }

  @Test("calls without content are bounded too")
  func emptyCalls() {
    var budget = CallBudget()
    var count = 0
    while count < 1_000_000, budget.add(.clearAudio) { count += 1 }
    #expect(count < 100_000)
  }

  @Test("a call that was made gives its room back")
  func room() {
    var budget = CallBudget()
    while budget.add(megabyte) {}
    budget.remove(megabyte)
    let isTaken = budget.add(megabyte)
    #expect(isTaken)
    for text in ["one", "two"] { _ = budget.add(.sendText(text)) }
    for text in ["one", "two"] { budget.remove(.sendText(text)) }
    for _ in 0..<7 { budget.remove(megabyte) }
    #expect(budget.bytes == 0)
  }
}
