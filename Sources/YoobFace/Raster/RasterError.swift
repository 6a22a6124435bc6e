/// Why a renderer could not be made.
public enum RasterError: Error, Sendable, Equatable {
  /// The atlas has another size than the puppet says.
  case atlasSize(expectedWidth: Int, expectedHeight: Int, width: Int, height: Int)
  /// The frame is not within 1...8192 pixels a side.
  case frameSize

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .atlasSize(let expectedWidth, let expectedHeight, let width, let height):
      "This atlas has \(width) x \(height) pixels and the puppet asks for \(expectedWidth) x "
        + "\(expectedHeight). Take both from the same pack."
    case .frameSize: "A frame has 1 to 8192 pixels a side. Choose another size."
    }
  }
}
