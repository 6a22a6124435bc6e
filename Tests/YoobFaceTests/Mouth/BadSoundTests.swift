import Testing
import VoiceAudio

@testable import YoobFace

/// Sound that is not one clear voice at 16 kHz. The suite runs the network, like `SpeechToMouthTests`.
@Suite struct BadSoundSpeechToMouthTests {
  /// 0.8 seconds of the fixture's speech.
  private static let speech = Result { Array(try MouthFixture().samples[8_000..<20_800]) }

  enum Sound: CaseIterable {
    case clipped, fullScale, music, crowd, clicks, offset

    /// 16 kHz samples.
    func samples() throws -> [Float] {
      let speech = try BadSoundSpeechToMouthTests.speech.get()
      switch self {
      case .clipped: return speech.map { max(-1, min(1, $0 * 100)) }
      case .fullScale: return speech.map { $0 < 0 ? -1 : 1 }
      case .music:
        return (0..<12_800).map { index in
          let tones = [220, 277.18, 329.63, 880]
          return tones.reduce(0) { $0 + 0.2 * FaceMath.sin(turns: $1 * Double(index) / 16_000) }
        }
      case .crowd:
        return zip(speech, speech.reversed()).map { ($0 + $1) / 2 }
      case .clicks: return (0..<12_800).map { $0 % 1_600 == 0 ? 1 : 0 }
      case .offset: return speech.map { min(1, $0 + 0.5) }
      }
    }
  }

  private func frames(of samples: [Float]) throws -> [Float] {
    let mouth = try SpeechToMouth(weights: MouthFixture.mouthBytes())
    mouth.push(samples)
    mouth.finish()
    return mouth.frames
  }

  private func face() throws -> FaceEngine {
    try FaceEngine(puppet: SyntheticPuppet.bytes(), mouth: MouthFixture.mouthBytes(), seed: 7)
  }

  /// The visemes that a face hears in sound at a rate, every 10 ms.
  private func heard(_ samples: [Float], rate: Int, frames: Int) throws -> [[Float]] {
    let face = try face()
    face.beginUtterance()
    samples.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: rate) }
    face.endUtterance()
    return (0..<frames).map { frame in
      face.advance(to: Double(frame) / 100, playhead: Double(frame) / 100)
      return (0..<15).map { face.visemes[$0] }
    }
  }

  @Test(
    "whatever sounds, weights are finite, sum to one and move the mouth within its range",
    arguments: Sound.allCases)
  func anySound(_ sound: Sound) throws {
    let found = try frames(of: sound.samples())
    var smoother = MouthSmoother()
    for at in stride(from: 0, to: found.count, by: 15) {
      let weights = Array(found[at..<(at + 15)])
      #expect(weights.allSatisfy { $0 >= 0 && $0 <= 1 })
      #expect(abs(weights.reduce(0, +) - 1) < 1e-5)
      smoother.step(weights)
      #expect(smoother.morphs.allSatisfy { 0...1 ~= $0 })
    }
  }

  @Test(
    "a face that hears such sound has lips, and rests when it is over", arguments: [Sound.clipped, .music])
  func face(_ sound: Sound) throws {
    let face = try face()
    let samples = try sound.samples()
    face.beginUtterance()
    samples.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: 16_000) }
    face.endUtterance()
    let length = Double(samples.count) / 16_000
    for frame in 0..<Int((length + 0.5) * 50) {
      let time = Double(frame) / 50
      face.advance(to: time, playhead: time < length ? time : nil)
      #expect(face.lipGap.isFinite && face.lipWidth.isFinite)
      for morph in Morph.allCases { #expect(face.pose.morphs[morph].isFinite) }
    }
    #expect(face.pose.morphs[.jawOpen] == 0)
  }

  @Test("a face that hears silence keeps its mouth still", arguments: [8_000, 16_000, 192_000])
  func silence(_ rate: Int) throws {
    for weights in try heard([Float](repeating: 0, count: rate / 2), rate: rate, frames: 50) {
      #expect(weights[0] == 1)
    }
  }

  @Test("the same sound at 8, 48 and 192 kHz moves the mouth alike", arguments: [8_000, 48_000, 192_000])
  func rates(_ rate: Int) throws {
    // What 8 kHz can carry, for all rates.
    let narrow = StreamingResampler.convert(
      AudioClip(samples: try Self.speech.get(), sampleRate: 16_000), to: 8_000)
    let reference = StreamingResampler.convert(narrow, to: 16_000)
    let other = StreamingResampler.convert(narrow, to: rate)
    let count = reference.samples.count / 160 - 2
    let wanted = try heard(reference.samples, rate: 16_000, frames: count)
    let found = try heard(other.samples, rate: rate, frames: count)
    var away: Float = 0
    for (a, b) in zip(wanted, found) { away += zip(a, b).reduce(0) { $0 + abs($1.0 - $1.1) } / 2 }
    // Half the sum of the differences is the share of a frame that another viseme took.
    #expect(away / Float(count) < 0.03)
  }

  @Test("a long stream keeps no frames and no sound that were used")
  func longStream() throws {
    let face = try face()
    let speech = try Self.speech.get()
    face.beginUtterance()
    var early = 0
    var given = 0
    for frame in 0..<400 {
      let time = Double(frame) / 100
      speech.withUnsafeBufferPointer {
        let from = given % ($0.count - 160)
        face.appendAudio(UnsafeBufferPointer(rebasing: $0[from..<from + 160]), sampleRate: 16_000)
      }
      given += 160
      face.advance(to: time, playhead: max(0, time - 0.1))
      if frame == 150 { early = face.bufferedBytes }
    }
    #expect(early > 0)
    #expect(face.bufferedBytes == early)
    #expect(face.feed.mouth?.frames.isEmpty == true)
  }

  @Test("damaged weights are refused by the face with what to do")
  func damaged() throws {
    var bytes = try MouthFixture.mouthBytes()
    bytes[bytes.count / 2] ^= 0x40
    let error = #expect(throws: FaceError.self) {
      try FaceEngine(puppet: SyntheticPuppet.bytes(), mouth: bytes, seed: 1)
    }
    #expect(error?.message.contains("mouth") == true)
    #expect(error?.message.contains("Fetch them again") == true)
  }
}
