import Foundation

/// Which files of a model had the right hash when they were last read, by size and time.
///
/// A file whose size and modification time are those of its stamp is not hashed again at the next
/// load; `ModelStore.verify` hashes it all the same.
struct VerifiedStamps: Codable, Equatable {
  struct Stamp: Codable, Equatable {
    var size: Int
    /// Modification time in seconds since 1970.
    var modified: Double
    var sha256: String
  }

  static let fileName = ".verified.json"
  private(set) var stamps: [String: Stamp] = [:]

  /// The stamps of a model's folder; none when they are missing or unreadable.
  init(folder: URL) {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(Self.fileName)),
      let read = try? JSONDecoder().decode([String: Stamp].self, from: data)
    else { return }
    stamps = read
  }

  subscript(name: String) -> Stamp? {
    get { stamps[name] }
    set { stamps[name] = newValue }
  }

  /// Keeps the stamps for the next start; a folder that cannot be written to is hashed every time.
  func save(folder: URL) {
    guard let data = try? JSONEncoder().encode(stamps) else { return }
    try? data.write(to: folder.appendingPathComponent(Self.fileName), options: .atomic)
  }
}
