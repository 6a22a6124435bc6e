import Dispatch
import Foundation
import RunAnywhere
import Testing
import VoiceIO

@Suite("Who computes")
struct ComputeSchedulerTests {
  /// Asks in the order of `works` while the only thread is taken, and returns the order of their turns.
  private func order(_ works: [ComputeScheduler.Work]) async throws -> [ComputeScheduler.Work] {
    let scheduler = ComputeScheduler(threads: 1)
    let held = try await scheduler.place(for: .hearing, threads: 1)
    let order = Guarded<[ComputeScheduler.Work]>([])
    let tasks = await works.enumerated().asyncMap { index, work in
      let task = Task {
        let place = try await scheduler.place(for: work, threads: 1)
        order.withLock { $0.append(work) }
        place.leave()
      }
      await waiters(index + 1, of: scheduler)
      return task
    }
    held.leave()
    for task in tasks { try await task.value }
    return order.withLock { $0 }
  }

  private func waiters(_ count: Int, of scheduler: ComputeScheduler) async {
    while scheduler.waiting != count { await Task.yield() }
  }

  @Test("the most urgent goes first, equals in the order in which they came")
  func urgency() async throws {
    #expect(
      try await order([.readingAhead, .writing, .speaking, .hearing, .speaking])
        == [.speaking, .speaking, .hearing, .writing, .readingAhead])
  }

  @Test("what was overtaken several times goes next")
  func patience() async throws {
    let urgent = [ComputeScheduler.Work](repeating: .speaking, count: ComputeScheduler.patience + 2)
    let order = try await order([.readingAhead] + urgent)
    #expect(order.firstIndex(of: .readingAhead) == ComputeScheduler.patience)
  }

  @Test("never more threads than there are", arguments: [1, 2, 3])
  func limit(threads: Int) async throws {
    let scheduler = ComputeScheduler(threads: threads)
    let used = Guarded((now: 0, most: 0, runs: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<60 {
        group.addTask {
          let wanted = index % 3 + 1
          let work = ComputeScheduler.Work.allCases[index % ComputeScheduler.Work.allCases.count]
          let place = try await scheduler.place(for: work, threads: wanted)
          let taken = min(wanted, threads)
          used.withLock {
            $0.now += taken
            $0.most = max($0.most, $0.now)
            $0.runs += 1
          }
          await Task.yield()
          used.withLock { $0.now -= taken }
          place.leave()
        }
      }
      try await group.waitForAll()
    }
    #expect(used.withLock { $0.most } == threads)
    #expect(used.withLock { $0.runs } == 60)
  }

  @Test("work that gave way comes back before other work of the same engine, which needs its thread")
  func sameEngine() async throws {
    final class Engine: Sendable {}
    let (engine, other) = (Engine(), Engine())
    let scheduler = ComputeScheduler(threads: 1)
    let first = try await scheduler.place(for: .writing, threads: 1, of: engine)
    let order = Guarded<[String]>([])
    let second = Task {
      let place = try await scheduler.place(for: .hearing, threads: 1, of: engine)
      order.withLock { $0.append("second") }
      place.leave()
    }
    await waiters(1, of: scheduler)
    first.giveWay()  // nobody else may go: it returns at once
    let third = Task {
      let place = try await scheduler.place(for: .speaking, threads: 1, of: other)
      order.withLock { $0.append("other engine") }
      place.leave()
    }
    await waiters(2, of: scheduler)
    let isBack = OneShot()
    DispatchQueue.global().async {
      first.giveWay()
      order.withLock { $0.append("back") }
      isBack.fire()
    }
    await isBack.value()
    first.leave()
    try await third.value
    try await second.value
    #expect(order.withLock { $0 } == ["other engine", "back", "second"])
  }

  @Test("a cancelled wait ends, and those behind it get their turn")
  func cancellation() async throws {
    let scheduler = ComputeScheduler(threads: 2)
    let held = try await scheduler.place(for: .writing, threads: 1)
    // The first in the queue wants more than is free, and nobody goes past it.
    let wide = Task { try await scheduler.place(for: .speaking, threads: 2) }
    await waiters(1, of: scheduler)
    let narrow = Task { try await scheduler.place(for: .hearing, threads: 1) }
    await waiters(2, of: scheduler)
    wide.cancel()
    await #expect(throws: CancellationError.self) { try await wide.value }
    try await narrow.value.leave()
    held.leave()
  }

  @Test("a place that is left twice is free once")
  func leavesOnce() async throws {
    let scheduler = ComputeScheduler(threads: 1)
    let first = try await scheduler.place(for: .writing, threads: 1)
    first.leave()
    let second = try await scheduler.place(for: .writing, threads: 1)
    first.leave()
    let third = Task { try await scheduler.place(for: .writing, threads: 1) }
    await waiters(1, of: scheduler)
    second.leave()
    try await third.value.leave()
  }

  @Test("work in steps lets what is more urgent go first, and goes on")
  func steps() async throws {
    let scheduler = ComputeScheduler(threads: 1)
    let place = try await scheduler.place(for: .writing, threads: 1)
    let order = Guarded<[String]>([])
    place.giveWay()  // nobody waits
    let urgent = Task {
      let place = try await scheduler.place(for: .speaking, threads: 1)
      order.withLock { $0.append("speaking") }
      place.leave()
    }
    await waiters(1, of: scheduler)
    let idle = Task {
      let place = try await scheduler.place(for: .readingAhead, threads: 1)
      order.withLock { $0.append("reading") }
      place.leave()
    }
    await waiters(2, of: scheduler)
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        place.giveWay()
        order.withLock { $0.append("writing") }
        place.leave()
        done.resume()
      }
    }
    try await urgent.value
    try await idle.value
    #expect(order.withLock { $0 } == ["speaking", "writing", "reading"])
  }
}

extension Sequence {
  fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
    var result: [T] = []
    for element in self { result.append(try await body(element)) }
    return result
  }
}
