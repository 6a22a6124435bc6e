/// Cuts the microphone's sound into whole packets of 20 ms, and keeps the newest while nobody takes them.
struct MicrophonePackets: Sendable, Equatable {
  /// Bytes of 20 ms.
  let packet: Int
  /// Bytes kept while the connection is not ready: one second.
  private var limit: Int { packet * 50 }
  private var held: [UInt8] = []
  /// Bytes that were dropped because the connection was not ready.
  private(set) var dropped = 0

  init(sampleRate: Int) { packet = sampleRate / 50 * 2 }

  /// The whole packets of what is held and `pcm`, in messages of one second at most; none while `isReady`
  /// is false.
  mutating func take(_ pcm: [UInt8], isReady: Bool) -> [[UInt8]] {
    held += pcm
    guard isReady else {
      if held.count > limit {
        // Whole packets, so that samples stay whole.
        let excess = (held.count - limit + packet - 1) / packet * packet
        held.removeFirst(excess)
        dropped += excess
      }
      return []
    }
    let whole = held.count / packet * packet
    guard whole > 0 else { return [] }
    let messages = stride(from: 0, to: whole, by: limit).map { start in
      Array(held[start..<min(start + limit, whole)])
    }
    held.removeFirst(whole)
    return messages
  }

  mutating func clear() { held = [] }
}
