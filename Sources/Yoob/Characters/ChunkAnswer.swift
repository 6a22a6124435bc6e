import VoiceIO
import YoobNet

/// The answer to a request for a chunk, or for the rest of one: hands over the bytes from `offset` on.
final class ChunkAnswer: Sendable {
  enum Verdict {
    case taken
    /// The server cannot send the rest alone.
    case noRest
    /// It is not the chunk.
    case refused(FetchFault.Reason)
    /// Whoever receives has failed.
    case failed(any Error)
  }

  private struct State {
    var verdict = Verdict.taken
    /// Bytes that were received before, and come again.
    var toSkip = 0
    var isPage = false
  }

  let size: Int
  let offset: Int
  private let receive: @Sendable ([UInt8]) throws -> Void
  private let state = Guarded(State())

  init(size: Int, from offset: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.size = size
    self.offset = offset
    self.receive = receive
  }

  var verdict: Verdict { state.withLock { $0.verdict } }

  /// Takes the head; false when the body is of no use.
  func begin(_ status: Int, _ headers: HTTPHeaders, asksForRest: Bool) -> Bool {
    var new = State()
    var wanted = size
    switch status {
    case 206 where asksForRest && headers["content-range"] == "bytes \(offset)-\(size - 1)/\(size)":
      wanted = size - offset
    case 206 where asksForRest, 416 where asksForRest: new.verdict = .noRest
    case 200: new.toSkip = offset
    default: new.verdict = .refused(.refusal(status, headers))
    }
    if case .taken = new.verdict {
      new.isPage = headers.announcePage
      let length = headers["content-encoding"] == nil ? headers["content-length"].flatMap { Int($0) } : nil
      if let length, length != wanted {
        new.verdict = .refused(new.isPage ? .page : .length(length))
      }
    }
    state.withLock { $0 = new }
    if case .taken = new.verdict { return true }
    return false
  }

  /// Takes the next bytes; false when no more are wanted.
  func take(_ bytes: [UInt8]) -> Bool {
    let wanted = state.withLock { state -> ArraySlice<UInt8>? in
      // The first byte tells a page whose server announces no length from a file of that type.
      if state.isPage, bytes.first == UInt8(ascii: "<") {
        state.verdict = .refused(.page)
        return nil
      }
      state.isPage = false
      let skipped = min(state.toSkip, bytes.count)
      state.toSkip -= skipped
      return bytes.dropFirst(skipped)
    }
    guard let wanted else { return false }
    guard !wanted.isEmpty else { return true }
    do {
      try receive(Array(wanted))
      return true
    } catch {
      state.withLock { $0.verdict = .failed(error) }
      return false
    }
  }
}

extension FetchFault.Reason {
  /// What an answer without the file means.
  static func refusal(_ status: Int, _ headers: HTTPHeaders) -> Self {
    guard (300...399).contains(status), let target = headers["location"] else { return .status(status) }
    return .redirect(status, to: target)
  }
}

extension HTTPHeaders {
  /// Whether the body is meant for people.
  var announcePage: Bool { self["content-type"]?.lowercased().hasPrefix("text/html") ?? false }
}
