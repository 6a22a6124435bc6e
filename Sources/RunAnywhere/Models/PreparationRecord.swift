import Foundation

/// What set-up wrote down when it made a model's folder: every file with its size and hash.
struct PreparationRecord: Sendable, Equatable {
  struct File: Sendable, Equatable {
    var name: String
    var size: Int
    var sha256: String
  }

  /// Name of the record inside a model's folder.
  static let fileName = ".prepared.json"
  /// Larger records are refused unread.
  static let byteLimit = 1 << 20

  var id: String
  var files: [File]

  /// Why bytes are no record.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// Reads a record; refuses other formats, ids and names that leave the folder, and impossible
  /// sizes or hashes. Unknown members are ignored.
  init(parsing data: Data) throws(Malformed) {
    guard data.count <= Self.byteLimit else { throw Malformed(reason: "it is too large") }
    let wire: Wire
    do {
      wire = try JSONDecoder().decode(Wire.self, from: data)
    } catch {
      throw Malformed(reason: "it is no JSON of the known form")
    }
    guard wire.format == 1 else { throw Malformed(reason: "its format \(wire.format) is unknown") }
    guard Self.isPlainName(wire.id) else { throw Malformed(reason: "its id is no plain name") }
    var names: Set<String> = []
    for file in wire.files {
      guard Self.isPlainName(file.name) else {
        throw Malformed(reason: "“\(file.name)” is no plain file name")
      }
      guard names.insert(file.name).inserted else {
        throw Malformed(reason: "“\(file.name)” is in it twice")
      }
      guard file.size >= 0 else { throw Malformed(reason: "the size of “\(file.name)” is negative") }
      guard file.sha256.utf8.count == 64, file.sha256.utf8.allSatisfy(Self.isLowercaseHex) else {
        throw Malformed(reason: "the hash of “\(file.name)” is no SHA-256")
      }
    }
    id = wire.id
    files = wire.files.map { File(name: $0.name, size: $0.size, sha256: $0.sha256) }
  }

  /// The recorded file with this name; nil when the record has none.
  func file(_ name: String) -> File? {
    files.first { $0.name == name }
  }

  private struct Wire: Decodable {
    struct File: Decodable {
      var name: String
      var size: Int
      var sha256: String
    }
    var format: Int
    var id: String
    var files: [File]
  }

  private static func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
      && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
  }

  private static func isLowercaseHex(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
