import YoobFace
import YoobPack
import YoobPicture

/// Draws the frames of a film: a character, what is behind it, and the part of the canvas that is shown.
public final class FrameRenderer {
  /// What stands behind the character.
  public enum Background: Sendable {
    /// The character's own.
    case own
    /// A picture of the frame's size.
    case picture(Picture)
    /// Nothing; frames keep their transparency.
    case none
  }

  /// The part of the canvas that is shown.
  public enum Framing: Sendable {
    /// The whole canvas.
    case canvas
    /// Head and shoulders, in a square or, with more room at the sides, in a wider frame.
    case headAndShoulders
    /// The face alone, in a square.
    case face
  }

  public let width: Int
  public let height: Int
  private let background: Background
  private let rasterizer: CPURasterizer
  private let frame: UnsafeMutableRawBufferPointer
  private let ownColumns: Range<Int>

  /// A renderer of frames of `width` x `height` pixels.
  public init(
    puppet: Puppet, atlas: PixelImage, width: Int, height: Int, framing: Framing,
    background: Background
  ) throws(RasterError) {
    self.width = width
    self.height = height
    self.background = background
    let viewport: Viewport
    switch framing {
    case .canvas:
      viewport = .canvas
      ownColumns = 0..<width
    case .headAndShoulders:
      viewport = .squareCrop
      let side = min(width, height)
      ownColumns = (width - side) / 2..<(width + side) / 2
    case .face:
      viewport = Self.face(of: puppet)
      ownColumns = 0..<width
    }
    rasterizer = try CPURasterizer(
      puppet: puppet, atlas: atlas, width: width, height: height, viewport: viewport)
    if case .own = background {} else { rasterizer.drawsBackground = false }
    frame = .allocate(byteCount: width * height * 4, alignment: 16)
  }

  deinit { frame.deallocate() }

  /// Draws the face as it is now: RGBA, straight alpha, rows from the top; valid until the next call.
  public func render(_ face: FaceEngine) -> UnsafeRawBufferPointer {
    rasterizer.render(face)
    let drawn = rasterizer.pixels
    switch background {
    case .own:
      guard ownColumns.count < width else { return drawn }
      frame.copyMemory(from: drawn)
      widen()
    case .picture(let picture):
      compose(drawn, over: picture)
    case .none:
      unpremultiply(drawn)
    }
    return UnsafeRawBufferPointer(frame)
  }

  /// The square from the chin to the brows, measured by the mouth; all of the crop without landmarks.
  private static func face(of puppet: Puppet) -> Viewport {
    guard let left = puppet.landmark("mouthLeft"), let right = puppet.landmark("mouthRight") else {
      return .squareCrop
    }
    let (a, b) = (puppet.vertices[left].position, puppet.vertices[right].position)
    let side = 6 * max(1, abs(a.x - b.x))
    return .rectangle(
      x: (a.x + b.x - side) / 2, y: (a.y + b.y) / 2 - 0.71 * side, width: side, height: side)
  }

  /// Continues the outermost columns of the canvas to the frame's edges.
  private func widen() {
    let pixels = frame.bindMemory(to: UInt32.self)
    for row in 0..<height {
      let line = row * width
      let left = pixels[line + ownColumns.lowerBound + 1]
      let right = pixels[line + ownColumns.upperBound - 2]
      for column in 0...ownColumns.lowerBound { pixels[line + column] = left }
      for column in ownColumns.upperBound - 1..<width { pixels[line + column] = right }
    }
  }

  private func compose(_ drawn: UnsafeRawBufferPointer, over picture: Picture) {
    picture.pixels.withUnsafeBufferPointer { behind in
      for pixel in stride(from: 0, to: frame.count, by: 4) {
        let rest = 255 - UInt32(drawn[pixel + 3])
        for channel in 0..<3 {
          let below = (UInt32(behind[pixel + channel]) * rest + 127) / 255
          frame[pixel + channel] = UInt8(min(255, UInt32(drawn[pixel + channel]) + below))
        }
        frame[pixel + 3] = 255
      }
    }
  }

  private func unpremultiply(_ drawn: UnsafeRawBufferPointer) {
    for pixel in stride(from: 0, to: frame.count, by: 4) {
      let alpha = UInt32(drawn[pixel + 3])
      for channel in 0..<3 {
        let value = UInt32(drawn[pixel + channel])
        frame[pixel + channel] = alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
      }
      frame[pixel + 3] = UInt8(alpha)
    }
  }
}
