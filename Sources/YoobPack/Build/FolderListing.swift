import Foundation

/// The files of a folder that belong into its pack.
enum FolderListing {
  /// Paths with `/`, in the order of their bytes; without the manifests and names that begin with a dot.
  static func files(in folder: URL) throws(PackError) -> [String] {
    var found: [String] = []
    var folders = [""]
    while let inside = folders.popLast() {
      let here = inside.isEmpty ? folder : folder.appendingPathComponent(inside)
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: here.path)
      } catch { throw .unreadable(path: here.path) }
      for name in names where !name.hasPrefix(".") {
        let path = inside.isEmpty ? name : inside + "/" + name
        guard path != LocalPack.manifestName, path != LocalPack.signedManifestName else { continue }
        guard path.utf8.count <= 512 else {
          throw .invalidManifest(reason: "a path of \(path.utf8.count) bytes")
        }
        var status = stat()
        guard lstat(here.appendingPathComponent(name).path, &status) == 0 else {
          // What is no UTF-8 was read as U+FFFD, and so names another file.
          guard !name.unicodeScalars.contains("\u{FFFD}") else {
            throw .invalidManifest(reason: "the name of “\(PackPath.shown(path))” is not UTF-8")
          }
          throw .unreadable(path: here.appendingPathComponent(name).path)
        }
        // A link to a folder could lead in circles: it is opened as a file, and so refused.
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(path) } else { found.append(path) }
        guard found.count + folders.count <= 4 * PackLimits.files else {
          throw .invalidManifest(reason: "more than \(PackLimits.files) files")
        }
      }
    }
    return found.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }
}
