/// Turns a pose into vertex positions. Nothing is allocated after `init`.
public final class Deformer {
  /// Vertices of the puppet.
  public let vertexCount: Int
  /// Weight of each puppet morph in the last `apply`.
  let morphWeights: UnsafeMutablePointer<Float>

  private let bindings: MorphBindings
  private let morphs: [PuppetMorph]
  private let pivot: SIMD3<Float>
  private let breathAmplitude: Float
  private let rest: UnsafeMutablePointer<SIMD4<Float>>
  private let work: UnsafeMutablePointer<SIMD4<Float>>
  private let follow: UnsafeMutablePointer<SIMD2<Float>>
  private let deltas: UnsafeMutablePointer<SIMD4<Float>>
  private let deltaVertices: UnsafeMutablePointer<UInt16>
  private let strands: [StrandVertex]
  private let roots: [SIMD2<Float>]
  private let output: UnsafeMutablePointer<SIMD2<Float>>

  private struct StrandVertex {
    let vertex: Int32
    let spring: Int32
    let weight: Float
  }

  /// A deformer for one puppet; all its memory is taken here.
  public init(_ puppet: Puppet) {
    vertexCount = puppet.vertices.count
    bindings = MorphBindings(puppet)
    morphs = puppet.morphs
    pivot = puppet.pivot
    breathAmplitude = puppet.breathAmplitude
    let count = max(1, vertexCount)
    rest = .allocate(capacity: count)
    work = .allocate(capacity: count)
    follow = .allocate(capacity: count)
    output = .allocate(capacity: count)
    rest.initialize(repeating: .zero, count: count)
    work.initialize(repeating: .zero, count: count)
    follow.initialize(repeating: .zero, count: count)
    output.initialize(repeating: .zero, count: count)
    var strands: [StrandVertex] = []
    for (index, vertex) in puppet.vertices.enumerated() {
      rest[index] = SIMD4(vertex.position, 0)
      follow[index] = SIMD2(vertex.head, vertex.body)
      output[index] = SIMD2(vertex.position.x, vertex.position.y)
      if let spring = vertex.spring, vertex.springWeight > 0 {
        strands.append(
          StrandVertex(vertex: Int32(index), spring: Int32(spring), weight: vertex.springWeight))
      }
    }
    self.strands = strands
    roots = puppet.springs.map { SIMD2($0.root.x, $0.root.y) }
    let deltaCount = max(1, puppet.deltas.count)
    deltas = .allocate(capacity: deltaCount)
    deltaVertices = .allocate(capacity: deltaCount)
    deltas.initialize(repeating: .zero, count: deltaCount)
    deltaVertices.initialize(repeating: 0, count: deltaCount)
    for (index, delta) in puppet.deltas.enumerated() {
      deltas[index] = SIMD4(delta.offset, 0)
      deltaVertices[index] = UInt16(delta.vertex)
    }
    morphWeights = .allocate(capacity: max(1, puppet.morphs.count))
    morphWeights.initialize(repeating: 0, count: max(1, puppet.morphs.count))
  }

  deinit {
    rest.deallocate()
    work.deallocate()
    follow.deallocate()
    deltas.deallocate()
    deltaVertices.deallocate()
    morphWeights.deallocate()
    output.deallocate()
  }

  /// Seen positions of the last `apply`, in canvas units; they live as long as the deformer.
  public var positions: UnsafeBufferPointer<SIMD2<Float>> {
    UnsafeBufferPointer(start: output, count: vertexCount)
  }

  /// Computes the positions for a pose.
  ///
  /// `deflections` has one angle in radians a spring; springs beyond its end hang at rest.
  public func apply(_ pose: Pose, deflections: UnsafeBufferPointer<Float>) {
    work.update(from: rest, count: vertexCount)
    for index in 0..<morphs.count {
      let weight = bindings.weight(index, pose.morphs)
      morphWeights[index] = weight
      if weight > 0.0005 { add(morphs[index], weight) }
    }
    swing(deflections)
    let head = HeadTransform(pose.head, pivot: pivot)
    let lift = pose.breath * breathAmplitude
    for index in 0..<vertexCount {
      let point = work[index]
      let follows = follow[index]
      var seen = SIMD2(point.x, point.y)
      if follows.x > 0 { seen += follows.x * (head.apply(point) - seen) }
      seen.y -= follows.y * lift
      output[index] = seen
    }
  }

  private func add(_ morph: PuppetMorph, _ weight: Float) {
    for index in morph.firstDelta..<(morph.firstDelta + morph.deltaCount) {
      work[Int(deltaVertices[index])] += deltas[index] * weight
    }
  }

  private func swing(_ deflections: UnsafeBufferPointer<Float>) {
    for strand in strands {
      let spring = Int(strand.spring)
      guard spring < deflections.count else { continue }
      let (sin, cos) = FaceMath.sincos(deflections[spring] * strand.weight)
      let root = roots[spring]
      let index = Int(strand.vertex)
      let x = work[index].x - root.x
      let y = work[index].y - root.y
      work[index].x = root.x + x * cos - y * sin
      work[index].y = root.y + x * sin + y * cos
    }
  }
}
