import Testing

@testable import YoobFace

@Suite struct MouthWeightsTests {
  @Test("the shipped weights open and are at most 400 KB")
  func shipped() throws {
    let bytes = try MouthFixture.mouthBytes()
    #expect(bytes.count <= 400_000)
    _ = try SpeechToMouth(weights: bytes)
  }

  @Test("no bytes, other files, other versions and cut files are refused with their own error")
  func refusals() throws {
    let bytes = try MouthFixture.mouthBytes()
    #expect(throws: MouthError.notWeights) { try SpeechToMouth(weights: []) }
    #expect(throws: MouthError.notWeights) { try SpeechToMouth(weights: Array("RIFF....WAVE".utf8)) }
    var newer = bytes
    newer[4] = 9
    #expect(throws: MouthError.unsupportedVersion(9)) { try SpeechToMouth(weights: newer) }
    #expect(throws: MouthError.badShape) { try SpeechToMouth(weights: bytes.dropLast()) }
    #expect(throws: MouthError.damaged) { try SpeechToMouth(weights: Array(bytes.prefix(40))) }
    var huge = bytes
    huge[27] = 0xFF
    #expect(throws: MouthError.badShape) { try SpeechToMouth(weights: huge) }
    var zeros = bytes
    for index in 60..<zeros.count { zeros[index] = 0 }
    #expect(throws: MouthError.damaged) { try SpeechToMouth(weights: zeros) }
  }

  @Test("every changed byte is noticed")
  func fuzz() throws {
    let bytes = try MouthFixture.mouthBytes()
    var random = MouthRandom(seed: 11)
    for round in 0..<200 {
      var changed = bytes
      let span = round < 100 ? 52 : bytes.count
      let at = Int.random(in: 0..<span, using: &random)
      changed[at] ^= UInt8.random(in: 1...255, using: &random)
      if round % 4 == 3 { changed.removeLast(Int.random(in: 0..<changed.count, using: &random)) }
      #expect(throws: MouthError.self) { try SpeechToMouth(weights: changed) }
    }
  }

  @Test("every error says what to do")
  func messages() {
    for error in [MouthError.notWeights, .unsupportedVersion(2), .badShape, .damaged] {
      #expect(["Give", "Update", "Fetch"].contains { error.message.contains($0) })
    }
  }
}
