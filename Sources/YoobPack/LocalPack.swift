import Foundation
import YoobCrypto

/// A character in a folder on this machine.
///
/// ```swift
/// let pack = try LocalPack.open(folder)
/// let puppet = try pack.read("puppet.bin")
/// ```
public struct LocalPack: Sendable {
  /// The folder that holds `character.json`.
  public let folder: URL
  public let manifest: CharacterManifest

  /// Largest manifest that is read: 4 MiB.
  public static let maxManifestBytes = 4 << 20

  /// Reads and checks the manifest; the files are checked when they are read.
  public static func open(_ folder: URL) throws(PackError) -> LocalPack {
    let path = folder.appendingPathComponent("character.json").path
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
      throw .unreadable(path: path)
    }
    guard data.count <= maxManifestBytes else {
      throw .invalidManifest(reason: "it is larger than 4 MiB")
    }
    let manifest: CharacterManifest
    do {
      manifest = try JSONDecoder().decode(CharacterManifest.self, from: data)
    } catch {
      throw .invalidManifest(reason: "it is not the JSON of a manifest")
    }
    try manifest.validate()
    return LocalPack(folder: folder, manifest: manifest)
  }

  /// The bytes of one file, after its size and SHA-256 were found right.
  public func read(_ path: String) throws(PackError) -> [UInt8] {
    guard let file = manifest.files.first(where: { $0.path == path }) else {
      throw .missingFile(path: path)
    }
    let url = folder.appendingPathComponent(path)
    let resolved = url.resolvingSymlinksInPath().path
    guard resolved.hasPrefix(folder.resolvingSymlinksInPath().path + "/") else {
      throw .invalidManifest(reason: "\(path) leads out of the folder")
    }
    guard FileManager.default.fileExists(atPath: resolved) else { throw .missingFile(path: path) }
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: resolved)) else {
      throw .unreadable(path: resolved)
    }
    guard data.count == file.size else {
      throw .wrongSize(path: path, expected: file.size, found: data.count)
    }
    let bytes = Array(data)
    guard (try? SHA256Digest.of(bytes))?.hex == file.sha256 else { throw .wrongHash(path: path) }
    return bytes
  }

  /// Reads every file once; throws for the first that is missing or damaged.
  public func verify() throws(PackError) {
    for file in manifest.files { _ = try read(file.path) }
  }
}
