import Foundation
import Testing
import VoiceAudio
import VoiceIO

@testable import Yoob

@MainActor @Suite("An avatar's microphone")
struct MicrophoneTests {
  private func bench() -> (ConversationBench, Guarded<[Data]>) {
    let bench = ConversationBench()
    let packets = Guarded<[Data]>([])
    bench.avatar.microphone.onAudio = { data in packets.withLock { $0.append(data) } }
    return (bench, packets)
  }

  @Test("it opens, hands on packets of 20 ms at 24 kHz, and closes")
  func opens() async throws {
    let (bench, packets) = bench()
    let microphone = bench.avatar.microphone
    #expect(microphone.state == .off)
    bench.microphone.hear(0.2)
    try await bench.finish { try await microphone.start() }
    try await bench.finish { try await microphone.start() }
    #expect(microphone.state == .live)
    #expect(microphone.inputs.map(\.id) == ["a", "b"])
    bench.microphone.hear(1)
    #expect(packets.withLock { $0.allSatisfy { $0.count == 960 } })
    #expect((48...50).contains(packets.withLock { $0.count }))
    microphone.stop()
    microphone.stop()
    #expect(microphone.state == .off)
    let count = packets.withLock { $0.count }
    bench.microphone.hear(0.2)
    #expect(packets.withLock { $0.count } == count)
  }

  @Test("a user who refuses it is told where to allow it, and it is not opened")
  func refused() async throws {
    let (bench, _) = bench()
    let microphone = bench.avatar.microphone
    bench.microphone.mayHear.withLock { $0 = false }
    await #expect(throws: YoobError.self) { try await bench.finish { try await microphone.start() } }
    guard case .failed(.permissionDenied(let why)) = microphone.state else {
      Issue.record("\(microphone.state)")
      return
    }
    #expect(why.contains("Settings"))
    #expect(!bench.microphone.isOpen.withLock { $0 })
    bench.microphone.mayHear.withLock { $0 = true }
    try await bench.finish { try await microphone.start() }
    #expect(microphone.state == .live)
    microphone.stop()
  }

  @Test("its level is four times the loudness, at most 1, twenty times a second")
  func level() async throws {
    let (bench, _) = bench()
    let microphone = bench.avatar.microphone
    try await bench.finish { try await microphone.start() }
    bench.microphone.hear(0.02, level: 0.1)
    await bench.settle()
    #expect(abs(microphone.level - 0.4) < 0.001)
    bench.microphone.hear(0.02, level: 0.2)
    await bench.settle()
    #expect(abs(microphone.level - 0.4) < 0.001)
    await bench.pass(0.06)
    bench.microphone.hear(0.02, level: 0.9)
    await bench.settle()
    #expect(microphone.level == 1)
    microphone.setMuted(true)
    #expect(microphone.level == 0)
    #expect(microphone.state == .muted)
    microphone.setMuted(false)
    #expect(microphone.state == .live)
    microphone.stop()
    #expect(microphone.level == 0)
  }

  @Test("muted sound is not handed on, also where it was muted before it opened")
  func muted() async throws {
    let (bench, packets) = bench()
    let microphone = bench.avatar.microphone
    microphone.setMuted(true)
    #expect(microphone.state == .off)
    try await bench.finish { try await microphone.start() }
    #expect(microphone.state == .muted)
    bench.microphone.hear(0.3)
    #expect(packets.withLock { $0.isEmpty })
    microphone.setMuted(false)
    bench.microphone.hear(0.3)
    #expect(packets.withLock { $0.count } >= 13)
  }

  @Test("another input is chosen, an unknown one is refused, and one that is unplugged gives way")
  func inputs() async throws {
    let (bench, _) = bench()
    let microphone = bench.avatar.microphone
    try await bench.finish { try await microphone.start(inputID: "b") }
    #expect(microphone.selectedInputID == "b")
    #expect(bench.microphone.selected.withLock { $0 } == "b")
    #expect(throws: YoobError.self) { try microphone.select(inputID: "c") }
    #expect(microphone.selectedInputID == "b")
    bench.microphone.report.withLock { $0 }?(.lost(reason: "gone"))
    bench.microphone.report.withLock { $0 }?(.returned(microphone: "Headset", loudspeaker: "x"))
    await bench.settle()
    #expect(microphone.selectedInputID == "b")
    bench.microphone.report.withLock { $0 }?(.returned(microphone: "Built in", loudspeaker: "x"))
    await bench.settle()
    #expect(microphone.selectedInputID == nil)
    try microphone.select(inputID: "a")
    try microphone.select(inputID: nil)
    #expect(bench.microphone.selected.withLock { $0 } == nil)
  }

  @Test("one that cannot be opened says why, and can be tried again")
  func failures() async throws {
    let (bench, _) = bench()
    let microphone = bench.avatar.microphone
    bench.microphone.failure.withLock { $0 = AudioDeviceError.none(.microphone) }
    await #expect(throws: YoobError.self) { try await bench.finish { try await microphone.start() } }
    guard case .failed(.renderer(let text)) = microphone.state else {
      Issue.record("\(microphone.state)")
      return
    }
    #expect(text.contains("has no microphone"))
    bench.microphone.failure.withLock { $0 = AudioDeviceError.notPermitted }
    await #expect(throws: YoobError.permissionDenied("\(AudioDeviceError.notPermitted)")) {
      try await bench.finish { try await microphone.start() }
    }
    bench.microphone.failure.withLock { $0 = nil }
    try await bench.finish { try await microphone.start() }
    #expect(microphone.state == .live)
    let deaf = YoobAvatar(
      .local(URL(fileURLWithPath: "/nowhere")),
      devices: AvatarDevices(sink: bench.speaker, clock: bench.clock))
    await #expect(throws: YoobError.self) { try await deaf.microphone.start() }
  }
}
