import Testing
import VoiceAudio

@testable import VoiceIO

@Suite("Loudspeaker timeline")
struct OutputTimelineTests {
  @Test("a sample counts as played when it has reached the ear, silence around it does not")
  func played() {
    var timeline = OutputTimeline(outputRate: 1000)
    _ = timeline.render(300)  // silence before
    timeline.begin(sampleRate: 1000)
    _ = timeline.append([Float](repeating: 1, count: 150))
    let first = timeline.render(100)
    #expect(first == [Float](repeating: 1, count: 100))
    timeline.advance(toHeard: 299)
    #expect(timeline.played == 0)
    timeline.advance(toHeard: 340)
    #expect(timeline.played == 40)
    // The rest, then a gap because nothing more was written.
    let second = timeline.render(100)
    #expect(second == [Float](repeating: 1, count: 50) + [Float](repeating: 0, count: 50))
    timeline.advance(toHeard: 490)
    #expect(timeline.played == 150)
    _ = timeline.append([Float](repeating: 0.5, count: 10))
    _ = timeline.render(10)
    timeline.advance(toHeard: 505)
    #expect(timeline.played == 155)
    timeline.complete()
    timeline.advance(toHeard: 600)
    #expect(timeline.played == 160)
    let ended = timeline.end()
    #expect(ended == 160)
    #expect(timeline.played == 160)
  }

  @Test("the position never goes back when the device's latency wavers")
  func monotone() {
    var timeline = OutputTimeline(outputRate: 1000)
    timeline.begin(sampleRate: 1000)
    _ = timeline.append([Float](repeating: 1, count: 500))
    _ = timeline.render(500)
    timeline.advance(toHeard: 200)
    timeline.advance(toHeard: 150)
    #expect(timeline.played == 200)
  }

  @Test("positions are in the utterance's own samples, all of them at its end")
  func rates() {
    var timeline = OutputTimeline(outputRate: 48_000)
    timeline.begin(sampleRate: 22_050)
    _ = timeline.append([Float](repeating: 0.1, count: 22_051))
    timeline.complete()
    _ = timeline.render(60_000)
    timeline.advance(toHeard: 24_000)
    #expect(timeline.played == 11_025)
    timeline.advance(toHeard: 60_000)
    #expect(timeline.played == 22_051)
    #expect(timeline.queued == 0)
  }

  @Test("new streams play again what was rendered and not heard")
  func restart() {
    var timeline = OutputTimeline(outputRate: 1000)
    timeline.begin(sampleRate: 1000)
    _ = timeline.append((0..<100).map { Float($0) })
    _ = timeline.render(80)
    timeline.advance(toHeard: 50)
    timeline.restart()
    #expect(timeline.rendered == 0)
    let again = timeline.render(50)
    #expect(again == (50..<100).map { Float($0) })
  }

  @Test("an utterance keeps no more than what is not heard yet")
  func bounded() {
    var timeline = OutputTimeline(outputRate: 1000)
    timeline.begin(sampleRate: 1000)
    for step in 1...200 {
      _ = timeline.append([Float](repeating: 1, count: 1000))
      _ = timeline.render(1000)
      timeline.advance(toHeard: Double(step * 1000))
      #expect(timeline.queued == 0)
    }
    #expect(timeline.played == 200_000)
  }
}

@Suite("Far-end reference")
struct FarReferenceTests {
  private func ramp(_ range: Range<Int>) -> [Float] { range.map { Float($0) } }

  @Test("the reference runs ahead of what is heard, and goes on without a gap while the position wavers")
  func follows() {
    var far = FarReference(outputRate: 1000, rate: 1000)
    far.append(ramp(0..<400))
    let piece1 = far.take(10, heard: 100)
    #expect(piece1 == ramp(130..<140))
    // 15 ms off is the device's wavering; the samples still follow each other.
    let piece2 = far.take(10, heard: 125)
    #expect(piece2 == ramp(140..<150))
    let piece3 = far.take(10, heard: 105)
    #expect(piece3 == ramp(150..<160))
    #expect(far.jumps == 0)
    let piece4 = far.take(10, heard: 200)
    #expect(piece4 == ramp(230..<240))
    #expect(far.jumps == 1)
  }

  @Test("what is not known is silence")
  func unknown() {
    var far = FarReference(outputRate: 1000, rate: 1000)
    let piece5 = far.take(4, heard: nil)
    #expect(piece5 == [0, 0, 0, 0])
    far.append(ramp(1..<9))
    let piece6 = far.take(4, heard: -40)
    #expect(piece6 == [0, 0, 0, 0])
  }

  @Test("two seconds and a half are the most that is kept")
  func bounded() {
    var far = FarReference(outputRate: 1000, rate: 1000)
    for _ in 0..<100 { far.append(ramp(0..<100)) }
    let piece7 = far.take(2, heard: 100)
    #expect(piece7 == [0, 0])
    let piece8 = far.take(2, heard: 9_000 - 30)
    #expect(piece8 == [0, 1])
  }
}

@Suite("Choosing a device")
struct DeviceChoiceTests {
  private let devices = [
    AudioDevice(id: "a", name: "Desk microphone", kind: .microphone, isDefault: false),
    AudioDevice(id: "b", name: "Headset", kind: .microphone, isDefault: true),
    AudioDevice(id: "c", name: "Headset", kind: .loudspeaker, isDefault: false),
  ]

  @Test("by default, id, name, or a part of the name, of the kind that is wanted")
  func choice() throws {
    #expect(try devices.choose(nil, .microphone).id == "b")
    #expect(try devices.choose("a", .microphone).id == "a")
    #expect(try devices.choose("Headset", .loudspeaker).id == "c")
    #expect(try devices.choose("desk", .microphone).id == "a")
    // No default is set: the first is taken.
    #expect(try devices.choose(nil, .loudspeaker).id == "c")
  }

  @Test("a name that fits none or several is refused with those that there are")
  func refusals() {
    #expect(throws: AudioDeviceError.unknown("e", .microphone, available: ["Desk microphone", "Headset"])) {
      try devices.choose("e", .microphone)
    }
    #expect(throws: AudioDeviceError.none(.microphone)) { try [AudioDevice]().choose(nil, .microphone) }
  }

  @Test("what was rendered and not heard before a hold is rendered again")
  func hold() {
    var timeline = OutputTimeline(outputRate: 1000)
    timeline.begin(sampleRate: 1000)
    _ = timeline.append((0..<500).map(Float.init))
    _ = timeline.render(200)
    timeline.advance(toHeard: 120)
    let holds = [timeline.hold(), timeline.hold()]
    #expect(holds == [true, false])
    let silence = timeline.render(100)
    #expect(silence == [Float](repeating: 0, count: 100))
    timeline.advance(toHeard: 300)
    #expect(timeline.played == 120)
    let releases = [timeline.release(), timeline.release()]
    #expect(releases == [true, false])
    let next = timeline.render(10)
    #expect(next == (120..<130).map(Float.init))
    timeline.advance(toHeard: 310)
    #expect(timeline.played == 130)
    _ = timeline.hold()
    let end = timeline.end()
    #expect(end == 130)
    #expect(!timeline.isHeld)
  }
}
