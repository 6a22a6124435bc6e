import Foundation
import Testing
import VoiceAudio
import VoiceIO

@testable import RunAnywhereHibari

@Suite("Phone borders") struct PhoneAlignerTests {
  @Test("the model knows every phone that the front end writes")
  func alphabet() {
    for symbol in PhoneClass.vowels.union(PhoneClass.consonants) {
      let isKnown = PhoneModel.luna.knows(String(Character(symbol)))
      #expect(isKnown, "\(symbol)")
    }
    #expect(!PhoneModel.luna.knows("x"))
    #expect(PhoneModel.luna.row(of: "x") == PhoneModel.luna.row(of: ""))
  }

  @Test("a border moves to where a tone begins in the silence between two phones")
  func moves() {
    // An /s/-like hiss after an /m/-like hum, with the border named 60 ms late.
    var random = SystemRandomNumberGenerator()
    var samples: [Float] = (0..<7_200).map { index in
      let time = Float(index) / 24_000
      return 0.2 * (Float(sin(Double(time) * 2 * .pi * 200)) + 0.4 * Float(sin(Double(time) * 2 * .pi * 400)))
    }
    samples += (0..<7_200).map { _ in Float.random(in: -0.1...0.1, using: &random) }
    let phones = [
      PhoneTiming(symbol: "m", start: 0, end: 8_640), PhoneTiming(symbol: "s", start: 8_640, end: 14_400),
    ]
    let better = PhoneAligner().refined(phones, samples: samples, sampleRate: 24_000)
    #expect(better.map(\.symbol) == ["m", "s"])
    #expect(better[0].start == 0 && better[1].end == 14_400 && better[0].end == better[1].start)
    #expect(abs(better[0].end - 7_200) <= 480, "\(better[0].end)")
  }

  @Test("phones that leave no room, or no phones, stay as they are")
  func refusals() {
    let aligner = PhoneAligner()
    #expect(aligner.refined([], samples: [], sampleRate: 24_000).isEmpty)
    let crowd = (0..<30).map { PhoneTiming(symbol: "t", start: $0 * 10, end: $0 * 10 + 10) }
    let same = aligner.refined(crowd, samples: [Float](repeating: 0.1, count: 300), sampleRate: 24_000)
    #expect(same.map(\.start) == crowd.map(\.start))
    let silence = [PhoneTiming(symbol: "", start: 0, end: 2_400)]
    #expect(
      aligner.refined(silence, samples: [Float](repeating: 0, count: 2_400), sampleRate: 24_000).count == 1)
  }

  @Test("whatever phones and sound are given, their times stay in order and within the speech")
  func anyPhones() {
    var random = SplitMix64(seed: 5)
    let symbols = ["", "m", "s", "A", "t", "x"]
    var moved = 0
    for round in 0..<60 {
      let rate = [8_000, 24_000, 44_100][round % 3]
      let count = Int.random(in: 0...rate / 2, using: &random)
      let isBroken = round % 5 == 0
      let samples = (0..<count).map {
        isBroken && $0 % 997 == 0 ? Float.nan : .random(in: -1...1, using: &random)
      }
      var phones: [PhoneTiming] = []
      var time = 0
      while time < count {
        let end = min(count, time + Int.random(in: 1...rate / 8, using: &random))
        phones.append(PhoneTiming(symbol: symbols.randomElement(using: &random) ?? "", start: time, end: end))
        time = end
      }
      if isBroken { phones.shuffle(using: &random) }
      let better = PhoneAligner().refined(phones, samples: samples, sampleRate: rate)
      #expect(better.map(\.symbol) == phones.map(\.symbol))
      guard !isBroken else { continue }
      #expect(better.allSatisfy { $0.start <= $0.end } && better.first?.start == phones.first?.start)
      #expect(zip(better, better.dropFirst()).allSatisfy { $0.end == $1.start })
      #expect(better.last?.end == phones.last?.end)
      moved += better == phones ? 0 : 1
    }
    #expect(moved > 20)
  }
}
