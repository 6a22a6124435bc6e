/// Walks the chunks of a WAV file and turns its blocks into mono samples.
struct WAVReader {
  private let bytes: [UInt8]
  private var position = 12
  private var format: WAVFormat?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func clip() throws(WAVError) -> AudioClip {
    guard bytes.count >= 12, isContainer, tag(at: 8) == WAVReader.wave else { throw .notWAV }
    var sawChunk = false
    while position + 8 <= bytes.count {
      sawChunk = true
      let name = tag(at: position)
      let size = word(at: position + 4)
      let start = position + 8
      if name == WAVReader.fmt {
        format = try WAVFormat(bytes, start: start, size: size)
      } else if name == WAVReader.data {
        guard let format else { throw .missingFormat }
        return AudioClip(
          samples: format.samples(of: bytes, in: start..<dataEnd(start: start, size: size)),
          sampleRate: format.rate)
      }
      position = next(after: start, size: size)
    }
    if format != nil { throw .missingData }
    throw sawChunk ? .missingFormat : .truncated
  }

  private func dataEnd(start: Int, size: Int) -> Int {
    // A size of 0xFFFFFFFF reaches past the end of every array, so this covers it too.
    let open = size == 0 || size > bytes.count - start
    return open ? bytes.count : start + size
  }

  /// Start of the chunk that follows. A writer that forgot the padding byte after an odd size is
  /// recognised by the next chunk's name standing where the padding should be.
  private func next(after start: Int, size: Int) -> Int {
    guard size <= bytes.count - start else { return bytes.count }
    let end = start + size
    guard size % 2 == 1 else { return end }
    guard end + 8 <= bytes.count else { return end + 1 }
    let here = tag(at: end)
    let unpadded = here == WAVReader.fmt || here == WAVReader.data
    return unpadded ? end : end + 1
  }

  private var isContainer: Bool {
    let name = tag(at: 0)
    return name == WAVReader.riff || name == WAVReader.rf64 || name == WAVReader.bw64
  }

  private func tag(at index: Int) -> UInt32 {
    guard index + 4 <= bytes.count else { return 0 }
    return UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16
      | UInt32(bytes[index + 2]) << 8 | UInt32(bytes[index + 3])
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
