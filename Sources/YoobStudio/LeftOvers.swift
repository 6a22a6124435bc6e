import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Removes what programs that were killed left behind. Names of temporary files carry the number
/// of their process: `yoob-<process>-…`, and `.<film>.<process>.part.<kind>` beside a film.
package enum LeftOvers {
  private static let prefix = "yoob-"

  /// A name in the temporary folder that nobody else has.
  package static func temporaryName(_ ending: String = "") -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("\(prefix)\(getpid())-\(UUID().uuidString)\(ending)")
  }

  /// Makes a folder that only its owner may read.
  package static func makeFolder(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Where a film or another result is written until it is whole.
  package static func part(of film: URL, process: Int32 = getpid()) -> URL {
    film.deletingLastPathComponent().appendingPathComponent(
      ".\(film.lastPathComponent).\(process).part.\(film.pathExtension.lowercased())")
  }

  /// Removes parts of `film` and temporary files whose process is dead.
  package static func sweep(
    film: URL, temporary: URL = FileManager.default.temporaryDirectory,
    isAlive: (Int32) -> Bool = isAlive
  ) {
    for name in names(in: temporary) where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(digits), process > 0, !isAlive(process) else { continue }
      try? FileManager.default.removeItem(at: temporary.appendingPathComponent(name))
    }
    let folder = film.deletingLastPathComponent()
    let start = ".\(film.lastPathComponent)."
    for name in names(in: folder) where name.hasPrefix(start) {
      let digits = name.dropFirst(start.count).prefix { $0 != "." }
      guard let process = Int32(digits), process > 0, !isAlive(process),
        name == part(of: film, process: process).lastPathComponent
      else { continue }
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private static func names(in folder: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }

  /// Whether a process of that number runs, whoever it belongs to.
  package static func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }
}
