import Testing

@testable import YoobFace

@Suite("Face engine")
struct FaceEngineTests {
  private func speak(_ face: FaceEngine, _ visemes: [Viseme]) {
    face.beginUtterance()
    SyntheticPuppet.visemes(visemes).withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    face.endUtterance()
  }

  @Test("a puppet that is none is refused with its reason")
  func refused() {
    #expect(throws: FaceError.puppet(.notAPuppet)) {
      try FaceEngine(puppet: [1, 2, 3], mouth: [], seed: 1)
    }
    #expect(throws: FaceError.mouth(.notWeights)) {
      try FaceEngine(puppet: SyntheticPuppet.bytes(), mouth: [1, 2, 3], seed: 1)
    }
  }

  @Test("30 and 60 frames a second show the same face at the same time")
  func frameRate() throws {
    let slow = try SyntheticPuppet.engine()
    let fast = try SyntheticPuppet.engine()
    speak(slow, [.aa, .PP, .E, .ou])
    speak(fast, [.aa, .PP, .E, .ou])
    for step in 0...40 {
      let time = Double(step) / 30
      slow.advance(to: time, playhead: time)
      if step > 0 { fast.advance(to: time - 1 / 60.0, playhead: time - 1 / 60.0) }
      fast.advance(to: time, playhead: time)
      for (a, b) in zip(slow.positions, fast.positions) {
        #expect(abs(a.x - b.x) < 0.01 && abs(a.y - b.y) < 0.01)
      }
    }
  }

  @Test("lips are shut at p, open at a, and narrow at u")
  func lips() throws {
    let face = try SyntheticPuppet.engine()
    face.calm = true
    func lips(_ viseme: Viseme) -> (gap: Float, width: Float) {
      speak(face, [viseme, viseme])
      for step in 0..<12 { face.advance(to: now + Double(step) / 60, playhead: Double(step) / 60) }
      now += 12 / 60.0
      return (face.lipGap, face.lipWidth)
    }
    var now = 0.0
    let closed = lips(.PP)
    let open = lips(.aa)
    let round = lips(.ou)
    let wide = lips(.E)
    #expect(open.gap > closed.gap + 30)
    #expect(wide.width > round.width + 15)
  }

  @Test("the mouth is shut and still while no voice sounds")
  func silence() throws {
    let face = try SyntheticPuppet.engine()
    face.advance(to: 0, playhead: nil)
    for step in 1...300 {
      face.advance(to: Double(step) / 30, playhead: nil)
      for morph in [Morph.jawOpen, .mouthFunnel, .mouthStretchLeft, .mouthSmileLeft] {
        #expect(face.pose.morphs[morph] == 0)
      }
      #expect(face.visemes[0] == 1)
    }
  }

  @Test("a mouth that runs out of frames closes without a jump")
  func runsOut() throws {
    let face = try SyntheticPuppet.engine()
    speak(face, [.aa])
    var last: Float = 0
    for step in 0..<60 {
      let time = Double(step) / 60
      face.advance(to: time, playhead: time)
      let jaw = face.pose.morphs[.jawOpen]
      if step > 12 { #expect(abs(jaw - last) < 0.35) }
      last = jaw
    }
    #expect(last == 0)
  }

  @Test("an interruption shuts the mouth within a fifth of a second")
  func interruption() throws {
    let face = try SyntheticPuppet.engine()
    speak(face, [.aa, .aa, .aa])
    for step in 0..<20 { face.advance(to: Double(step) / 60, playhead: Double(step) / 60) }
    #expect(face.pose.morphs[.jawOpen] > 0.5)
    for step in 20..<32 { face.advance(to: Double(step) / 60, playhead: nil) }
    #expect(face.pose.morphs[.jawOpen] < 0.01)
  }

  @Test("a second utterance has lips again, even if it starts before the first was played")
  func secondUtterance() throws {
    let face = try SyntheticPuppet.engine()
    speak(face, [.PP, .PP, .PP])
    for step in 0..<6 { face.advance(to: Double(step) / 60, playhead: Double(step) / 60) }
    speak(face, [.aa, .aa])
    for step in 6..<20 { face.advance(to: Double(step) / 60, playhead: Double(step - 6) / 60) }
    #expect(face.pose.morphs[.jawOpen] > 0.5)
  }

  @Test("loudness follows the voice at the playhead, at any sample rate", arguments: [8000, 24_000, 48_000])
  func level(_ rate: Int) throws {
    let face = try SyntheticPuppet.engine()
    face.beginUtterance()
    // Half a second of silence, then half a second of a buzz.
    let sound = (0..<rate).map { $0 < rate / 2 ? Float(0) : Float($0 % 80) / 160 - 0.25 }
    sound.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: rate) }
    face.endUtterance()
    face.advance(to: 0, playhead: 0.3)
    #expect(face.voiceLevel == 0)
    face.advance(to: 0.1, playhead: 0.9)
    #expect(face.voiceLevel > 0.3)
    face.advance(to: 0.2, playhead: nil)
    #expect(face.voiceLevel == 0)
  }

  @Test("an hour of speech stays within the memory of its first minute")
  func hour() throws {
    let face = try SyntheticPuppet.engine()
    face.beginUtterance()
    let second = SyntheticPuppet.visemes([.aa, .PP, .E, .ou, .sil])
    var afterMinute = 0
    for second_ in 0..<3600 {
      second.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: second_ * 100) }
      face.advance(to: Double(second_), playhead: Double(second_))
      if second_ == 60 { afterMinute = face.bufferedBytes }
    }
    #expect(face.bufferedBytes == afterMinute)
    face.advance(to: 3600, playhead: 3599.1)
    #expect(face.visemes[Viseme.aa.rawValue] > 0.9)
  }

  @Test("times that jump or are no numbers never break the face")
  func oddTimes() throws {
    let face = try SyntheticPuppet.engine()
    speak(face, [.aa, .E])
    let times: [Double] = [0, 1e6, -5, .nan, .infinity, 3, 2.99, 3.01, 1e12, 0.5]
    let heads: [Double?] = [0.1, .nan, -1, .infinity, 1e300, nil, 0.2, 0.1, 9, 0]
    for (time, head) in zip(times, heads) {
      face.advance(to: time, playhead: head)
      #expect(face.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    }
  }

  @Test("samples that are no numbers count as silence")
  func oddSamples() throws {
    let face = try SyntheticPuppet.engine()
    face.beginUtterance()
    let sound = [Float](repeating: .nan, count: 1600) + [Float](repeating: .infinity, count: 1600)
    sound.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: 16_000) }
    face.endUtterance()
    face.advance(to: 0, playhead: 0.1)
    #expect(face.voiceLevel == 0)
  }

  @Test("a layer whose opacity is a morph's is listed only while it shows")
  func opacity() throws {
    var puppet = SyntheticPuppet.make()
    puppet.layers[3].opacityMorph = 0
    let face = try FaceEngine(puppet: PuppetEncoder.encode(puppet), mouth: [], seed: 1)
    face.advance(to: 0, playhead: nil)
    #expect(face.draws.count == puppet.layers.count - 1)
    speak(face, [.aa, .aa])
    for step in 0..<15 { face.advance(to: Double(step) / 60, playhead: Double(step) / 60) }
    #expect(face.draws.count == puppet.layers.count)
    #expect(face.draws[3].opacity == min(1, face.pose.morphs[.jawOpen]))
  }
}
