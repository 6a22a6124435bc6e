import Testing

@testable import YoobFace

@Suite("Motion")
struct FaceMotionTests {
  /// Steps a motion for a while and returns its channels at 30 frames a second.
  private func play(
    _ motion: inout FaceMotion, seconds: Double, from start: Double = 0, speaking: Bool = false,
    stress: (Double) -> Float = { _ in 0 }
  ) -> [MotionChannels] {
    var frames: [MotionChannels] = []
    for step in 1...Int(seconds * FaceMotion.rate) {
      let time = start + Double(step) / FaceMotion.rate
      let channels = motion.step(to: time, speaking: speaking, stress: stress(time))
      if step % 8 == 0 { frames.append(channels) }
    }
    return frames
  }

  private func blinks(seed: UInt64, seconds: Double) -> [Double] {
    var blinks = Blinks(seed: seed, at: 0)
    var starts: [Double] = []
    var wasShut = false
    for step in 0..<Int(seconds * 120) {
      let time = Double(step) / 120
      blinks.advance(to: time)
      let isShut = blinks.value(at: time) > 0.9
      if isShut && !wasShut { starts.append(time) }
      wasShut = isShut
    }
    return starts
  }

  @Test("the same seed lives the same life, another seed another one")
  func deterministic() {
    var a = FaceMotion(seed: 5)
    var b = FaceMotion(seed: 5)
    var c = FaceMotion(seed: 6)
    let first = play(&a, seconds: 10)
    #expect(first == play(&b, seconds: 10))
    #expect(first != play(&c, seconds: 10))
  }

  @Test("blinks come every 2 to 6 seconds, and some are double")
  func blinkIntervals() {
    let starts = blinks(seed: 3, seconds: 600)
    let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
    let doubles = gaps.filter { $0 < 0.6 }
    let singles = gaps.filter { $0 >= 0.6 }
    #expect(singles.allSatisfy { $0 > 1.9 && $0 < 6.1 })
    #expect(doubles.count > 3 && doubles.count < singles.count / 3)
    #expect((110...260).contains(starts.count))
  }

  @Test("blinks go on during long speech")
  func blinksWhileSpeaking() {
    var motion = FaceMotion(seed: 4)
    var shut = 0
    for step in 1...Int(60 * FaceMotion.rate) {
      let time = Double(step) / FaceMotion.rate
      _ = motion.step(to: time, speaking: true, stress: 0)
      if motion.blink(at: time).x > 0.9 { shut += 1 }
    }
    #expect(shut > 60)
  }

  @Test("every channel is continuous: no step is larger than a fast eye movement")
  func continuous() {
    var motion = FaceMotion(seed: 8)
    var last = motion.step(to: 0, speaking: false, stress: 0)
    for step in 1...Int(30 * FaceMotion.rate) {
      let time = Double(step) / FaceMotion.rate
      motion.state = FaceState.allCases[Int(time / 3) % 4]
      motion.emotion = FaceEmotion.allCases[Int(time / 2) % 6]
      let next = motion.step(to: time, speaking: Int(time / 5) % 2 == 1, stress: 0)
      let change = next - last
      #expect(abs(change[Channel.yaw]) < 0.01)
      #expect(abs(change[Channel.pitch]) < 0.01)
      #expect(abs(change[Channel.gazeX]) < 0.25)
      #expect(abs(change[Channel.smile]) < 0.05)
      last = next
    }
  }

  @Test("the head sways without repeating itself")
  func sway() {
    var motion = FaceMotion(seed: 2)
    let frames = play(&motion, seconds: 120)
    let yaws = frames.map { $0[Channel.yaw] }
    #expect((yaws.max() ?? 0) - (yaws.min() ?? 0) > 0.04)
    // No shift of up to a minute maps the movement on itself.
    for shift in stride(from: 150, through: 1800, by: 30) {
      var difference: Float = 0
      for index in 0..<1800 { difference = max(difference, abs(yaws[index] - yaws[index + shift])) }
      #expect(difference > 0.01)
    }
  }

