/// Walks the chunks of a WAV file to its sound.
struct WAVReader {
  let size: Int
  /// Bytes at an offset, fewer where the file ends.
  let read: (_ offset: Int, _ count: Int) -> [UInt8]

  /// The format of the sound, and where its bytes lie.
  func find() throws(WAVError) -> (WAVFormat, Range<Int>) {
    guard size >= 12, isContainer, tag(at: 8) == WAVReader.wave else { throw .notWAV }
    var position = 12
    var format: WAVFormat?
    var sawChunk = false
    while position + 8 <= size {
      sawChunk = true
      let name = tag(at: position)
      let length = word(at: position + 4)
      let start = position + 8
      if name == WAVReader.fmt {
        format = try WAVFormat(read(start, 40), start: 0, size: length)
      } else if name == WAVReader.data {
        guard let format else { throw .missingFormat }
        return (format, start..<dataEnd(start: start, length: length))
      }
      position = next(after: start, length: length)
    }
    if format != nil { throw .missingData }
    throw sawChunk ? .missingFormat : .truncated
  }

  private func dataEnd(start: Int, length: Int) -> Int {
    // A length of 0xFFFFFFFF means a stream that was never closed; as an `Int` of 32 bits it is the largest.
    let open = length == 0 || length == Int(clamping: UInt32.max) || length > size - start
    return open ? size : start + length
  }

  /// Start of the chunk that follows. A writer that forgot the padding byte after an odd size is
  /// recognised by the next chunk's name standing where the padding should be.
  private func next(after start: Int, length: Int) -> Int {
    guard length <= size - start else { return size }
    let end = start + length
    guard length % 2 == 1 else { return end }
    guard end + 8 <= size else { return end + 1 }
    let here = tag(at: end)
    let unpadded = here == WAVReader.fmt || here == WAVReader.data
    return unpadded ? end : end + 1
  }

  private var isContainer: Bool {
    let name = tag(at: 0)
    return name == WAVReader.riff || name == WAVReader.rf64 || name == WAVReader.bw64
  }

  private func tag(at index: Int) -> UInt32 {
    guard index + 4 <= size else { return 0 }
    let bytes = read(index, 4)
    guard bytes.count == 4 else { return 0 }
    return UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
  }

  private func word(at index: Int) -> Int {
    Int(clamping: tag(at: index).byteSwapped)
  }

  private static let riff: UInt32 = 0x5249_4646
  private static let rf64: UInt32 = 0x5246_3634
  private static let bw64: UInt32 = 0x4257_3634
  private static let wave: UInt32 = 0x5741_5645
  private static let fmt: UInt32 = 0x666D_7420
  private static let data: UInt32 = 0x6461_7461
}
