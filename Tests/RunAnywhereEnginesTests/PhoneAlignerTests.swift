import Foundation
import Testing
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
}
