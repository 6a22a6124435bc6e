import Testing

@testable import YoobFace

@Suite("Deformation")
struct DeformerTests {
  private let puppet = SyntheticPuppet.make()
  private let still: [Float] = [0]

  private func positions(_ pose: Pose, _ angles: [Float] = [0]) -> [SIMD2<Float>] {
    let deformer = Deformer(puppet)
    angles.withUnsafeBufferPointer { deformer.apply(pose, deflections: $0) }
    return Array(deformer.positions)
  }

  private func vertex(_ landmark: StaticString) throws -> Int { try #require(puppet.landmark(landmark)) }

  @Test("a neutral pose leaves every vertex where it rests")
  func neutral() {
    for (seen, vertex) in zip(positions(Pose()), puppet.vertices) {
      // Perspective moves what is nearer than the pivot, but only away from it.
      if vertex.head == 0 { #expect(seen == SIMD2(vertex.position.x, vertex.position.y)) }
      if vertex.head == 1 {
        let k = 1 / (1 - (vertex.position.z - puppet.pivot.z) / 4000)
        #expect(abs(seen.x - (540 + (vertex.position.x - 540) * k)) < 0.01)
      }
    }
  }

  @Test("yaw turns the face to the viewer's right, pitch up, and roll clockwise")
  func rotation() throws {
    let nose = try #require(
      puppet.vertices.indices.max { puppet.vertices[$0].position.z < puppet.vertices[$1].position.z })
    let eye = try vertex("eyeLeft")
    let rest = positions(Pose())
    var pose = Pose()
    pose.head = HeadPose(yaw: 0.3, pitch: 0, roll: 0)
    #expect(positions(pose)[nose].x > rest[nose].x + 20)
    pose.head = HeadPose(yaw: 0, pitch: 0.3, roll: 0)
    #expect(positions(pose)[nose].y < rest[nose].y - 20)
    pose.head = HeadPose(yaw: 0, pitch: 0, roll: 0.3)
    #expect(positions(pose)[eye].y > rest[eye].y + 10)
  }

  @Test("a turned head keeps its size: distances in depth and plane are those of a rotation")
  func rigid() {
    let head = HeadTransform(HeadPose(yaw: 0.4, pitch: -0.3, roll: 0.2), pivot: SIMD3(0, 0, 0))
    // Directions through the pivot, seen from far away along each axis, keep orthonormal columns.
    let far: Float = 0.01
    let x = head.apply(SIMD4(far, 0, 0, 0))
    let y = head.apply(SIMD4(0, far, 0, 0))
    let z = head.apply(SIMD4(0, 0, far, 0))
    let rows = (x.x * x.x + y.x * y.x + z.x * z.x) / (far * far)
    #expect(abs(rows - 1) < 0.001)
    let mixed = (x.x * x.y + y.x * y.y + z.x * z.y) / (far * far)
    #expect(abs(mixed) < 0.001)
  }

  @Test("a morph moves its vertices by its weight")
  func morph() throws {
    let lower = try vertex("lipLower")
    let rest = positions(Pose())
    var pose = Pose()
    pose.morphs[.jawOpen] = 0.5
    let half = positions(pose)[lower].y - rest[lower].y
    pose.morphs[.jawOpen] = 1
    let full = positions(pose)[lower].y - rest[lower].y
    #expect(full > 70)
    #expect(abs(full - 2 * half) < 0.5)
  }

  @Test("weights beyond 0...1 count as 0 or 1")
  func clamped() throws {
    let lower = try vertex("lipLower")
    var pose = Pose()
    pose.morphs[.jawOpen] = 1
    let full = positions(pose)[lower]
    pose.morphs[.jawOpen] = 3
    #expect(positions(pose)[lower] == full)
    pose.morphs[.jawOpen] = -2
    #expect(positions(pose)[lower] == positions(Pose())[lower])
  }

  @Test("a corrective has the product of its two weights")
  func corrective() {
    let bindings = MorphBindings(puppet)
    var weights = MorphWeights()
    weights[.jawOpen] = 0.5
    #expect(bindings.weight(2, weights) == 0)
    weights[.mouthPucker] = 0.5
    #expect(bindings.weight(2, weights) == 0.25)
  }

  @Test("a morph of an unknown name never moves")
  func unknownMorph() {
    var odd = puppet
    odd.morphs[0].name = PuppetName("thirdEye")
    odd.morphs[1].name = PuppetName("jawOpen*thirdEye")
    let bindings = MorphBindings(odd)
    var weights = MorphWeights()
    weights.lanes = SIMD64(repeating: 1)
    #expect(bindings.weight(0, weights) == 0)
    #expect(bindings.weight(1, weights) == 0)
  }

  @Test("a deflected strand keeps its root and turns its tip")
  func strand() throws {
    let tip = try #require(puppet.vertices.firstIndex { $0.springWeight == 1 })
    let root = try #require(puppet.vertices.firstIndex { $0.spring == 0 && $0.springWeight == 0 })
    let rest = positions(Pose())
    let swung = positions(Pose(), [0.3])
    #expect(swung[root] == rest[root])
    #expect(swung[tip].x < rest[tip].x - 100)
  }

  @Test("breathing in lifts what follows the body")
  func breath() throws {
    let eye = try vertex("eyeLeft")
    var pose = Pose()
    pose.breath = 1
    #expect(abs(positions(Pose())[eye].y - positions(pose)[eye].y - puppet.breathAmplitude) < 0.001)
  }
}
