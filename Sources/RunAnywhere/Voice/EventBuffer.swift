import VoiceIO

/// The events that nobody has read yet, bounded.
///
/// When it overflows a quarter is freed: neighbouring pieces of replies are joined, then superseded
/// partial transcripts go, then speech that has begun and ended, then states that were left at once,
/// and at last the oldest of what is left.
final class EventBuffer: Sendable {
  private struct State {
    var events: [VoiceEvent] = []
    var start = 0
    var waiters: [(id: Int, continuation: CheckedContinuation<VoiceEvent?, any Error>)] = []
    var nextWaiter = 0
    var isFinished = false
    var failure: (any Error)?

    var count: Int { events.count - start }
  }
  private let capacity: Int
  private let state = Guarded(State())

  init(capacity: Int = 4096) { self.capacity = max(2, capacity) }

  /// Events that wait.
  var count: Int { state.withLock { $0.count } }

  func append(_ event: VoiceEvent) {
    let waiter: CheckedContinuation<VoiceEvent?, any Error>? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if !state.waiters.isEmpty { return state.waiters.removeFirst().continuation }
      state.events.append(event)
      if state.count > capacity { Self.compact(&state, target: max(1, capacity * 3 / 4)) }
      return nil
    }
    waiter?.resume(returning: event)
  }

  /// Ends the stream behind what is buffered. Only the first call counts.
  func finish(throwing failure: (any Error)? = nil) {
    let waiters = state.withLock { state in
      guard !state.isFinished else {
        return [(id: Int, continuation: CheckedContinuation<VoiceEvent?, any Error>)]()
      }
      state.isFinished = true
      // With readers waiting nothing is buffered: the first of them takes the failure.
      if state.waiters.isEmpty { state.failure = failure }
      defer { state.waiters = [] }
      return state.waiters
    }
    for (index, waiter) in waiters.enumerated() {
      if index == 0, let failure {
        waiter.continuation.resume(throwing: failure)
      } else {
        waiter.continuation.resume(returning: nil)
      }
    }
  }

  /// The next event, or nil at the end and when the task is cancelled.
  func next() async throws -> VoiceEvent? {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<VoiceEvent?, any Error>? = state.withLock { state in
          if Task.isCancelled { return .success(nil) }
          if state.count > 0 {
            let event = state.events[state.start]
            state.start += 1
            if state.start > 1024 {
              state.events.removeFirst(state.start)
              state.start = 0
            }
            return .success(event)
          }
          if let failure = state.failure {
            state.failure = nil
            return .failure(failure)
          }
          if state.isFinished { return .success(nil) }
          state.waiters.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<VoiceEvent?, any Error>? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return state.waiters.remove(at: index).continuation
      }
      waiter?.resume(returning: nil)
    }
  }

  /// Frees a quarter of the room, so that the next overflow is far away.
  private static func compact(_ state: inout State, target: Int) {
    var events = Array(state.events[state.start...])
    let half = events.count / 2
    events = join(events[..<half]) + events[half...]
    let steps: [([VoiceEvent]) -> [VoiceEvent]] = [
      { join($0[...]) }, withoutOldPartials, withoutPastSpeech, withoutPassedStates,
    ]
    for step in steps where events.count > target { events = step(events) }
    state.events = Array(events.suffix(target))
    state.start = 0
  }

  private static func join(_ events: ArraySlice<VoiceEvent>) -> [VoiceEvent] {
    var joined: [VoiceEvent] = []
    var text = ""
    for event in events {
      if case .agentResponse(let piece) = event {
        text += piece
        continue
      }
      if !text.isEmpty { joined.append(.agentResponse(text: text)) }
      text = ""
      joined.append(event)
    }
    if !text.isEmpty { joined.append(.agentResponse(text: text)) }
    return joined
  }

  /// Only the newest transcript before the next final one counts.
  private static func withoutOldPartials(_ events: [VoiceEvent]) -> [VoiceEvent] {
    var isSuperseded = false
    return filter(events) { event in
      guard case .userTranscribed(_, let isFinal) = event else { return true }
      defer { isSuperseded = true }
      return isFinal || !isSuperseded
    }
  }

  /// Drops each `speechStarted` with the `speechEnded` that follows it.
  private static func withoutPastSpeech(_ events: [VoiceEvent]) -> [VoiceEvent] {
    var isEnded = false
    let started = filter(events) { event in
      if event == .speechEnded { isEnded = true }
      guard event == .speechStarted else { return true }
      defer { isEnded = false }
      return !isEnded
    }
    let last = started.lastIndex(of: .speechStarted) ?? started.count
    return started.enumerated().filter { $1 != .speechEnded || $0 > last }.map(\.element)
  }

  /// Of states that follow each other at once, the last.
  private static func withoutPassedStates(_ events: [VoiceEvent]) -> [VoiceEvent] {
    var isFollowedByState = false
    return filter(events) { event in
      let isState = if case .agentStateChanged = event { true } else { false }
      defer { isFollowedByState = isState }
      return !(isState && isFollowedByState)
    }
  }

  /// Keeps what `keeps` says, asked from the newest to the oldest.
  private static func filter(
    _ events: [VoiceEvent], keeps: (VoiceEvent) -> Bool
  ) -> [VoiceEvent] {
    var kept: [VoiceEvent] = []
    for event in events.reversed() where keeps(event) { kept.append(event) }
    return kept.reversed()
  }
}
