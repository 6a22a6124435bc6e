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

  /// Most seconds of a recording.
  private static let longest = 3600.0
  /// Seconds by which rounding may move a time.
  private static let tolerance = 0.01

  /// The recordings of a list, one a line. Throws: `DecodingError` for a line that is none, or whose times
  /// cannot be: not in order, or not within the recording.
  package static func list(_ data: Data) throws -> [Recording] {
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map { line in
      let recording = try decoder.decode(Recording.self, from: line)
      guard recording.isPossible else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "\(recording.id) has times that cannot be"))
      }
      return recording
    }
  }

  private var isPossible: Bool {
    seconds > 0 && seconds <= Self.longest && !phones.isEmpty && areInOrder(phones) && areInOrder(heard ?? [])
  }

  private func areInOrder(_ phones: [TimedPhone]) -> Bool {
    var last = 0.0
    for phone in phones {
      guard phone.start >= 0, phone.start >= last - Self.tolerance, phone.end >= phone.start,
        phone.end <= seconds + Self.tolerance
      else { return false }
      last = phone.end
    }
    return true
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
