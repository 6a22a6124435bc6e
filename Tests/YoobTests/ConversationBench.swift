import Foundation
import Testing
import VoiceAudio
import VoiceIO
import YoobNet
import YoobTesting
import YoobWire

@testable import Yoob

/// An avatar that talks over sockets that a test scripts, by a clock that a test moves.
@MainActor final class ConversationBench {
  let clock = ManualClock()
  let executor = ManualExecutor()
  let speaker: RecordingSink
  let microphone = ScriptedMicrophone()
  let sockets = ScriptedSockets()
  let avatar: YoobAvatar
  /// Work of conversations that has not ended.
  let running = Guarded(0)

  init() {
    speaker = RecordingSink(clock: clock)
    var devices = AvatarDevices(sink: speaker, clock: clock) { [executor] body in
      executor.task { await body() }
    }
    devices.microphone = microphone
    let (executor, running, sockets) = (executor, running, sockets)
    devices.start = { body in
      running.withLock { $0 += 1 }
      return Task(executorPreference: executor) {
        await body()
        running.withLock { $0 -= 1 }
      }
    }
    devices.connect = { request async throws(NetError) in try sockets.connect(request) }
    avatar = YoobAvatar(.local(URL(fileURLWithPath: "/nowhere")), devices: devices)
  }

  /// Lets all work be done that can be done now.
  func settle() async {
    for _ in 0..<24 {
      executor.drain()
      await Task.yield()
    }
    executor.drain()
  }

  /// Lets so many seconds pass, in steps of 10 ms.
  func pass(_ seconds: Double) async {
    await settle()
    for _ in 0..<Int((seconds * 100).rounded()) {
      clock.advance(by: 0.01)
      await settle()
    }
  }

  /// Lets time pass until something ends.
  func finish<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
    let isDone = Guarded(false)
    let task = Task { @MainActor in
      defer { isDone.withLock { $0 = true } }
      return try await body()
    }
    for _ in 0..<2000 where !isDone.withLock({ $0 }) { await pass(0.01) }
    return try await task.value
  }

  /// A conversation with the provider that is open, and its socket.
  func open(
    _ options: YoobConversation.Options = .init()
  ) async throws -> (YoobConversation, ScriptedSocket) {
    let secrets = Guarded(0)
    let conversation = YoobConversation(
      avatar: avatar, options: options,
      clientSecret: {
        secrets.withLock { count in
          count += 1
          return "ek_\(count)"
        }
      })
    sockets.onOpen { $0.tell(["type": "session.updated"]) }
    try await finish { try await conversation.start() }
    return (conversation, try #require(sockets.all.last))
  }
}

/// A microphone that hears what a test says.
final class ScriptedMicrophone: SelectableMicrophone {
  let push = PushMicrophone()
  let failure = Guarded<(any Error)?>(nil)
  let selected = Guarded<String?>(nil)
  let report = Guarded<(@Sendable (DeviceChange) -> Void)?>(nil)
  let isOpen = Guarded(false)
  /// What the user answers.
  let mayHear = Guarded(true)

  func askPermission() async -> Bool { mayHear.withLock { $0 } }

  func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws {
    if let error = failure.withLock({ $0 }) { throw error }
    try push.start(deliver)
    isOpen.withLock { $0 = true }
  }
  func stop() {
    push.stop()
    isOpen.withLock { $0 = false }
  }
  func inputs() throws -> [AudioDevice] {
    [
      AudioDevice(id: "a", name: "Built in", kind: .microphone, isDefault: true),
      AudioDevice(id: "b", name: "Headset", kind: .microphone, isDefault: false),
    ]
  }
  func select(_ id: String?) throws {
    if let id, try !inputs().contains(where: { $0.id == id }) {
      throw AudioDeviceError.unknown(id, .microphone, available: ["a", "b"])
    }
    selected.withLock { $0 = id }
  }
  func observe(_ report: (@Sendable (DeviceChange) -> Void)?) { self.report.withLock { $0 = report } }

