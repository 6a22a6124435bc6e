import Testing
import YoobFace

@testable import YoobLipSync

@Suite("Visual classes")
struct VisualClassTests {
  @Test("Every viseme has the class that a viewer sees")
  func classes() {
    let expected: [(Viseme, VisualClass)] = [
      (.sil, .rest), (.PP, .shut), (.FF, .teeth), (.TH, .tongue), (.DD, .tongue), (.kk, .tongue),
      (.CH, .pursed), (.SS, .tongue), (.nn, .tongue), (.RR, .pursed), (.aa, .open), (.E, .wide),
      (.ih, .wide), (.oh, .round), (.ou, .round),
    ]
    #expect(expected.count == Viseme.allCases.count)
    for (viseme, shown) in expected { #expect(VisualClass(viseme) == shown) }
  }

  @Test("A frame shows the phone that sounds at its moment, and silence outside of all phones")
  func labels() {
    // "map" without its vowel's second half: M 20-50 ms, AE 50-75 ms, P 90-110 ms.
    let phones = [TimedPhone(0.02, 0.05, "M"), TimedPhone(0.05, 0.075, "AE"), TimedPhone(0.09, 0.11, "P")]
    let labels = Arpabet.labels(phones, count: 12)
    #expect(labels == [.sil, .sil, .PP, .PP, .PP, .aa, .aa, .aa, .sil, .PP, .PP, .sil])
  }

  @Test("A diphthong is split evenly and h borrows the shape of the sound after it")
  func diphthong() {
    let phones = [TimedPhone(0, 0.02, "HH"), TimedPhone(0.02, 0.06, "OW"), TimedPhone(0.06, 0.07, "HH")]
    #expect(Arpabet.labels(phones, count: 7) == [.oh, .oh, .oh, .oh, .ou, .ou, .aa])
  }

  @Test("What is no phone is silence, and phones beyond the end are cut")
  func silence() {
    let phones = [TimedPhone(0, 0.02, "SIL"), TimedPhone(0.02, 0.9, "S")]
    #expect(Arpabet.labels(phones, count: 3) == [.sil, .sil, .SS])
  }

  @Test(
    "Every phone has IPA that PhoneMouth shows as the same viseme",
    arguments: [
      ("P", Viseme.PP), ("V", .FF), ("DH", .TH), ("D", .DD), ("G", .kk), ("JH", .CH), ("Z", .SS), ("NG", .nn),
      ("ER", .RR), ("AA", .aa), ("EH", .E), ("IY", .ih), ("AO", .oh), ("UW", .ou),
    ])
  func ipa(name: String, viseme: Viseme) {
    let phone = MouthPhone(symbol: Arpabet.ipa(name), start: 0, end: 3200)
    let frames = PhoneMouth.frames(of: [phone], sampleRate: 16_000)
    let middle = Array(frames[150..<165])
    #expect(middle.indices.max { middle[$0] < middle[$1] } == viseme.rawValue)
  }

  @Test("a mixture shows the class that weighs most, by its strongest viseme")
  func mixtures() {
    var weights = [Float](repeating: 0, count: 30)
    weights[Viseme.aa.rawValue] = 0.4
    weights[Viseme.SS.rawValue] = 0.25
    weights[Viseme.DD.rawValue] = 0.35
    weights[15 + Viseme.ou.rawValue] = 1
    #expect(VisualClass.shown(weights, frame: 0) == .DD)
    #expect(VisualClass.shown(weights, frame: 1) == .ou)
    #expect(VisualClass.shown(weights, frame: 2) == .sil)
  }
}
