import VoiceIO

/// The sessions whose models the product loaded and that are alive, so that a reset can close them.
final class SessionRoster: Sendable {
  static let shared = SessionRoster()
  private struct Entry {
    weak var session: VoiceSession?
  }
  private let entries = Guarded<[Entry]>([])

  func add(_ session: VoiceSession) {
    entries.withLock { entries in
      entries.removeAll { $0.session == nil }
      entries.append(Entry(session: session))
    }
    SdkEventHub.shared.send(.sessionCreated)
  }

  func remove(_ session: VoiceSession) {
    let wasThere = entries.withLock { entries in
      let before = entries.count
      entries.removeAll { $0.session == nil || $0.session === session }
      return entries.count < before
    }
    if wasThere { SdkEventHub.shared.send(.sessionClosed) }
  }

  func closeAll() async {
    for session in entries.withLock({ $0.compactMap(\.session) }) { await session.close() }
  }
}
