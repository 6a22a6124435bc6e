import Testing

@testable import YoobFace

@Suite struct PhoneMouthTests {
  /// Phones of 100 ms each at 1,000 samples a second.
  private func frames(_ symbols: String..., length: Int = 100) -> [Float] {
    let phones = symbols.enumerated().map { index, symbol in
      MouthPhone(symbol: symbol, start: index * length, end: (index + 1) * length)
    }
    return PhoneMouth.frames(of: phones, sampleRate: 1_000)
  }

  private func weight(_ frames: [Float], _ frame: Int, _ viseme: Viseme) -> Float {
    frames[frame * 15 + viseme.rawValue]
  }

  @Test("weights of every frame sum to one")
  func sums() {
    let track = frames("h", "ə", "l", "O", "", "p", "I", length: 70)
    #expect(track.count == 49 * 15)
    for at in stride(from: 0, to: track.count, by: 15) {
      #expect(abs(track[at..<(at + 15)].reduce(0, +) - 1) < 1e-5)
      #expect(track[at..<(at + 15)].allSatisfy { 0...1 ~= $0 })
    }
  }

  @Test("lips are fully shut for 30 ms at the middle of p, b and m", arguments: ["p", "b", "m"])
  func closure(symbol: String) {
    for length in [30, 60, 100] {
      let phones = [
        MouthPhone(symbol: "ɑ", start: 0, end: 200),
        MouthPhone(symbol: symbol, start: 200, end: 200 + length),
        MouthPhone(symbol: "ɑ", start: 200 + length, end: 400 + length),
      ]
      let track = PhoneMouth.frames(of: phones, sampleRate: 1_000)
      let shut = (0..<(track.count / 15)).filter { weight(track, $0, .PP) > 0.999 }
      #expect(shut.count >= 3, "\(length) ms")
      #expect(shut.allSatisfy { abs($0 * 10 - 200 - length / 2) <= length / 2 + 5 })
    }
  }

  @Test("phones blend into each other within 35 ms")
  func blending() {
    let track = frames("ɑ", "s")
    #expect(weight(track, 5, .aa) > 0.999)
    #expect(abs(weight(track, 10, .aa) - 0.5) < 0.01 && abs(weight(track, 10, .SS) - 0.5) < 0.01)
    #expect(weight(track, 8, .SS) > 0 && weight(track, 6, .SS) == 0)
  }

  @Test(
    "diphthongs show two shapes, in both spellings",
    arguments: [
      ("A", Viseme.E, Viseme.ih), ("I", .aa, .ih), ("O", .oh, .ou), ("W", .aa, .ou), ("Y", .oh, .ih),
      ("aɪ", .aa, .ih), ("oʊ", .oh, .ou),
    ])
  func diphthongs(symbol: String, first: Viseme, second: Viseme) {
    let track = frames(symbol, length: 200)
    #expect(weight(track, 6, first) > 0.9)
    #expect(weight(track, 16, second) > 0.7)
  }

  @Test(
    "every symbol of the voices has a shape",
    arguments: [
      ("ʤ", Viseme.CH), ("ʧ", .CH), ("tʃ", .CH), ("dʒ", .CH), ("ɾ", .DD), ("ᵻ", .ih), ("ɜɹ", .RR),
      ("ᵊ", .aa), ("ə", .aa), ("ŋ", .nn), ("ð", .TH), ("ɡ", .kk), ("w", .ou), ("v", .FF), ("ˈæ", .aa),
      ("ʒ", .CH), ("ɔː", .oh),
    ])
  func symbols(symbol: String, viseme: Viseme) {
    let track = frames(symbol)
    let frame = Array(track[75..<90])
    #expect(frame.firstIndex(of: frame.max() ?? 0) == viseme.rawValue)
  }

  @Test("h shows the vowel that follows")
  func borrowing() {
    #expect(weight(frames("h", "u"), 4, .ou) > 0.9)
  }

  @Test("punctuation and uncovered time are silence")
  func silence() {
    let track = frames("ɑ", ",", "", "ɑ")
    #expect(weight(track, 20, .sil) > 0.999)
  }

  @Test("a gap too short to shut the mouth is bridged")
  func bridging() {
    let phones = [
      MouthPhone(symbol: "ɑ", start: 0, end: 100), MouthPhone(symbol: "i", start: 150, end: 250),
    ]
    let track = PhoneMouth.frames(of: phones, sampleRate: 1_000)
    #expect(weight(track, 12, .sil) < 0.01)
  }

  @Test("the track is as long as the speech")
  func length() {
    let phones = [MouthPhone(symbol: "m", start: 0, end: 2_400)]
    #expect(PhoneMouth.frames(of: phones, sampleRate: 24_000, length: 24_100).count == 101 * 15)
    #expect(PhoneMouth.frames(of: [], sampleRate: 24_000).isEmpty)
    #expect(PhoneMouth.frames(of: phones, sampleRate: 0).isEmpty)
  }

  @Test("phones in disorder give frames all the same")
  func disorder() {
    var random = MouthRandom(seed: 4)
    for _ in 0..<300 {
      let phones = (0..<6).map { _ in
        MouthPhone(
          symbol: ["p", "h", "I", "", "✗", "tʃ"].randomElement(using: &random) ?? "",
          start: .random(in: -500...2_000, using: &random), end: .random(in: -500...2_000, using: &random))
      }
      let track = PhoneMouth.frames(of: phones, sampleRate: 1_000)
      for at in stride(from: 0, to: track.count, by: 15) {
        #expect(abs(track[at..<(at + 15)].reduce(0, +) - 1) < 1e-4)
      }
    }
  }
}
