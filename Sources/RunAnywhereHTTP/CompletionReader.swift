import Foundation
import RunAnywhere
import VoiceIO

/// Collects a streamed completion while it comes.
final class CompletionReader: Sendable {
  private struct State {
    var events = ServerSentEvents()
    var raw: [UInt8] = []
    var text: TextStream
    var length: ReplyLength
    var pieces = 0
    var finish: GenerationResult.FinishReason?
    var firstAt: ContinuousClock.Instant?

    /// The text that an event adds, nil when it adds none.
    mutating func piece(_ event: [UInt8]) -> String? {
      guard finish == nil else { return nil }
      if event == Array("[DONE]".utf8) {
        finish = .stop
        return text.finish()
      }
      guard let chunk = try? JSONDecoder().decode(CompletionChunk.self, from: Data(event)),
        let choice = chunk.choices?.first
      else { return nil }
      var piece = ""
      if let content = choice.delta?.content, !content.isEmpty {
        if length.ends(before: content) {
          finish = .stop
          return text.finish()
        }
        if firstAt == nil { firstAt = .now }
        pieces += 1
        piece = text.append(content.utf8)
        if text.isStopped { finish = .stop }
      }
      if let reason = choice.finish_reason {
        piece += text.finish()
        finish = reason == "length" ? .length : .stop
      }
      return piece
    }
  }

  private let state: Guarded<State>
  private let onText: @Sendable (String) -> Bool
  private let start = ContinuousClock.now

  init(_ options: LlmOptions, onText: @escaping @Sendable (String) -> Bool) {
    state = Guarded(
      State(
        text: TextStream(stopSequences: options.stopSequences),
        length: ReplyLength(limit: options.softOutputTokens)))
    self.onText = onText
  }

  /// Takes bytes of the answer; false ends it.
  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let pieces: [String] = state.withLock { state in
      if state.raw.count < 4096 { state.raw += bytes.prefix(4096 - state.raw.count) }
      return state.events.process(bytes).compactMap { state.piece($0) }
    }
    for piece in pieces where !piece.isEmpty {
      guard onText(piece) else {
        state.withLock { $0.finish = .cancelled }
        return false
      }
    }
    return state.withLock { $0.finish == nil }
  }

  /// The whole completion, once the exchange is over.
  func result(_ answer: HTTPExchange.Answer, from base: String) throws -> GenerationResult {
    try state.withLock { state in
      if state.finish == nil || answer.status != 200 {
        try Self.check(answer, body: state.raw, from: base)
      }
      if state.finish == nil, state.pieces == 0 {
        throw SDKException(
          .generationFailed, category: .network,
          "\(base) answered with something that is no chat completion.",
          recoverySuggestion: "Check that the address is that of an OpenAI-compatible server.")
      }
      let now = ContinuousClock.now
      let first = state.firstAt ?? now
      let spent = Self.milliseconds(now - first)
      return GenerationResult(
        text: state.text.text, finishReason: state.finish ?? .stop, outputTokens: state.pieces,
        timeToFirstTokenMs: Self.milliseconds(first - start),
        tokensPerSecond: spent > 0 ? Double(state.pieces) * 1000 / spent : 0)
    }
  }

  /// Throws when an exchange did not bring what was asked for.
  static func check(_ answer: HTTPExchange.Answer, body: [UInt8], from base: String) throws {
    if let failure = answer.failure, answer.status == 200 {
      throw SDKException(
        .generationFailed, category: .network,
        "The language model at \(base) broke off: \(failure).",
        recoverySuggestion: "Check that it still runs.")
    }
    if answer.status == 0 {
      throw SDKException(
        .networkUnavailable, category: .network,
        "The language model at \(base) does not answer: \(answer.failure.map { "\($0)" } ?? "nothing came").",
        recoverySuggestion: "Check that it runs and that the address is right.")
    }
    guard answer.status != 200 else { return }
    throw ServerRefusal(status: answer.status, body: body).exception(from: base)
  }

  /// What the server gave instead of a completion, once the exchange is over.
  var body: [UInt8] { state.withLock { $0.raw } }

  private static func milliseconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
  }
}

/// Keeps the bytes of a short answer.
final class ByteCollector: Sendable {
  private let store = Guarded<[UInt8]>([])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var bytes: [UInt8] { store.withLock { $0 } }

  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    store.withLock { store in
      guard store.count + bytes.count <= limit else { return false }
      store += bytes
      return true
    }
  }
}
