import Testing

@testable import YoobFace

@Suite("Puppet decoder")
struct PuppetDecoderTests {
  @Test("a puppet that was written is read back the same")
  func roundTrip() throws {
    let puppet = SyntheticPuppet.make()
    let read = try PuppetDecoder.decode(PuppetEncoder.encode(puppet))
    #expect(read.vertices == puppet.vertices)
    #expect(read.indices == puppet.indices)
    #expect(read.layers == puppet.layers)
    #expect(read.morphs == puppet.morphs)
    #expect(read.deltas == puppet.deltas)
    #expect(read.springs == puppet.springs)
    #expect(read.landmarks == puppet.landmarks)
    #expect(read.pivot == puppet.pivot)
  }

  private func refusal(_ bytes: [UInt8]) -> PuppetError? {
    do {
      _ = try PuppetDecoder.decode(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func refusal(_ change: (inout Puppet) -> Void) -> PuppetError? {
    var puppet = SyntheticPuppet.make()
    change(&puppet)
    return refusal(PuppetEncoder.encode(puppet))
  }

  @Test("bytes with another magic are no puppet")
  func magic() {
    #expect(refusal(Array("PNGX".utf8) + [UInt8](repeating: 0, count: 200)) == .notAPuppet)
    #expect(refusal([UInt8]()) == .notAPuppet)
  }

  @Test("another version is refused with its number")
  func version() {
    var bytes = SyntheticPuppet.bytes()
    bytes[4] = 9
    #expect(refusal(bytes) == .unsupportedVersion(9))
  }

  @Test("a byte too few or too many is refused")
  func length() {
    let bytes = SyntheticPuppet.bytes()
    #expect(refusal(Array(bytes.dropLast())) == .wrongLength(expected: bytes.count, actual: bytes.count - 1))
    #expect(refusal(bytes + [0]) == .wrongLength(expected: bytes.count, actual: bytes.count + 1))
    #expect(refusal(Array(bytes.prefix(40))) == .wrongLength(expected: 80, actual: 40))
  }

  @Test("an index without a vertex is refused")
  func index() {
    #expect(refusal { $0.indices[5] = 60_000 } == .outOfRange(.indices, entry: 5))
  }

  @Test("a delta without a vertex is refused")
  func delta() {
    #expect(refusal { $0.deltas[1].vertex = 60_000 } == .outOfRange(.deltas, entry: 1))
  }

  @Test("a morph beyond the deltas is refused")
  func morph() {
    #expect(refusal { $0.morphs[0].deltaCount = 10_000 } == .outOfRange(.morphs, entry: 0))
  }

  @Test("a vertex with a spring that is not there is refused")
  func spring() {
    #expect(refusal { $0.vertices[3].spring = 4 } == .outOfRange(.vertices, entry: 3))
  }

  @Test("a landmark without a vertex is refused")
  func landmark() {
    #expect(refusal { $0.landmarks[0].vertex = 60_000 } == .outOfRange(.landmarks, entry: 0))
  }

  @Test("a layer beyond the indices is refused")
  func layer() {
    #expect(refusal { $0.layers[1].firstIndex = 100_000 } == .outOfRange(.layers, entry: 1))
  }

  @Test(
    "a number that is not finite is refused",
    arguments: [Float.nan, .infinity, -.infinity])
  func finite(_ bad: Float) {
    #expect(refusal { $0.vertices[2].position.y = bad } == .notFinite(.vertices))
    #expect(refusal { $0.deltas[0].offset.z = bad } == .notFinite(.deltas))
    #expect(refusal { $0.springs[0].damping = bad } == .notFinite(.springs))
    #expect(refusal { $0.layers[0].opacity = bad } == .notFinite(.layers))
    #expect(refusal { $0.breathAmplitude = bad } == .notFinite(.header))
  }

  @Test("counts above the limits are refused before anything is read")
  func limits() {
    func with(_ field: Int, _ value: UInt32) -> PuppetError? {
      var bytes = SyntheticPuppet.bytes()
      for byte in 0..<4 { bytes[52 + field * 4 + byte] = UInt8(value >> (8 * UInt32(byte)) & 255) }
      return refusal(bytes)
    }
    #expect(with(0, 65_536) == .tooMany(.vertices))
    #expect(with(2, 65_537) == .tooMany(.layers))
    #expect(with(3, 1025) == .tooMany(.morphs))
    #expect(with(5, 257) == .tooMany(.springs))
    #expect(with(1, 0xFFFF_FFFF) == .tooLarge(.indices))
    #expect(with(4, 5_000_000) == .tooLarge(.deltas))
    #expect(with(6, 3_000_000) == .tooLarge(.landmarks))
  }

  @Test("every refusal says what to do")
  func messages() {
    let errors: [PuppetError] = [
      .notAPuppet, .unsupportedVersion(2), .wrongLength(expected: 1, actual: 2), .tooMany(.springs),
      .tooLarge(.deltas), .notFinite(.layers), .outOfRange(.morphs, entry: 3),
    ]
    for error in errors {
      #expect(error.message.hasSuffix("."))
      #expect(error.message.split(separator: ".").count >= 2)
    }
  }

  @Test("damaged bytes are decoded or refused, and what is decoded can be drawn")
  func fuzz() throws {
    let good = SyntheticPuppet.bytes()
    var random = SeededGenerator(seed: 99)
    var refused = 0
    for _ in 0..<400 {
      var bytes = good
      for _ in 0..<(1 + Int(random.next() % 4)) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.chance(0.2) { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      guard let puppet = try? PuppetDecoder.decode(bytes) else {
        refused += 1
        continue
      }
      let deformer = Deformer(puppet)
      var pose = Pose()
      pose.head = HeadPose(yaw: 0.3, pitch: -0.2, roll: 0.1)
      pose.morphs[.jawOpen] = 1
      let angles: [Float] = [0.2]
      angles.withUnsafeBufferPointer { deformer.apply(pose, deflections: $0) }
      #expect(deformer.positions.count == puppet.vertices.count)
    }
    #expect(refused > 0 && refused < 400)
  }
}
