import Foundation

/// Reads the published lexicons: a JSON object from words to phones, or to an object of phones by
/// part of speech.
struct LexiconSource {
  struct Damaged: Error, LocalizedError {
    var errorDescription: String? { "it is damaged or no lexicon" }
  }

  /// A word and its phones; variants are lines of key, tab and phones.
  typealias Entry = (word: [UInt8], value: [UInt8])

  private var bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  /// All entries, in the order of the file.
  static func entries(_ json: [UInt8]) throws -> [Entry] {
    try json.withUnsafeBufferPointer {
      var source = LexiconSource(bytes: $0)
      return try source.object()
    }
  }

  private mutating func object() throws -> [Entry] {
    var entries: [Entry] = []
    try expect("{")
    if try peek() == UInt8(ascii: "}") { return [] }
    while true {
      let word = try string()
      try expect(":")
      switch try peek() {
      case UInt8(ascii: "\""): entries.append((word, try string()))
      case UInt8(ascii: "{"):
        var value: [UInt8] = []
        for variant in try object() {
          value += variant.word + [UInt8(ascii: "\t")] + variant.value + [UInt8(ascii: "\n")]
        }
        entries.append((word, value))
      default: try null()
      }
      let next = try peek()
      at += 1
      if next == UInt8(ascii: "}") { return entries }
      guard next == UInt8(ascii: ",") else { throw Damaged() }
    }
  }

  private mutating func null() throws {
    guard at + 4 <= bytes.count, bytes[at..<at + 4].elementsEqual("null".utf8) else { throw Damaged() }
    at += 4
  }

  private mutating func string() throws -> [UInt8] {
    try expect("\"")
    var result: [UInt8] = []
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return result
      case UInt8(ascii: "\\"): result.append(contentsOf: try escape())
      default: result.append(byte)
      }
    }
    throw Damaged()
  }

  private mutating func escape() throws -> [UInt8] {
    guard at < bytes.count else { throw Damaged() }
    let byte = bytes[at]
    at += 1
    guard byte == UInt8(ascii: "u") else { return [byte] }
    guard at + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[at..<at + 4], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw Damaged() }
    at += 4
    return Array(String(scalar).utf8)
  }

  private mutating func peek() throws -> UInt8 {
    while at < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[at]) { at += 1 }
    guard at < bytes.count else { throw Damaged() }
    return bytes[at]
  }

  private mutating func expect(_ character: Unicode.Scalar) throws {
    guard try peek() == UInt8(ascii: character) else { throw Damaged() }
    at += 1
  }
}