  @Test("a listener looks at the viewer, a thinker up and aside")
  func gaze() {
    var motion = FaceMotion(seed: 9)
    motion.state = .listening
    let listening = play(&motion, seconds: 10).suffix(200)
    #expect(listening.allSatisfy { abs($0[Channel.gazeX]) < 0.1 && abs($0[Channel.gazeY]) < 0.1 })
    motion.state = .thinking
    let thinking = play(&motion, seconds: 10, from: 10).suffix(200)
    #expect(thinking.allSatisfy { $0[Channel.gazeY] > 0.2 })
    // The eyes cross over to the other side now and then.
    #expect(thinking.filter { abs($0[Channel.gazeX]) > 0.2 }.count > 150)
  }

  @Test("a listener tilts the head and nods now and then")
  func listening() {
    var motion = FaceMotion(seed: 9)
    motion.state = .listening
    let frames = play(&motion, seconds: 30).suffix(600)
    let roll = frames.map { $0[Channel.roll] }.reduce(0, +) / Float(frames.count)
    #expect(roll > 0.02)
    let nods = frames.map { $0[Channel.pitch] }
    #expect((nods.max() ?? 0) - (nods.min() ?? 0) > 0.03)
  }

  @Test("a stressed syllable makes the head nod")
  func nod() {
    var quiet = FaceMotion(seed: 1)
    var stressed = FaceMotion(seed: 1)
    let calm = play(&quiet, seconds: 2, speaking: true)
    let lively = play(&stressed, seconds: 2, speaking: true) { $0 > 1 && $0 < 1.1 ? 0.5 : 0 }
    let nods = zip(calm, lively).map { $0[Channel.pitch] - $1[Channel.pitch] }
    #expect((nods.max() ?? 0) > 0.02)
  }

  @Test("calm keeps the head nearly still and the blinks alive")
  func calm() {
    var motion = FaceMotion(seed: 2)
    motion.calm = true
    _ = play(&motion, seconds: 5)
    let frames = play(&motion, seconds: 60, from: 5, speaking: true) { Int($0) % 2 == 0 ? 0.5 : 0 }
    let yaws = frames.map { $0[Channel.yaw] }
    let pitches = frames.map { $0[Channel.pitch] }
    #expect((yaws.max() ?? 0) - (yaws.min() ?? 0) < 0.04)
    #expect((pitches.max() ?? 0) - (pitches.min() ?? 0) < 0.02)
    #expect(motion.breath(at: 1) != motion.breath(at: 2))
  }

  @Test(
    "an emotion shows on the face and leaves the mouth to the voice",
    arguments: [FaceEmotion.happy, .sad, .angry, .surprised])
  func emotion(_ emotion: FaceEmotion) throws {
    var motion = FaceMotion(seed: 2)
    motion.emotion = emotion
    let silent = try #require(play(&motion, seconds: 3).last)
    let speaking = try #require(play(&motion, seconds: 3, from: 3, speaking: true).last)
    let brows = silent[Channel.browInnerUp] + silent[Channel.browDown] + silent[Channel.smile]
    #expect(brows > 0.5)
    let mouth = [Channel.smile, Channel.frown, Channel.press, Channel.jawOpen]
    let before = mouth.map { silent[$0] }.reduce(0, +)
    let during = mouth.map { speaking[$0] }.reduce(0, +)
    #expect(during < before * 0.5)
    #expect(speaking[Channel.jawOpen] < 0.01)
  }

  @Test("intensity scales an emotion")
  func intensity() throws {
    var full = FaceMotion(seed: 2)
    full.emotion = .happy
    var half = full
    half.intensity = 0.5
    let strong = try #require(play(&full, seconds: 3).last)
    let weak = try #require(play(&half, seconds: 3).last)
    #expect(abs(strong[Channel.smile] - 2 * weak[Channel.smile]) < 0.02)
  }

  @Test("each gesture moves the head once and ends", arguments: FaceGesture.allCases)
  func gesture(_ gesture: FaceGesture) {
    var plain = FaceMotion(seed: 2)
    var moving = FaceMotion(seed: 2)
    moving.perform(gesture, at: 0.1)
    let without = play(&plain, seconds: 3)
    let with = play(&moving, seconds: 3)
    let differences = zip(without, with).map { a, b in
      max(
        abs(a[Channel.yaw] - b[Channel.yaw]), abs(a[Channel.pitch] - b[Channel.pitch]),
        abs(a[Channel.roll] - b[Channel.roll]))
    }
    #expect((differences.max() ?? 0) > 0.02)
    #expect(differences.last == 0)
  }
}
