import Foundation
import YoobWire

/// An agent behind the voice server, for clients of others and for our own. Its replies depend on the message alone:
/// "long" speaks for a minute in real time, "flood" sends sound without end, "crash" fails, "quit"
/// ends without a word; anything else is repeated, with a second of sound. A second of the user's
/// sound counts as the question "what time is it".
public final class ScriptedAgent: SpeechAgent {
  public let events: AsyncStream<SpeechAgentEvent>
  private let continuation: AsyncStream<SpeechAgentEvent>.Continuation
  private let state = Mutable()

  /// What one lock guards.
  private final class Mutable: @unchecked Sendable {  // reached through `lock` only
    private let lock = NSLock()
    private var heardBytes = 0
    private var replies = 0
    private var current: (id: String, task: Task<Void, Never>)?

    /// Whether these bytes complete a second of sound.
    func hear(_ count: Int) -> Bool {
      lock.withLock {
        heardBytes += count
        guard heardBytes >= 48_000 else { return false }
        heardBytes = 0
        return true
      }
    }

    func replace(_ make: (String) -> Task<Void, Never>) {
      lock.withLock {
        replies += 1
        let id = "reply\(replies)"
        current = (id, make(id))
      }
    }

    func take() -> (id: String, task: Task<Void, Never>)? {
      lock.withLock {
        defer { current = nil }
        return current
      }
    }
  }

  public init() { (events, continuation) = AsyncStream.makeStream() }

  public func start() async throws {}
  public func configure(_ configuration: SpeechAgentConfiguration) async {}

  public func appendAudio(_ pcm: [UInt8]) {
    guard state.hear(pcm.count) else { return }
    continuation.yield(.speechStarted(audioMs: 100))
    continuation.yield(.userTranscript(text: "what", isFinal: false))
    continuation.yield(.speechStopped(audioMs: 900))
    continuation.yield(.userTranscript(text: "what time is it", isFinal: true))
    begin("what time is it")
  }

  public func send(text: String) async {
    switch text {
    case "crash": continuation.yield(.error(code: "script", message: "It broke.", isFatal: true))
    case "quit": continuation.finish()
    default:
      await interrupt(heardMs: nil)
      begin(text)
    }
  }

  public func respond(instructions: String?) async { begin(instructions ?? "hello") }

  public func interrupt(heardMs: Int?) async {
    guard let (id, task) = state.take() else { return }
    task.cancel()
    await task.value
    continuation.yield(.responseFinished(responseID: id, status: .cancelled(reason: "interrupted")))
  }

  public func close() async {
    state.take()?.task.cancel()
    continuation.finish()
  }

  private func begin(_ text: String) {
    state.replace { id in
      Task { [self] in await speak(text, id: id) }
    }
  }

  private func speak(_ text: String, id: String) async {
    let pieces = text == "long" ? 600 : text == "flood" ? .max : 10
    continuation.yield(.responseStarted(responseID: id))
    continuation.yield(.responseText(responseID: id, text: "You said: "))
    continuation.yield(.responseText(responseID: id, text: text))
    let words = text.split(separator: " ").enumerated().map { index, word in
      SpeechWord(text: String(word), startMs: index * 200, endMs: index * 200 + 200)
    }
    continuation.yield(.responseWords(responseID: id, words: words))
    continuation.yield(
      .responseVisemes(responseID: id, startMs: 0, rate: 100, frames: [[1] + Array(repeating: 0, count: 14)]))
    continuation.yield(
      .responseProsody(responseID: id, startMs: 0, rate: 50, pitch: [0, 180.4], marks: [0, 1]))
    for _ in 0..<pieces {
      continuation.yield(.responseAudio(responseID: id, pcm: [UInt8](repeating: 1, count: 4800)))
      if text == "long" { try? await Task.sleep(for: .milliseconds(100)) }
      if text == "flood" { try? await Task.sleep(for: .microseconds(500)) }
      if Task.isCancelled { return }
    }
    _ = state.take()
    continuation.yield(.responseFinished(responseID: id, status: .completed))
    continuation.yield(.metrics(["first_audio_ms": 1]))
  }
}
