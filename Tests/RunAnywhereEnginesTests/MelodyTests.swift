import Foundation
import RunAnywhere
import Testing
import VoiceIO
import YoobFace

/// Luna's voice and Luna's face together.
@Suite("Melody of the voice on the face")
struct MelodyTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func face() throws -> FaceEngine {
    let puppet = root.appendingPathComponent("characters/luna-anime/pack/puppet.bin")
    return try FaceEngine(puppet: [UInt8](Data(contentsOf: puppet)), mouth: [], seed: 1)
  }

  /// Nods (down is positive) and brows at 60 frames a second, beside a face without the melody.
  private static func play(_ speech: SynthesizedSpeech) throws -> (nods: [Float], brows: [Float]) {
    let (plain, melodic) = (try face(), try face())
    let mouth = PhoneMouth.frames(
      of: speech.phones.map { MouthPhone(symbol: $0.symbol, start: $0.start, end: $0.end) },
      sampleRate: speech.sampleRate, length: speech.samples.count)
    for face in [plain, melodic] {
      face.beginUtterance()
      mouth.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    }
    speech.prosody.interleaved.withUnsafeBufferPointer { melodic.appendProsody($0, startFrame: 0) }
    var (nods, brows): ([Float], [Float]) = ([], [])
    for step in 0..<speech.samples.count * 60 / speech.sampleRate {
      let time = Double(step) / 60
      for face in [plain, melodic] { face.advance(to: time, playhead: time) }
      nods.append(plain.pose.head.pitch - melodic.pose.head.pitch)
      brows.append(melodic.pose.morphs[.browInnerUp] - plain.pose.morphs[.browInnerUp])
    }
    return (nods, brows)
  }

  @Test(
    "the strongest nod of a sentence falls into its emphasised word",
    arguments: [
      ("Are you REALLY going to the station tonight?", "REALLY"),
      ("I really think we should leave early, because the train will not wait.", "really"),
      ("It will rain tomorrow, though.", "rain"),
    ])
  func emphasis(text: String, word: String) async throws {
    let speech = try await TestModels.say(text)
    let time = try #require(speech.words.first { $0.text.hasPrefix(word) })
    let nods = try Self.play(speech).nods
    let lowest = try #require(nods.indices.max { nods[$0] < nods[$1] })
    #expect(nods[lowest] > 0.015)
    let place = Double(lowest) / 60 * Double(speech.sampleRate)
    let margin = Double(speech.sampleRate) * 0.08
    #expect(place > Double(time.start) - margin && place < Double(time.end) + margin)
  }

  @Test("brows are up at the end of a yes/no question and not at that of a question with a question word")
  func questions() async throws {
    let asked = try await TestModels.say("Are you really going to the station tonight?")
    let word = try #require(asked.words.last)
    #expect(try Self.play(asked).brows[(word.end - 1) * 60 / asked.sampleRate - 1] > 0.3)
    let other = try await TestModels.say("What time is it?")
    let last = try #require(other.words.last)
    #expect(try Self.play(other).brows[(last.end - 1) * 60 / other.sampleRate - 1] < 0.05)
  }
}
