import Foundation

/// One line of a prepared list of recordings (PART.jsonl, made by `training/real_speech/prepare`).
package struct Recording: Decodable, Sendable {
  package let id: String
  package let part: String
  package let speaker: String
  /// "f", "m" or "?".
  package let sex: String
  /// The language that is spoken; absent means English.
  package let language: String?
  /// WAV file, relative to the list.
  package let wav: String
  package let seconds: Double
  /// The phones that are said.
  package let phones: [TimedPhone]
  /// The phones that PocketSphinx hears in the whole recording; nil where it was not asked.
  package let heard: [TimedPhone]?

  /// The recordings of a list, one a line. Throws: `DecodingError` for a line that is none.
  package static func list(_ data: Data) throws -> [Recording] {
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(Recording.self, from: $0) }
  }
}

extension TimedPhone: Decodable {
  /// Reads `[start, end, "NAME"]`.
  package init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    self.init(
      try values.decode(Double.self), try values.decode(Double.self), try values.decode(String.self))
  }
}
