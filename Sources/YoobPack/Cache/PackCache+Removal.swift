import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PackCache {
  /// Removes versions that nobody needs any more, and the chunks that only they had.
  ///
  /// Of each character stay the newest complete version, newer ones whose load was interrupted, the
  /// versions in `keeping` (such as pinned ones), and those in use by this or another program. While any
  /// load runs, nothing is removed.
  ///
  /// - Returns: false when a load was running; prune again later.
  @discardableResult
  public func prune(keeping kept: Set<PackReference> = []) throws(PackError) -> Bool {
    try store.prepare()
    guard let gate = try FileLock.attempt(store.gate, .exclusive) else { return false }
    defer { withExtendedLifetime(gate) {} }
    try remove { reference, newestComplete in
      guard !kept.contains(reference), let newestComplete else { return false }
      return reference.version < newestComplete
    }
    return true
  }

  /// Removes everything but the versions in `keeping` and those in use by this or another program.
  ///
  /// Waits up to 10 s for loads of this and other programs; throws `PackError.busy` after that.
  public func clear(keeping kept: Set<PackReference> = []) async throws {
    try store.prepare()
    let gate = try await FileLock.wait(store.gate, .exclusive, patience: .seconds(10))
    defer { withExtendedLifetime(gate) {} }
    try remove { reference, _ in !kept.contains(reference) }
  }

  /// Removes versions by a rule, then chunks and leftovers; runs under the exclusive gate.
  private func remove(
    _ isUnwanted: (_ reference: PackReference, _ newestComplete: PackVersion?) -> Bool
  ) throws(PackError) {
    var needed = Set<String>()
    var locks = Set<String>()
    for character in store.characters() {
      let versions = store.versions(of: character)
      var manifests: [PackReference: CharacterManifest] = [:]
      for reference in versions {
        manifests[reference] = try? store.envelope(reference)?.unverifiedManifest()
      }
      let newest = versions.first { manifests[$0].map(store.seemsComplete) ?? false }?.version
      for reference in versions {
        let manifest = manifests[reference]
        // A lock that cannot be had means a program that uses the version.
        let isFree = try FileLock.attempt(store.lockPath(reference), .exclusive) != nil
        if isFree, manifest == nil || isUnwanted(reference, newest) {
          try removeItem(store.manifestPath(reference))
        } else {
          locks.insert(store.lockPath(reference))
          for file in manifest?.files ?? [] { needed.formUnion(file.chunks.map(\.sha256)) }
        }
      }
      // No load runs, so a manifest that is not whole was left by a program that ended.
      for name in names(in: "\(store.manifests)/\(character)")
      where name.hasSuffix(FileWriting.leftoverSuffix) {
        try removeItem("\(store.manifests)/\(character)/\(name)")
      }
      _ = rmdir("\(store.manifests)/\(character)")
    }
    for name in names(in: store.locks) {
      let path = "\(store.locks)/\(name)"
      if !locks.contains(path), try FileLock.attempt(path, .exclusive) != nil { try removeItem(path) }
    }
    // No load runs, so whatever is on its way was left by a program that ended.
    for name in names(in: store.partial) { try removeItem("\(store.partial)/\(name)") }
    for name in names(in: store.chunks) where !needed.contains(name) {
      try removeItem("\(store.chunks)/\(name)")
    }
  }

  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private func removeItem(_ path: String) throws(PackError) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    do { try FileManager.default.removeItem(atPath: path) } catch {
      throw .unwritable(path: path, reason: "it cannot be removed")
    }
  }
}