  /// So many seconds of a tone.
  func hear(_ seconds: Double, level: Float = 0.2) {
    for _ in 0..<Int((seconds * 50).rounded()) {
      push.push((0..<320).map { level * ($0 % 8 < 4 ? 1 : -1) }, sampleRate: 16_000)
    }
  }
}

/// Sockets that a test answers.
final class ScriptedSockets: Sendable {
  private let opened = Guarded<[ScriptedSocket]>([])
  private let refusals = Guarded<[NetError]>([])
  private let greeting = Guarded<(@Sendable (ScriptedSocket) -> Void)?>(nil)
  private let wanted = Guarded(0)

  /// All that were opened, in order.
  var all: [ScriptedSocket] { opened.withLock { $0 } }
  /// Tries, refused ones included.
  var tries: Int { wanted.withLock { $0 } }
  func refuse(_ errors: [NetError]) { refusals.withLock { $0 += errors } }
  /// What each socket does when it is open.
  func onOpen(_ greet: (@Sendable (ScriptedSocket) -> Void)?) { greeting.withLock { $0 = greet } }

  func connect(_ request: WebSocketRequest) throws(NetError) -> any WebSocketLink {
    wanted.withLock { $0 += 1 }
    if let error = refusals.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw error }
    let socket = ScriptedSocket(request)
    opened.withLock { $0.append(socket) }
    greeting.withLock { $0 }?(socket)
    return socket
  }
}

/// A socket that remembers what is sent.
final class ScriptedSocket: WebSocketLink {
  let request: WebSocketRequest
  let messages: AsyncStream<WebSocketLinkEvent>
  private let put: AsyncStream<WebSocketLinkEvent>.Continuation
  private let state = Guarded((sent: [JSONValue](), closed: Int?.none))

  init(_ request: WebSocketRequest) {
    self.request = request
    (messages, put) = AsyncStream.makeStream()
  }

  /// Once set, nothing can be sent until it fires.
  let stall = Guarded<OneShot?>(nil)

  func send(_ message: WebSocketMessage) async throws(NetError) {
    await stall.withLock { $0 }?.value()
    guard state.withLock({ $0.closed == nil }) else { throw .closedEarly(host: "test") }
    guard case .text(let text) = message, let value = try? JSONValue(parsing: text) else { return }
    state.withLock { $0.sent.append(value) }
  }
  func close(code: Int, reason: String) {
    state.withLock { $0.closed = $0.closed ?? code }
    put.finish()
  }

  var closeCode: Int? { state.withLock { $0.closed } }
  var sent: [JSONValue] { state.withLock { $0.sent } }
  /// Events of that type that were sent.
  func sent(_ type: String) -> [JSONValue] { sent.filter { $0["type"]?.string == type } }

  // MARK: The service

  func tell(_ event: JSONObject) { put.yield(.text(JSONValue.object(event).text)) }
  func drop(code: Int?, reason: String = "") {
    put.yield(.closed(code: code, reason: reason))
    put.finish()
  }
  /// So many seconds of a reply, in pieces of a tenth.
  func speak(
    _ seconds: Double, item: String = "i1", response: String = "r1", text: String = "", ends: Bool = true
  ) {
    tell(["type": "response.created", "response": ["id": .string(response)]])
    if !text.isEmpty {
      tell([
        "type": "response.output_audio_transcript.delta", "response_id": .string(response),
        "item_id": .string(item), "delta": .string(text),
      ])
    }
    let tenth = PCM16.encode((0..<2400).map { Float($0 % 100) / 400 })
    for _ in 0..<Int((seconds * 10).rounded()) {
      tell([
        "type": "response.output_audio.delta", "response_id": .string(response), "item_id": .string(item),
        "content_index": 0, "delta": .string(Base64.encode(tenth)),
      ])
    }
    guard ends else { return }
    tell(["type": "response.done", "response": ["id": .string(response), "status": "completed"]])
  }
}
