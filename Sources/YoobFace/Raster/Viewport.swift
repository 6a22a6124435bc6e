/// The part of the canvas that a frame shows. It is centred in the frame and seen whole.
public enum Viewport: Sendable, Equatable {
  /// All of it.
  case canvas
  /// The square around head and shoulders.
  case squareCrop
  /// A rectangle in canvas units.
  case rectangle(x: Float, y: Float, width: Float, height: Float)

  /// Canvas units to pixels: pixel = canvas × scale + offset.
  func mapping(_ puppet: Puppet, width: Int, height: Int) -> (scale: Float, offset: SIMD2<Float>) {
    let rectangle: SIMD4<Float>
    switch self {
    case .canvas: rectangle = SIMD4(0, 0, puppet.canvasWidth, puppet.canvasHeight)
    case .squareCrop: rectangle = SIMD4(puppet.cropX, puppet.cropY, puppet.cropSize, puppet.cropSize)
    case .rectangle(let x, let y, let w, let h): rectangle = SIMD4(x, y, max(1, w), max(1, h))
    }
    let scale = min(Float(width) / rectangle.z, Float(height) / rectangle.w)
    let centre = SIMD2(rectangle.x + rectangle.z / 2, rectangle.y + rectangle.w / 2)
    return (scale, SIMD2(Float(width) / 2, Float(height) / 2) - centre * scale)
  }
}
