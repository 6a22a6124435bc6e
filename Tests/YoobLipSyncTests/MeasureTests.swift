import Foundation
import Testing
import YoobFace

@testable import YoobLipSync

@Suite("Measuring lips and reading recordings")
struct MeasureTests {
  @Test("Lips are shut when the gap is under 2 % of the width")
  func shut() {
    #expect(LipMeter.Lips(gap: 1.9, width: 100).isShut)
    #expect(!LipMeter.Lips(gap: 2.1, width: 100).isShut)
  }

  @Test("A mouth has moved when gap or width differ by more than 2 % of the width")
  func moved() {
    let rest = LipMeter.Lips(gap: 0, width: 100)
    #expect(!LipMeter.Lips(gap: 1.9, width: 101.9).moved(from: rest))
    #expect(LipMeter.Lips(gap: 2.1, width: 100).moved(from: rest))
    #expect(LipMeter.Lips(gap: 0, width: 97.9).moved(from: rest))
  }

  @Test("A line of a list is read, and a line that is none is refused")
  func list() throws {
    let line = #"""
      {"id":"a","part":"dev","speaker":"s","sex":"f","text":"map","wav":"dev/a.wav","seconds":1.5,
      """# + #""phones":[[0,0.1,"SIL"],[0.1,0.25,"M"]],"heard":[[0,0.2,"P"]],"agreement":0.9}"#
    let found = try Recording.list(Data((line + "\n").utf8))
    #expect(found.count == 1)
    #expect(found[0].phones == [TimedPhone(0, 0.1, "SIL"), TimedPhone(0.1, 0.25, "M")])
    #expect(found[0].heard == [TimedPhone(0, 0.2, "P")])
    #expect(found[0].language == nil)
    #expect(throws: DecodingError.self) { try Recording.list(Data("{}\n".utf8)) }
  }

  @Test(
    "A line whose times cannot be is refused",
    arguments: [
      #""seconds":-1,"phones":[[0,1,"AA"]]"#, #""seconds":1e300,"phones":[[0,1,"AA"]]"#,
      #""seconds":0,"phones":[[0,0,"AA"]]"#, #""seconds":2,"phones":[[0,1e18,"AA"]]"#,
      #""seconds":2,"phones":[[-1,1,"AA"]]"#, #""seconds":2,"phones":[[1,0.5,"AA"]]"#,
      #""seconds":2,"phones":[[1,2,"AA"],[0,1,"P"]]"#, #""seconds":2,"phones":[]"#,
      #""seconds":2,"phones":[[0,1,"AA"]],"heard":[[0,9,"P"]]"#,
    ])
  func impossibleTimes(times: String) {
    let line = #"{"id":"a","part":"dev","speaker":"s","sex":"f","wav":"a.wav",\#(times)}"#
    #expect(throws: DecodingError.self) { try Recording.list(Data(line.utf8)) }
  }

  @Test("A last phone may end a rounding error after the recording")
  func roundedEnd() throws {
    let line =
      #"{"id":"a","part":"dev","speaker":"s","sex":"f","wav":"a.wav","seconds":1.5,"phones":[[0,1.5005,"AA"]]}"#
    #expect(try Recording.list(Data(line.utf8)).count == 1)
  }

  @Test("A line may say the language, and need not say what PocketSphinx hears")
  func listOfVoices() throws {
    let line = #"""
      {"id":"a","part":"voices","speaker":"s","sex":"f","language":"sv","text":"ja","wav":"voices/a.wav",
      """# + #""seconds":1.5,"phones":[[0,0.1,"SIL"]]}"#
    let found = try Recording.list(Data((line + "\n").utf8))
    #expect(found.count == 1 && found[0].language == "sv" && found[0].heard == nil)
  }

  @Test("The Gaussian classifier gives one viseme a frame, the one whose mean is near")
  func gaussian() {
    let size = GaussianMouth.size
    var one = [Float](repeating: 0, count: size * size)
    for k in 0..<size { one[k * (size + 1)] = 1 }
    // Silence: every band lies (log 1e-6 + 5.5) above the follower; only the first coefficient is not 0.
    let silent: Float = (-13.8155 + 5.5) * 6.3246
    var means = [[Float]](repeating: [Float](repeating: 50, count: size), count: 15)
    means[Viseme.sil.rawValue] = [silent] + [Float](repeating: 0, count: size - 1)
    let classifier = GaussianMouth(
      mean: means, precision: [[Float]](repeating: one, count: 15),
      constant: [Float](repeating: 0, count: 15))
    #expect(classifier.isWhole)
    let found = classifier.visemes(of: [Float](repeating: 0, count: 1601))
    #expect(found == [Viseme](repeating: .sil, count: 11))
  }

  @Test("Sound without speech has the length that was asked for, and is the same each time")
  func speechless() {
    for sound in SpeechlessSound.allCases {
      let samples = sound.samples(seconds: 6)
      #expect(samples.count == 96_000)
      #expect(samples == sound.samples(seconds: 6))
      #expect(samples.allSatisfy { abs($0) <= 1 })
      #expect(samples.contains { $0 != 0 } == (sound != .silence))
    }
  }

  @Test("Music and people far away have the loudness of their level, the people 12 dB less")
  func loudness() {
    let limits: [(SpeechlessSound, ClosedRange<Float>)] = [(.music, -33 ... -27), (.voices, -45 ... -39)]
    for (sound, limit) in limits {
      // The last four seconds of twenty have the highest level, -30 dBFS.
      let loud = sound.samples(seconds: 20).suffix(64_000)
      let level = 10 * log10f(loud.reduce(0) { $0 + $1 * $1 } / Float(loud.count))
      #expect(limit ~= level, "\(sound): \(level) dBFS")
    }
  }
}
