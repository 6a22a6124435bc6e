import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO

/// A conversation whose sound card is the program at the other end of standard input and output.
/// `Benchmarks/peers` compares sessions with it; its README has the frames.
struct BenchPipe {
  var choice = LocalEngines.Choice()
  var generation = Luna.generation

  private static let microphoneRate = 16_000

  /// Talks until standard input ends.
  func run() async throws {
    let engines = try await LocalEngines.load(choice)
    let clock = MonotonicClock()
    let pipe = FramePipe()
    let microphone = PushMicrophone()
    let speaker = PipeSpeaker(clock: clock) { pipe.send(samples: $0, sampleRate: $1) }
    let session = RunAnywhere.voice.createSession(
      engines: engines, generation: generation,
      devices: VoiceDevices(microphone: microphone, sink: speaker, clock: clock))
    let events = Task {
      for try await event in session.events {
        if case .agentStateChanged(let state) = event { pipe.send(.init("state", state: "\(state)")) }
        if case .userTranscribed(let text, true) = event { pipe.send(.init("user", text: text)) }
        if case .error(let message, _) = event { pipe.send(.init("error", text: message)) }
      }
    }
    let diagnostics = Task {
      for await case .utteranceEnded(_, _, _, true) in session.diagnostics { pipe.send(.init("interrupted")) }
    }
    try session.start()
    pipe.send(.init("ready"))
    let ending = OneShot()
    Thread.detachNewThread {
      while let frame = pipe.receive() {
        switch frame.kind {
        case .sound: microphone.push(FramePipe.samples(frame.body), sampleRate: Self.microphoneRate)
        case .history: pipe.send(.init("history", messages: session.history))
        case .event: break
        }
      }
      ending.fire()
    }
    await ending.value()
    await session.close()
    speaker.close()
    await diagnostics.value
    try await events.value
  }
}

/// Frames on standard input and output: a letter, the length of the body in four bytes, the body.
private final class FramePipe: Sendable {
  enum Kind: UInt8 {
    /// PCM16; in what is sent, four bytes of sample rate come first.
    case sound = 0x61
    /// One line of JSON.
    case event = 0x65
    /// Asks for the messages so far.
    case history = 0x68
  }

  struct Event: Encodable {
    var type: String
    var state: String?
    var text: String?
    var messages: [ChatMessage]?

    init(_ type: String, state: String? = nil, text: String? = nil, messages: [ChatMessage]? = nil) {
      self.type = type
      self.state = state
      self.text = text
      self.messages = messages
    }
  }

  private static let longestBody = 1 << 20
  private let order = Guarded(())

  func send(_ event: Event) {
    guard let line = try? JSONText.line(event) else { return }
    send(.event, Array(line.utf8))
  }

  func send(samples: [Float], sampleRate: Int) {
    var body = Self.bytes(UInt32(sampleRate))
    body.reserveCapacity(4 + 2 * samples.count)
    for sample in samples {
      let value = UInt16(bitPattern: Int16((max(-1, min(1, sample)) * 32_767).rounded()))
      body += [UInt8(value & 0xFF), UInt8(value >> 8)]
    }
    send(.sound, body)
  }

  /// The next frame; nil at the end of the input and at one that is no frame.
  func receive() -> (kind: Kind, body: [UInt8])? {
    guard let head = read(5), let kind = Kind(rawValue: head[0]) else { return nil }
    let count = head[1...].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= Self.longestBody, let body = read(count) else { return nil }
    return (kind, body)
  }

  static func samples(_ body: [UInt8]) -> [Float] {
    stride(from: 0, to: body.count - 1, by: 2).map {
      Float(Int16(bitPattern: UInt16(body[$0]) | UInt16(body[$0 + 1]) << 8)) / 32_768
    }
  }

  private static func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }

  private func send(_ kind: Kind, _ body: [UInt8]) {
    let frame = Data([kind.rawValue] + Self.bytes(UInt32(body.count)) + body)
    // Who reads no more has ended the conversation; standard input tells.
    order.withLock { _ in try? FileHandle.standardOutput.write(contentsOf: frame) }
  }

  private func read(_ count: Int) -> [UInt8]? {
    var body: [UInt8] = []
    while body.count < count {
      guard let piece = try? FileHandle.standardInput.read(upToCount: count - body.count), !piece.isEmpty
      else { return nil }
      body += piece
    }
    return body
  }
}
