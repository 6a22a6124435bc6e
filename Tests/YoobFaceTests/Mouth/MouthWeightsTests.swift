import Testing

@testable import YoobFace

@Suite struct MouthWeightsTests {
  @Test("the shipped weights open and are at most 1.8 MB")
  func shipped() throws {
    let bytes = try MouthFixture.mouthBytes()
    #expect(bytes.count <= 1_800_000)
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
    for layers: UInt8 in [0, 3, 5, 200] {
      var other = bytes
      other[36] = layers
      #expect(throws: MouthError.badShape) { try SpeechToMouth(weights: other) }
    }
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

  @Test("nonsense weights with a right checksum do no harm")
  func nonsense() throws {
    var random = MouthRandom(seed: 12)
    var bytes = try MouthFixture.mouthBytes()
    let end = bytes.count - 8
    for index in 52..<end { bytes[index] = .random(in: 0...255, using: &random) }
    let sum = MouthWeights.checksum(bytes, upTo: end)
    for index in 0..<8 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt64(index))) }
    let mouth = try SpeechToMouth(weights: bytes)
    mouth.push((0..<1_600).map { _ in Float.random(in: -1...1, using: &random) })
    mouth.finish()
    #expect(mouth.frameCount == 10)
    for frame in 0..<10 {
      let morphs = MouthShapes.morphs(of: Array(mouth.frames[(frame * 15)..<(frame * 15 + 15)]))
      #expect(morphs.allSatisfy { 0...1 ~= $0 })
    }
  }

  @Test("every error says what to do")
  func messages() {
    for error in [MouthError.notWeights, .unsupportedVersion(2), .badShape, .damaged] {
      #expect(["Give", "Update", "Fetch"].contains { error.message.contains($0) })
    }
  }
}
