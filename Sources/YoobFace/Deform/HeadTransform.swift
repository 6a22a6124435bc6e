/// The turn, perspective and shift of a head, ready to be applied to points.
struct HeadTransform {
  private let column0: SIMD4<Float>
  private let column1: SIMD4<Float>
  private let column2: SIMD4<Float>
  private let pivot: SIMD4<Float>
  private let shift: SIMD2<Float>

  /// Distance of the viewer in canvas units.
  private static let distance: Float = 4000

  init(_ head: HeadPose, pivot: SIMD3<Float>) {
    let (sy, cy) = FaceMath.sincos(head.yaw)
    let (sp, cp) = FaceMath.sincos(head.pitch)
    let (sr, cr) = FaceMath.sincos(head.roll)
    // Roll · pitch · yaw with yaw x' = x cos + z sin, pitch y' = y cos - z sin, roll x' = x cos - y sin.
    column0 = SIMD4(cr * cy + sr * sp * -sy, sr * cy - cr * sp * -sy, cp * -sy, 0)
    column1 = SIMD4(-sr * cp, cr * cp, sp, 0)
    column2 = SIMD4(cr * sy + sr * sp * cy, sr * sy - cr * sp * cy, cp * cy, 0)
    self.pivot = SIMD4(pivot, 0)
    shift = head.shift
  }

  /// Where a point that follows the head completely is seen.
  @inline(__always)
  func apply(_ point: SIMD4<Float>) -> SIMD2<Float> {
    let d = point - pivot
    let q = column0 * d.x + column1 * d.y + column2 * d.z
    let k = 1 / (1 - min(q.z / Self.distance, 0.9))
    return SIMD2(pivot.x + q.x * k + shift.x, pivot.y + q.y * k + shift.y)
  }
}
