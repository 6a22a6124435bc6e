/// The strands of a puppet: each swings behind the motion of its root, with a light wind that never stops.
///
/// Integrated in fixed steps of `step` seconds, so that the motion is the same at any frame rate.
struct Springs {
  /// Seconds of one step.
  static let step: Float = 1 / 240

  private struct Strand {
    /// Unit vector along which a positive angle moves the tip.
    var across = SIMD2<Float>(0, 0)
    /// How much gravity turns the strand back when the head rolls; negative for strands that stand up.
    var hang: Float = 0
    var root = SIMD4<Float>(repeating: 0)
    var head: Float = 0
    var length: Float = 1
    var stiffness: Float = 0
    var damping: Float = 0
    var maxAngle: Float = 0
    var windPhase: Double = 0
    var windRate: Double = 0
    /// Tip displacement from rest along `across`, relative to the root, and its speed in the picture.
    var offset: Float = 0
    var speed: Float = 0
    /// The root's last place along `across`.
    var place: Float = 0
  }

  private var strands: [Strand]
  private let pivot: SIMD3<Float>
  /// Angles in radians after the last two steps.
  private(set) var previous: [Float]
  private(set) var current: [Float]

  init(_ puppet: Puppet, seed: UInt64) {
    pivot = puppet.pivot
    var random = SeededGenerator(seed: seed ^ 0x5350_5249_4E47)
    strands = []
    strands.reserveCapacity(puppet.springs.count)
    for (index, spring) in puppet.springs.enumerated() {
      var strand = Strand()
      var direction = SIMD2<Float>(0, 0)
      var head: Float = 0
      var weights: Float = 0
      for vertex in puppet.vertices where vertex.spring == index {
        let arm = SIMD2(vertex.position.x - spring.root.x, vertex.position.y - spring.root.y)
        direction += arm * vertex.springWeight
        head += vertex.head * vertex.springWeight
        weights += vertex.springWeight
      }
      let size = (direction * direction).sum().squareRoot()
      direction = size > 0.001 ? direction / size : SIMD2(0, 1)
      strand.across = SIMD2(-direction.y, direction.x)
      strand.hang = direction.y
      strand.head = weights > 0 ? head / weights : 1
      strand.root = SIMD4(spring.root, 0)
      strand.length = max(1, spring.length)
      // Within these bounds the integration is stable at its step.
      strand.stiffness = min(max(spring.stiffness, 1), 10_000)
      strand.damping = min(max(spring.damping, 0.1), 120)
      strand.maxAngle = min(max(spring.maxAngle, 0), 1.5)
      strand.windPhase = Double(random.unit())
      strand.windRate = Double(random.between(0.8, 1.25))
      strands.append(strand)
    }
    previous = [Float](repeating: 0, count: puppet.springs.count)
    current = previous
  }

  /// Hangs every strand at rest under a head in this pose.
  mutating func settle(_ head: HeadPose) {
    let transform = HeadTransform(head, pivot: pivot)
    for index in 0..<strands.count {
      strands[index].place = place(of: strands[index], transform, head)
      strands[index].offset = 0
      strands[index].speed = 0
      previous[index] = 0
      current[index] = 0
    }
  }

  /// Advances by one step to the given head pose; `time` in seconds moves the wind, `wind` scales it.
  mutating func advance(to head: HeadPose, time: Double, wind: Float) {
    let transform = HeadTransform(head, pivot: pivot)
    let h = Self.step
    for index in 0..<strands.count {
      var strand = strands[index]
      let place = place(of: strand, transform, head)
      var move = place - strand.place
      strand.place = place
      // A root that jumps carries its strand along.
      if move > strand.length || move < -strand.length { move = 0 }
      let breeze = Self.breeze(time * strand.windRate + strand.windPhase * 40) * wind * 0.02
      let fall = -0.55 * head.roll * strand.hang * strand.head
      let goal = (breeze + fall) * strand.length
      strand.offset -= move
      let drag = strand.speed - 0.55 * move / h
      let force = -strand.stiffness * (strand.offset - goal) - strand.damping * drag
      strand.speed += force * h
      strand.offset += strand.speed * h
      let limit = 3 * strand.length
      if !(strand.offset > -limit && strand.offset < limit) {
        strand.offset = 0
        strand.speed = 0
      }
      strands[index] = strand
      previous[index] = current[index]
      current[index] = FaceMath.soft(strand.offset / strand.length, limit: strand.maxAngle)
    }
  }

  /// Writes the angles between the last two steps, `part` of the way.
  func read(_ part: Float, into angles: UnsafeMutableBufferPointer<Float>) {
    for index in 0..<min(angles.count, current.count) {
      angles[index] = previous[index] + (current[index] - previous[index]) * part
    }
  }

  private func place(of strand: Strand, _ transform: HeadTransform, _ head: HeadPose) -> Float {
    let rest = SIMD2(strand.root.x, strand.root.y)
    let seen = rest + strand.head * (transform.apply(strand.root) - rest)
    return (seen * strand.across).sum()
  }

  /// Slow gusts in about ±1 that do not repeat.
  private static func breeze(_ time: Double) -> Float {
    0.5 * FaceMath.sin(turns: time * 0.23) + 0.3 * FaceMath.sin(turns: time * 0.391 + 0.3)
      + 0.25 * FaceMath.sin(turns: time * 0.867 + 0.7)
  }
}
