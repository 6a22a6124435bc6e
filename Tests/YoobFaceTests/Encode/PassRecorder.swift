@testable import YoobFace

/// Buffers for an encoder, and what the last frame left in them.
final class PassRecorder {
  private(set) var encoder: FaceEncoder
  private let passStore: UnsafeMutableBufferPointer<FacePass>
  private let drawStore: UnsafeMutableBufferPointer<FaceDraw>
  private let numberStore: UnsafeMutableRawBufferPointer
  private let stride: Int
  private var counts = (passes: 0, draws: 0)

  init(_ encoder: FaceEncoder, stride: Int = 64, mostPasses: Int? = nil, mostDraws: Int? = nil) {
    self.encoder = encoder
    self.stride = stride
    passStore = .allocate(capacity: mostPasses ?? encoder.mostPasses)
    drawStore = .allocate(capacity: mostDraws ?? encoder.mostDraws)
    numberStore = .allocate(byteCount: encoder.mostDraws * stride, alignment: 16)
    passStore.initialize(repeating: FacePass())
    drawStore.initialize(repeating: FaceDraw())
  }

  deinit {
    passStore.deallocate()
    drawStore.deallocate()
    numberStore.deallocate()
  }

  var buffers: FacePassBuffers {
    FacePassBuffers(passes: passStore, draws: drawStore, numbers: numberStore, stride: stride)
  }

  func encode(
    _ positions: UnsafeBufferPointer<SIMD2<Float>>, _ draws: UnsafeBufferPointer<DrawCommand>,
    layout: FaceLayout, width: Int, height: Int
  ) {
    counts = encoder.encode(
      positions: positions, draws: draws, layout: layout, width: width, height: height, into: buffers)
  }

  /// The passes of the last frame, in order.
  var passes: [FacePass] { Array(passStore[..<counts.passes]) }
  /// Its draws, in order.
  var draws: [FaceDraw] { Array(drawStore[..<counts.draws]) }

  /// The 16 numbers of a draw.
  func numbers(_ draw: Int) -> [Float] {
    (0..<FaceEncoder.numberCount).map {
      numberStore.load(fromByteOffset: draw * stride + $0 * 4, as: Float.self)
    }
  }
}
