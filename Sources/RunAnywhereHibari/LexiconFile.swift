import Foundation

/// Two lexicons in one sorted file, searched where it lies.
///
/// Layout, little-endian: 8 bytes magic, UInt64 stamp of the sources, UInt32 count, UInt32 offset of
/// each record from the start of the file, then records sorted by key: UInt8 key length, UInt16 value
/// length, UInt8 tier (0 the better lexicon, 1 the other), key, value.
struct LexiconFile: Sendable {
  static let magic: [UInt8] = Array("yooblex1".utf8)
  private static let headerSize = 20

  private let data: Data
  private let count: Int

  /// Nil when the data is no such file or was made from other sources.
  init?(_ data: Data, stamp: UInt64) {
    guard data.count >= Self.headerSize, data.prefix(8).elementsEqual(Self.magic) else { return nil }
    self.data = data
    let (stored, count) = data.withUnsafeBytes {
      (
        UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
        Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self)))
      )
    }
    guard stored == stamp, count > 0, Self.headerSize + 4 * count <= data.count else { return nil }
    self.count = count
  }

  /// What the file says of `word`, spelled exactly so.
  func value(of word: String) -> (value: String, tier: UInt8)? {
    var key = word
    return key.withUTF8 { key in
      data.withUnsafeBytes { file in
        var low = 0
        var high = count
        while low < high {
          let middle = (low + high) / 2
          guard let record = record(middle, file) else { return nil }
          switch Self.compare(record.key, key) {
          case 0: return (String(decoding: record.value, as: UTF8.self), record.tier)
          case ..<0: low = middle + 1
          default: high = middle
          }
        }
        return nil
      }
    }
  }

  private func record(_ index: Int, _ file: UnsafeRawBufferPointer) -> (
    key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, tier: UInt8
  )? {
    let place = Self.headerSize + 4 * index
    let offset = Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    guard offset >= Self.headerSize, offset + 4 <= file.count else { return nil }
    let keyLength = Int(file[offset])
    let valueLength = Int(file[offset + 1]) | Int(file[offset + 2]) << 8
    let start = offset + 4
    guard start + keyLength + valueLength <= file.count else { return nil }
    let middle = start + keyLength
    return (
      UnsafeRawBufferPointer(rebasing: file[start..<middle]),
      UnsafeRawBufferPointer(rebasing: file[middle..<middle + valueLength]), file[offset + 3]
    )
  }

  private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeBufferPointer<UInt8>) -> Int32 {
    let shorter = min(a.count, b.count)
    if shorter > 0, let left = a.baseAddress, let right = b.baseAddress {
      let order = memcmp(left, right, shorter)
      if order != 0 { return order }
    }
    return Int32(a.count - b.count)
  }

  /// The file made of two lexicons; where both have a word the better one counts.
  static func build(better: [LexiconSource.Entry], other: [LexiconSource.Entry], stamp: UInt64) -> Data {
    var records: [(key: [UInt8], value: [UInt8], tier: UInt8)] = []
    records.reserveCapacity(better.count + other.count)
    for entry in better { records.append((entry.word, entry.value, 0)) }
    for entry in other { records.append((entry.word, entry.value, 1)) }
    records.removeAll { $0.key.isEmpty || $0.key.count > 255 || $0.value.count > 65_535 }
    records.sort { a, b in
      let order = a.key.withUnsafeBytes { left in b.key.withUnsafeBufferPointer { compare(left, $0) } }
      return order == 0 ? a.tier < b.tier : order < 0
    }
    var kept: [Int] = []
    kept.reserveCapacity(records.count)
    for index in records.indices where index == 0 || records[index].key != records[index - 1].key {
      kept.append(index)
    }
    var offsets = Data(capacity: 4 * kept.count)
    var body = Data()
    let start = headerSize + 4 * kept.count
    for index in kept {
      let record = records[index]
      append(UInt32(start + body.count), to: &offsets)
      body.append(UInt8(record.key.count))
      body.append(UInt8(record.value.count & 255))
      body.append(UInt8(record.value.count >> 8))
      body.append(record.tier)
      body.append(contentsOf: record.key)
      body.append(contentsOf: record.value)
    }
    var file = Data(magic)
    append(stamp, to: &file)
    append(UInt32(kept.count), to: &file)
    return file + offsets + body
  }

  private static func append(_ value: some FixedWidthInteger, to data: inout Data) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }
}
