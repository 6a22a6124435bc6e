import Foundation

/// The bytes that Whisper's tokens stand for.
struct WhisperTokens {
  private let bytes: [Data]

  var count: Int { bytes.count }

  /// Reads a table with one token a line, in base64, and its number; nil when it is no such table.
  init?(table: Data) {
    var bytes: [Data] = []
    for line in table.split(separator: UInt8(ascii: "\n")) {
      guard let space = line.lastIndex(of: UInt8(ascii: " ")),
        let token = Data(base64Encoded: line[..<space]),
        let number = Int(
          String(decoding: line[line.index(after: space)...].filter { $0 != 13 }, as: UTF8.self)),
        number == bytes.count
      else { return nil }
      bytes.append(token)
    }
    guard bytes.count > 1000 else { return nil }
    self.bytes = bytes
  }

  /// What tokens spell; a token that is not in the table is left out.
  func text(_ tokens: [Int]) -> String {
    let spelled = tokens.reduce(into: Data()) { if bytes.indices.contains($1) { $0 += bytes[$1] } }
    return String(decoding: spelled, as: UTF8.self)
  }
}
