import VoiceIO

/// The events that nobody has read yet, bounded.
///
/// When it overflows, neighbouring pieces of replies are joined, oldest first, then superseded
/// partial transcripts go; states, finals and errors stay.
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
      if state.count > capacity { Self.compact(&state) }
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

  /// Joins the pieces in the older half; when that frees nothing, in all; then drops partials.
  private static func compact(_ state: inout State) {
    let events = Array(state.events[state.start...])
    for share in [events.count / 2, events.count] {
      let joined = join(events[..<share]) + events[share...]
      if joined.count < events.count {
        state.events = joined
        state.start = 0
        return
      }
    }
    if let partial = events.firstIndex(where: isPartial) {
      state.events.remove(at: state.start + partial)
    }
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

  private static func isPartial(_ event: VoiceEvent) -> Bool {
    if case .userTranscribed(_, isFinal: false) = event { true } else { false }
  }
}
