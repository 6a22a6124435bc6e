import Foundation

/// One load of one character: manifest, then its chunks, then a look at every file.
struct PackLoad: Sendable {
  typealias Chunk = CharacterManifest.File.Chunk

  /// Chunks that are fetched at the same time.
  static let parallelism = 6
  /// How long is waited for programs that remove something from the cache.
  static let patience = Duration.seconds(30)

  let request: PackRequest
  let store: ChunkStore
  let fetcher: any PackFetching
  let retry: RetryPolicy
  let report: LoadReport

  /// The character, whole. When somebody removes the cache's folders meanwhile, it is begun anew once.
  func run() async throws -> LoadedPack {
    do { return try await attempt() } catch let error as PackError {
      guard case .unwritable = error, !store.isPrepared else { throw error }
    }
    return try await attempt()
  }

  private func attempt() async throws -> LoadedPack {
    try request.validate()
    try store.prepare()
    let gate = try await FileLock.wait(store.gate, .shared, patience: Self.patience)
    defer { withExtendedLifetime(gate) {} }
    let (signed, manifest) = try await opened()
    guard let version = PackVersion(manifest.version) else {
      throw PackError.invalidManifest(reason: "its version")
    }
    let reference = PackReference(character: manifest.character, version: version)
    try refuseDowngrade(to: reference)
    let lock = try await FileLock.wait(store.lockPath(reference), .shared, patience: Self.patience)
    try store.keep(signed, as: reference)
    let pack = LoadedPack(
      manifest: manifest, signed: signed, reference: reference, store: store, lock: lock)
    try await fetchChunks(of: pack)
    // A single chunk has the file's own hash, and was checked as it came.
    for file in manifest.files where file.chunks.count != 1 {
      try Task.checkCancellation()
      do throws(PackError) { try store.verify(file) } catch {
        // The chunks are right and the file is not: the manifest contradicts itself.
        if case .wrongHash = error {
          try? FileManager.default.removeItem(atPath: store.manifestPath(reference))
        }
        throw error
      }
    }
    return pack
  }

  /// The manifest that is wanted: the one kept for a pinned version, else the one that the fetcher has.
  private func opened() async throws -> (SignedManifest, CharacterManifest) {
    if let text = request.version, let version = PackVersion(text),
      let kept = store.envelope(PackReference(character: request.character, version: version)),
      let manifest = try? request.open(kept)
    {
      return (kept, manifest)
    }
    let bytes = try await retry.run {
      try await fetcher.manifest(character: request.character, version: request.version)
    }
    let signed = try SignedManifest(json: bytes)
    return (signed, try request.open(signed))
  }

  /// Throws when the latest version is older than one that is complete here.
  private func refuseDowngrade(to reference: PackReference) throws(PackError) {
    guard request.version == nil else { return }
    for kept in store.versions(of: reference.character) where kept.version > reference.version {
      guard let manifest = store.manifest(kept, trusting: request.keys), store.seemsComplete(manifest) else {
        continue
      }
      throw .downgrade(
        character: reference.character, offered: "\(reference.version)", complete: "\(kept.version)")
    }
  }

  private func fetchChunks(of pack: LoadedPack) async throws {
    let plan = ChunkPlan(pack.manifest)
    report.begin(total: plan.totalBytes)
    var pending = plan.pending
    var tier = 0
    func tellTiers() {
      while tier < pending.count, pending[tier] == 0 {
        report.tierReady(tier, pack)
        tier += 1
      }
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      var next = plan.chunks.makeIterator()
      func start() -> Bool {
        guard let (chunk, tier) = next.next() else { return false }
        group.addTask {
          try await obtain(chunk)
          return tier
        }
        return true
      }
      for _ in 0..<Self.parallelism where !start() { break }
      tellTiers()
      while let finished = try await group.next() {
        pending[finished] -= 1
        tellTiers()
        _ = start()
      }
    }
  }

  /// Returns when the chunk is in the store, right byte for byte.
  private func obtain(_ chunk: Chunk) async throws {
    // What came before a fetch broke off stays for the next attempt.
    let begun = LockedBox<PartialChunk?>(nil)
    defer { begun.withLock { $0 }?.discard() }
    try await retry.run {
      var current = begun.withLock { $0 }
      if current == nil {
        current = try await missing(chunk)
        begun.withLock { $0 = current }
      }
      guard let partial = current else {
        report.add(chunk.size)
        return
      }
      do {
        // The last fetch may have broken off behind the last byte.
        if partial.count < chunk.size {
          try await fetcher.chunk(
            sha256: chunk.sha256, size: chunk.size, from: partial.count, receive: partial.receiver())
        }
        try partial.finish(as: store.path(of: chunk.sha256))
        begun.withLock { $0 = nil }
      } catch {
        let fault = partial.fault
        if fault != nil || error is PackError {
          begun.withLock { $0 = nil }
          partial.discard()
        }
        throw fault ?? error
      }
    }
  }

  /// The right to fetch a chunk, nil when it is in the store.
  private func missing(_ chunk: Chunk) async throws -> PartialChunk? {
    guard try !store.verifies(chunk), let partial = try await claim(chunk) else { return nil }
    // Another program may have finished it before the claim.
    guard try store.verifies(chunk) else { return partial }
    partial.discard()
    return nil
  }

  /// The right to fetch a chunk; nil when another program has fetched it meanwhile.
  ///
  /// A program that holds the right for too long, as when it was stopped, is passed by.
  private func claim(_ chunk: Chunk) async throws -> PartialChunk? {
    let path = "\(store.partial)/\(chunk.sha256)"
    let progress: @Sendable (Int) -> Void = { report.add($0) }
    let clock = ContinuousClock()
    let deadline = clock.now + Self.patience
    while clock.now < deadline {
      if let partial = try PartialChunk.attempt(chunk, at: path, progress: progress) { return partial }
      try await Task.sleep(for: .milliseconds(20))
      if try store.verifies(chunk) { return nil }
    }
    return try PartialChunk.attempt(chunk, at: "\(path).\(UUID().uuidString)", progress: progress)
  }
}
