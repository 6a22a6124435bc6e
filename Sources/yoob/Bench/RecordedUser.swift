import RunAnywhere
import VoiceAudio
import VoiceIO
import YoobFace

/// A user who says one recording after another in one conversation, in real time.
final class RecordedUser: Sendable {
  private static let rate = 16_000
  private static let frame = rate / 50
  /// Longest wait for an answer, in seconds.
  private static let patience = 60.0

  private let clock = MonotonicClock()
  private let waiting = Guarded<ArraySlice<Float>>([])
  private let observer: ConversationObserver
  private let session: VoiceSession
  private let tasks: [Task<Void, Never>]

  init(_ engines: VoiceEngines, generation: LlmOptions) throws {
    let microphone = PushMicrophone()
    let clock = clock
    let observer = ConversationObserver(captions: Captions(isQuiet: true), clock: clock, log: nil)
    let session = RunAnywhere.voice.createSession(
      engines: engines, generation: generation,
      devices: VoiceDevices(microphone: microphone, sink: RecordingSink(clock: clock), clock: clock))
    try session.start()
    self.observer = observer
    self.session = session
    tasks = [
      Task { for await diagnostic in session.diagnostics { observer.handle(diagnostic) } },
      Task {
        do { for try await event in session.events { observer.handle(event) } } catch {}
      },
      Task { [waiting] in
        var due = clock.now
        while !Task.isCancelled {
          due += 0.02
          await clock.sleep(until: due)
          let next = waiting.withLock { waiting in
            defer { waiting = waiting.dropFirst(Self.frame) }
            return Array(waiting.prefix(Self.frame))
          }
          let silence = [Float](repeating: 0, count: Self.frame - next.count)
          microphone.push(next + silence, sampleRate: Self.rate)
        }
      },
    ]
  }

  /// Turns that were answered.
  var turns: [TurnMetrics] { observer.turns }

  /// Says a recording at 16 kHz and returns once the answer to it was heard and written; false when there
  /// is none.
  func ask(_ clip: AudioClip) async -> Bool {
    let before = turns.count
    waiting.withLock { $0 += clip.samples }
    return await waits { self.turns.count > before && self.isListening }
  }

  /// Asks, says `words` over the answer a second after it began, and waits for the answer to those.
  func interrupt(_ clip: AudioClip, with words: AudioClip) async -> Bool {
    let before = observer.states.count
    waiting.withLock { $0 += clip.samples }
    guard await waits({ self.observer.states.dropFirst(before).contains { $0.state == .speaking } }) else {
      return false
    }
    await clock.sleep(for: 1)
    return await ask(words)
  }

  func leave() async {
    await session.close()
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private var isListening: Bool {
    let status = observer.status
    return status.isListening && !status.isUnresolved && waiting.withLock { $0.isEmpty }
  }

  private func waits(_ isDone: () -> Bool) async -> Bool {
    let end = clock.now + Self.patience
    while clock.now < end {
      if isDone() { return true }
      await clock.sleep(for: 0.02)
    }
    return false
  }
}
