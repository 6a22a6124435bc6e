import Foundation
import Testing
import YoobCrypto

@testable import YoobPack

@Suite("Pack cache")
struct PackCacheTests {
  @Test("every file comes out as it was published, and a second load fetches nothing")
  func loads() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    let cache = PackCache(folder: folder.url)
    let pack = try await cache.load(made.request(), from: cdn, retrying: .none)
    for (path, bytes) in made.contents { #expect(try pack.read(path) == bytes) }
    #expect(pack.manifest == made.manifest)
    #expect(Set(cdn.begun) == Set(made.chunks.keys))
    cdn.forget()
    _ = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: .none)
    #expect(cdn.begun.isEmpty)
  }

  @Test("chunks are begun in the order of their tiers, six at a time")
  func order() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    _ = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: .none)
    let plan = ChunkPlan(made.manifest)
    let tiers = Dictionary(uniqueKeysWithValues: plan.chunks.map { ($0.chunk.sha256, $0.tier) })
    // Of seven in a row, the first cannot be of a later tier than the last but by those under way.
    for (place, sha256) in cdn.begun.enumerated() where place + 6 < cdn.begun.count {
      #expect((tiers[sha256] ?? 9) <= (tiers[cdn.begun[place + 6]] ?? -1))
    }
    #expect((2...6).contains(cdn.state.withLock { $0.mostRunning }))
  }

  @Test("progress grows to the end, and each tier can be read when it is told")
  func progress() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let told = LockedBox<[(Int, Int)]>([])
    let tiers = LockedBox<[Int]>([])
    let unread = LockedBox<[String]>([])
    _ = try await PackCache(folder: folder.url).load(
      made.request(), from: try ScriptedCDN(made), retrying: .none,
      progress: { completed, total in told.withLock { $0.append((completed, total)) } },
      tierReady: { tier, pack in
        tiers.withLock { $0.append(tier) }
        for file in pack.manifest.files where file.tier <= tier && (try? pack.read(file.path)) == nil {
          unread.withLock { $0.append(file.path) }
        }
      })
    let steps = told.withLock { $0 }
    let total = made.contents.values.reduce(0) { $0 + $1.count }
    #expect(steps.allSatisfy { $0.1 == total })
    #expect(steps.map(\.0) == steps.map(\.0).sorted())
    #expect(steps.last?.0 == total)
    #expect(tiers.withLock { $0 } == [0, 1, 2, 3])
    #expect(unread.withLock { $0 } == [])
  }

  @Test("an update fetches only the chunks that changed")
  func update() async throws {
    let folder = try TestFolder()
    let old = try MadePack.usual()
    var files = old.manifest.files.map { ($0.path, old.contents[$0.path] ?? [], $0.tier) }
    files[2].1[2000] ^= 1
    let new = try MadePack(files, version: "2026.12.01.1")
    let cdn = try ScriptedCDN(old)
    let cache = PackCache(folder: folder.url)
    _ = try await cache.load(old.request(), from: cdn, retrying: .none)
    try cdn.publish(new)
    cdn.forget()
    let pack = try await cache.load(new.request(), from: cdn, retrying: .none)
    #expect(pack.manifest.version == "2026.12.01.1")
    #expect(Set(cdn.begun) == Set(new.chunks.keys).subtracting(old.chunks.keys))
    #expect(cdn.begun.count == 1)
  }

  @Test(
    "after a key was rotated the old one is refused, on the disk too, and only the manifest is fetched again")
  func rotation() async throws {
    let folder = try TestFolder()
    let old = try MadePack.usual()
    var new = try MadePack.usual()
    new.manifest.version = "2026.12.01.1"
    let next = try SigningKey(
      id: "studio-2", privateKey: Ed25519PrivateKey(seed: Array(repeating: 8, count: 32)))
    let cdn = try ScriptedCDN(old)
    let cache = PackCache(folder: folder.url)
    _ = try await cache.load(old.request(), from: cdn, retrying: .none)
    // Both are trusted while apps learn of the new one.
    var request = try old.request()
    request.keys[next.id] = next.privateKey.publicKey
    _ = try await cache.load(request, from: cdn, retrying: .none)
    request.keys = [next.id: next.privateKey.publicKey]
    await #expect(throws: PackError.unknownKey(id: MadePack.keyID)) {
      try await cache.load(request, from: cdn, retrying: .none)
    }
    #expect(try await cache.newestComplete(request) == nil)
    try cdn.publish(new, envelope: new.signed(with: next).json)
    cdn.forget()
    let pack = try await cache.load(request, from: cdn, retrying: .none)
    #expect(pack.manifest.version == "2026.12.01.1")
    #expect(pack.signed.keyID == next.id)
    #expect(cdn.begun.isEmpty)
  }

  @Test("a latest version older than one that is complete is refused, and by its number it loads")
  func downgrade() async throws {
    let folder = try TestFolder()
    let old = try MadePack.usual(version: "2026.11.30.9")
    let new = try MadePack.usual(version: "2026.11.30.10", seed: 2)
    let cdn = try ScriptedCDN(new)
    let cache = PackCache(folder: folder.url)
    _ = try await cache.load(new.request(), from: cdn, retrying: .none)
    try cdn.publish(old)
    await #expect(
      throws: PackError.downgrade(character: "luna", offered: "2026.11.30.9", complete: "2026.11.30.10")
    ) { try await cache.load(old.request(), from: cdn, retrying: .none) }
    let pinned = try await cache.load(old.request(latest: false), from: cdn, retrying: .none)
    #expect(pinned.manifest.version == "2026.11.30.9")
  }

  @Test("an interrupted newer version does not stand in the way of the older one")
  func incompleteIsNoDowngrade() async throws {
    let folder = try TestFolder()
    let old = try MadePack.usual(version: "2026.11.30.1")
    let new = try MadePack.usual(version: "2026.11.30.2", seed: 2)
    let cdn = try ScriptedCDN(new)
    let cache = PackCache(folder: folder.url)
    cdn.state.withLock { $0.budget = 2000 }
    await #expect(throws: ScriptedCDN.Outage.self) {
      try await cache.load(new.request(), from: cdn, retrying: .none)
    }
    try cdn.publish(old)
    cdn.forget()
    let pack = try await cache.load(old.request(), from: cdn, retrying: .none)
    #expect(pack.manifest.version == "2026.11.30.1")
  }

  @Test("a version asked for by its number needs no manifest once it was kept")
  func pinned() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    let cache = PackCache(folder: folder.url)
    _ = try await cache.load(made.request(latest: false), from: cdn, retrying: .none)
    cdn.forget()
    _ = try await cache.load(made.request(latest: false), from: cdn, retrying: .none)
    #expect(cdn.state.withLock { $0.manifestRequests } == [])
  }

  @Test("two calls at once share one load, and each hears of its progress")
  func singleFlight() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    let cache = PackCache(folder: folder.url)
    let last = LockedBox<[Int: Int]>([:])
    let versions = try await withThrowingTaskGroup(of: String.self) { group in
      for caller in 0..<4 {
        group.addTask {
          try await cache.load(made.request(), from: cdn, retrying: .none) { completed, _ in
            last.withLock { $0[caller] = completed }
          }.manifest.version
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(versions == Array(repeating: "2026.11.30.1", count: 4))
    #expect(cdn.begun.count == made.chunks.count)
    let total = made.contents.values.reduce(0) { $0 + $1.count }
    #expect(last.withLock { $0 } == [0: total, 1: total, 2: total, 3: total])
  }

  @Test("two caches in one folder fetch each chunk once between them")
  func twoPrograms() async throws {
    let folder = try TestFolder()
    let url = folder.url
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          let pack = try await PackCache(folder: url).load(made.request(), from: cdn, retrying: .none)
          for (path, bytes) in made.contents { #expect(try pack.read(path) == bytes) }
        }
      }
      try await group.waitForAll()
    }
    #expect(cdn.finished.count == made.chunks.count)
  }

  @Test("a broken way is tried again, with pauses, and no chunk that arrived is fetched twice")
  func retries() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    cdn.state.withLock { $0.fault = { _, attempt in if attempt < 3 { throw ScriptedCDN.Outage() } } }
    let pauses = LockedBox<[Int]>([])
    let policy = RetryPolicy(attempts: 3) { attempt in pauses.withLock { $0.append(attempt) } }
    let told = LockedBox<[Int]>([])
    _ = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: policy) {
      completed, _ in told.withLock { $0.append(completed) }
    }
    #expect(told.withLock { $0 == $0.sorted() && $0.last == 10_472 })
    #expect(cdn.begun.count == 3 * made.chunks.count)
    #expect(cdn.finished.count == made.chunks.count)
    #expect(
      pauses.withLock { $0.sorted() } == [Int](repeating: 1, count: 12) + [Int](repeating: 2, count: 12))
  }

  @Test("an error that the policy calls final is not tried again")
  func finalError() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    cdn.state.withLock { $0.fault = { _, _ in throw ScriptedCDN.Outage() } }
    let policy = RetryPolicy(attempts: 9, isWorthRetrying: { _ in false }, pause: { _ in })
    await #expect(throws: ScriptedCDN.Outage.self) {
      try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: policy)
    }
    #expect(cdn.begun.count <= 6)
  }

  @Test("a character id or version that none can have is refused before anything is asked")
  func badRequest() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    for (character, version) in [("../luna", nil), ("Luna", nil), ("luna", "../1"), ("luna", "latest")] {
      var request = try made.request()
      (request.character, request.version) = (character, version)
      await #expect(throws: PackError.self) {
        try await PackCache(folder: folder.url).load(request, from: cdn, retrying: .none)
      }
    }
    #expect(cdn.state.withLock { $0.manifestRequests } == [])
  }
}
