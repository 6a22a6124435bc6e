/// Where the sound of a WAV file lies, for a file that is read in pieces.
///
/// ```swift
/// let outline = try WAVOutline(size: file.size) { file.bytes(at: $0, count: $1) }
/// let first = outline.bytes(of: 0..<min(16_000, outline.sampleCount))
/// let samples = outline.samples(of: file.bytes(at: first.lowerBound, count: first.count))
/// ```
public struct WAVOutline: Sendable {
  /// Samples of one channel.
  public let sampleCount: Int
  /// Samples per second.
  public var sampleRate: Int { format.rate }

  let format: WAVFormat
  /// The data chunk in bytes of the file.
  let data: Range<Int>

  /// Walks the chunks of a file of `size` bytes. `read` gives the bytes at an offset, fewer where the file ends.
  public init(
    size: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]
  ) throws(WAVError) {
    (format, data) = try WAVReader(size: size, read: read).find()
    sampleCount = data.count / (format.channels * format.width)
  }

  /// Where in the file a range of samples lies.
  public func bytes(of samples: Range<Int>) -> Range<Int> {
    let block = format.channels * format.width
    return data.lowerBound + samples.lowerBound * block..<data.lowerBound + samples.upperBound * block
  }

  /// Samples of bytes that `bytes(of:)` named, as `WAV.decode` gives them.
  public func samples(of bytes: [UInt8]) -> [Float] { format.samples(of: bytes, in: bytes.indices) }
}
