import Foundation
import RunAnywhere

/// Collects a streamed completion while it comes.
final class CompletionReader: Sendable {
  private struct State {
    var events = ServerSentEvents()
    var raw: [UInt8] = []
    var text = ""
    var pieces = 0
    var finish: GenerationResult.FinishReason?
    var firstAt: ContinuousClock.Instant?
  }

  private let lock = NSLock()
  nonisolated(unsafe) private var state = State()  // guarded by `lock`
  private let onText: @Sendable (String) -> Bool
  private let stopSequences: [String]
  private let start = ContinuousClock.now

  init(stopSequences: [String], onText: @escaping @Sendable (String) -> Bool) {
    self.stopSequences = stopSequences.filter { !$0.isEmpty }
    self.onText = onText
  }

  /// Takes bytes of the answer; false ends it.
  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let pieces: [String] = lock.withLock {
      if state.raw.count < 4096 { state.raw += bytes.prefix(4096 - state.raw.count) }
      return state.events.process(bytes).compactMap(piece)
    }
    for piece in pieces where !piece.isEmpty {
      guard onText(piece) else {
        lock.withLock { state.finish = .cancelled }
        return false
      }
    }
    return lock.withLock { state.finish == nil }
  }

  /// Called with the lock held.
  private func piece(_ event: [UInt8]) -> String? {
    guard state.finish == nil else { return nil }
    if event == Array("[DONE]".utf8) {
      state.finish = .stop
      return nil
    }
    guard let chunk = try? JSONDecoder().decode(CompletionChunk.self, from: Data(event)),
      let choice = chunk.choices?.first
    else { return nil }
    var piece = choice.delta?.content ?? ""
    if !piece.isEmpty {
      if state.firstAt == nil { state.firstAt = .now }
      state.pieces += 1
      let before = state.text.count
      state.text += piece
      if let cut = stopSequences.compactMap({ state.text.range(of: $0)?.lowerBound }).min() {
        state.text = String(state.text[..<cut])
        piece = String(state.text.dropFirst(before))
        state.finish = .stop
      }
    }
    if let reason = choice.finish_reason { state.finish = reason == "length" ? .length : .stop }
    return piece
  }

  /// The whole completion, once the exchange is over.
  func result(_ answer: HTTPExchange.Answer, from base: String) throws -> GenerationResult {
    try lock.withLock {
      if state.finish == nil || answer.status != 200 {
        try Self.check(answer, body: state.raw, from: base)
      }
      let now = ContinuousClock.now
      let first = state.firstAt ?? now
      let spent = Self.milliseconds(now - first)
      return GenerationResult(
        text: state.text, finishReason: state.finish ?? .stop, outputTokens: state.pieces,
        timeToFirstTokenMs: Self.milliseconds(first - start),
        tokensPerSecond: spent > 0 ? Double(state.pieces) * 1000 / spent : 0)
    }
  }

  /// Throws when an exchange did not bring what was asked for.
  static func check(_ answer: HTTPExchange.Answer, body: [UInt8], from base: String) throws {
    if answer.status == 0 || (answer.code != 0 && answer.status == 200) {
      throw SDKException(
        .networkUnavailable, category: .network,
        "The language model at \(base) does not answer: \(answer.message).",
        recoverySuggestion: "Check that it runs and that the address is right.")
    }
    guard answer.status != 200 else { return }
    let text = String(decoding: body.prefix(200), as: UTF8.self)
      .replacingOccurrences(of: "\n", with: " ")
    let isRefused = answer.status == 401 || answer.status == 403
    throw SDKException(
      isRefused ? .invalidConfiguration : .generationFailed, category: isRefused ? .auth : .network,
      "The language model at \(base) answered \(answer.status): \(text)",
      recoverySuggestion: isRefused ? "Check its key." : nil)
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    let parts = duration.components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
  }
}

/// Keeps the bytes of a short answer.
final class ByteCollector: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var store: [UInt8] = []  // guarded by `lock`
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var bytes: [UInt8] { lock.withLock { store } }

  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    lock.withLock {
      guard store.count + bytes.count <= limit else { return false }
      store += bytes
      return true
    }
  }
}
