import VoiceAudio
import VoiceIO
import YoobWire

/// A voice agent that says what a test wants, and remembers what it was told.
final class ScriptedSpeechAgent: SpeechAgent {
  enum Call: Sendable, Equatable {
    case start, close
    case text(String)
    case respond
    case interrupt(heardMs: Int?)
    case corrected(ms: Int)
  }
  struct Missing: Error, CustomStringConvertible { var description: String { "no model is loaded" } }

  let events: AsyncStream<SpeechAgentEvent>
  private let put: AsyncStream<SpeechAgentEvent>.Continuation
  private let recorded = Guarded(
    (calls: [Call](), heardBytes: 0, configuration: SpeechAgentConfiguration?.none))
  private let isMissing: Bool
  /// What it does with a typed message, and with a second of sound.
  private let replies: Bool

  init(isMissing: Bool = false, replies: Bool = false) {
    (events, put) = AsyncStream.makeStream()
    self.isMissing = isMissing
    self.replies = replies
  }

  var calls: [Call] { recorded.withLock { $0.calls } }
  var heardBytes: Int { recorded.withLock { $0.heardBytes } }
  var configuration: SpeechAgentConfiguration? { recorded.withLock { $0.configuration } }

  func tell(_ event: SpeechAgentEvent) { put.yield(event) }
  func vanish() { put.finish() }

  /// A reply of so many seconds, its words one every quarter of a second.
  func speak(_ seconds: Double, words: [String], id: String = "r", ends: Bool = true) {
    tell(.responseStarted(responseID: id))
    tell(.responseText(responseID: id, text: words.joined(separator: " ")))
    let times = words.enumerated().map { index, word in
      SpeechWord(text: word, startMs: index * 250, endMs: index * 250 + 200)
    }
    tell(.responseWords(responseID: id, words: times))
    let tenth = PCM16.encode((0..<2400).map { Float($0 % 100) / 400 })
    for _ in 0..<Int((seconds * 10).rounded()) { tell(.responseAudio(responseID: id, pcm: tenth)) }
    if ends { tell(.responseFinished(responseID: id, status: .completed)) }
  }

  // MARK: SpeechAgent

  private func note(_ call: Call) { recorded.withLock { $0.calls.append(call) } }

  func start() async throws {
    if isMissing { throw Missing() }
    note(.start)
  }
  func configure(_ configuration: SpeechAgentConfiguration) async {
    recorded.withLock { $0.configuration = configuration }
  }
  func appendAudio(_ pcm: [UInt8]) { recorded.withLock { $0.heardBytes += pcm.count } }
  func send(text: String) async {
    note(.text(text))
    if replies { speak(0.5, words: ["You", "said", text], id: "reply-\(text)") }
  }
  func respond(instructions: String?) async { note(.respond) }
  func interrupt(heardMs: Int?) async { note(.interrupt(heardMs: heardMs)) }
  func correctHeard(ms: Int) async { note(.corrected(ms: ms)) }
  func close() async {
    note(.close)
    put.finish()
  }
}
