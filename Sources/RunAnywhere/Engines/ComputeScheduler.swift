import Dispatch
import Foundation
import VoiceIO

/// Decides which engines compute, so that all together never use more threads than there are cores.
///
/// An engine asks for a place before it computes and leaves it after. Where no place is free the most
/// urgent work goes first; what was overtaken `patience` times goes next, whatever it is. An engine that is
/// at work is given no second place: whoever gives way holds its thread, which the second would need.
package final class ComputeScheduler: Sendable {
  /// What an engine does; the later, the more urgent.
  package enum Work: Int, Sendable, CaseIterable, Comparable {
    /// Reads what may be needed later.
    case readingAhead
    /// Writes a reply.
    case writing
    /// Finds out what the user said, or whether it was all.
    case hearing
    /// Makes the sound that a listener waits for.
    case speaking

    package static func < (a: Work, b: Work) -> Bool { a.rawValue < b.rawValue }
  }

  private struct Waiter {
    var id: Int
    var work: Work
    var threads: Int
    var engine: ObjectIdentifier?
    /// Whether it gave way and comes back.
    var isReturning: Bool
    var overtaken = 0
    var wake: @Sendable () -> Void
  }
  private struct State {
    var free: Int
    var waiters: [Waiter] = []
    /// Threads of those who have a place.
    var running: [Int: Int] = [:]
    /// Engines that are at work, or have given way in the midst of it.
    var busy: Set<ObjectIdentifier> = []
    var nextID = 0

    func mayEnter(_ waiter: Waiter) -> Bool {
      waiter.isReturning || waiter.engine.map { !busy.contains($0) } ?? true
    }
  }

  /// How often work is overtaken before it goes first.
  package static let patience = 4
  /// The process's scheduler.
  package static let shared = ComputeScheduler(threads: ProcessInfo.processInfo.activeProcessorCount)

  private let threads: Int
  private let state: Guarded<State>

  /// `threads` that may compute at once, at least 1.
  package init(threads: Int) {
    self.threads = max(1, threads)
    state = Guarded(State(free: max(1, threads)))
  }

  /// How many wait for a place.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Waits for a place with `threads` threads; more than there are count as all. `engine` is whose work it
  /// is. Throws `CancellationError` when the task is cancelled before its turn.
  package func place(
    for work: Work, threads: Int, of engine: AnyObject? = nil
  ) async throws -> ComputePlace {
    let turn = OneShot()
    let engine = engine.map { ObjectIdentifier($0) }
    let id = enter(work, threads: threads, engine: engine) { turn.fire() }
    await withTaskCancellationHandler {
      await turn.value()
    } onCancel: {
      withdraw(id)
      turn.fire()
    }
    guard state.withLock({ $0.running[id] != nil }) else { throw CancellationError() }
    return ComputePlace(scheduler: self, id: id, work: work, threads: threads, engine: engine)
  }

  fileprivate func enter(
    _ work: Work, threads: Int, engine: ObjectIdentifier?, isReturning: Bool = false,
    wake: @escaping @Sendable () -> Void
  ) -> Int {
    let (id, awake) = state.withLock { state in
      state.nextID += 1
      let wanted = min(max(1, threads), self.threads)
      state.waiters.append(
        Waiter(
          id: state.nextID, work: work, threads: wanted, engine: engine, isReturning: isReturning,
          wake: wake))
      return (state.nextID, Self.admit(&state))
    }
    for wake in awake { wake() }
    return id
  }

  private func withdraw(_ id: Int) {
    let awake = state.withLock { state in
      state.waiters.removeAll { $0.id == id }
      return Self.admit(&state)
    }
    for wake in awake { wake() }
  }

  /// Frees the threads of a place, and the engine unless it comes back.
  fileprivate func leave(_ id: Int, engine: ObjectIdentifier?) {
    let awake = state.withLock { state in
      guard let threads = state.running.removeValue(forKey: id) else { return [@Sendable () -> Void]() }
      state.free += threads
      if let engine { state.busy.remove(engine) }
      return Self.admit(&state)
    }
    for wake in awake { wake() }
  }

  /// Whether more urgent work than `work` waits.
  fileprivate func isWanted(over work: Work) -> Bool {
    state.withLock { state in state.waiters.contains { $0.work > work && state.mayEnter($0) } }
  }

  /// Gives places to whoever is next, as long as there are threads for it; nobody goes past it.
  private static func admit(_ state: inout State) -> [@Sendable () -> Void] {
    var awake: [@Sendable () -> Void] = []
    while let next = next(state), state.waiters[next].threads <= state.free {
      let waiter = state.waiters.remove(at: next)
      for index in state.waiters.indices.prefix(next) { state.waiters[index].overtaken += 1 }
      state.free -= waiter.threads
      state.running[waiter.id] = waiter.threads
      if let engine = waiter.engine { state.busy.insert(engine) }
      awake.append(waiter.wake)
    }
    return awake
  }

  /// Place in the queue of who is next; the queue is in order of arrival.
  private static func next(_ state: State) -> Int? {
    let able = state.waiters.indices.filter { state.mayEnter(state.waiters[$0]) }
    if let patient = able.first(where: { state.waiters[$0].overtaken >= patience }) { return patient }
    guard let most = able.map({ state.waiters[$0].work }).max() else { return nil }
    return able.first { state.waiters[$0].work == most }
  }
}

/// A place to compute; leave it when done.
package final class ComputePlace: Sendable {
  private let scheduler: ComputeScheduler
  private let work: ComputeScheduler.Work
  private let threads: Int
  private let engine: ObjectIdentifier?
  private let id: Guarded<Int>

  fileprivate init(
    scheduler: ComputeScheduler, id: Int, work: ComputeScheduler.Work, threads: Int,
    engine: ObjectIdentifier?
  ) {
    self.scheduler = scheduler
    self.id = Guarded(id)
    self.work = work
    self.threads = threads
    self.engine = engine
  }

  deinit { leave() }

  /// Frees the threads. Idempotent.
  package func leave() { scheduler.leave(id.withLock { $0 }, engine: engine) }

  /// Lets more urgent work go first, if any waits, and returns when it is this one's turn again. Blocks
  /// the calling thread: only for an engine's own thread, between two steps of its work.
  package func giveWay() {
    guard scheduler.isWanted(over: work) else { return }
    scheduler.leave(id.withLock { $0 }, engine: nil)
    let turn = DispatchSemaphore(value: 0)
    let next = scheduler.enter(work, threads: threads, engine: engine, isReturning: true) {
      turn.signal()
    }
    turn.wait()
    id.withLock { $0 = next }
  }
}
