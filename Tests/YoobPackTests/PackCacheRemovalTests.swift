import Foundation
import Testing

@testable import YoobPack

@Suite("Removal from the pack cache")
struct PackCacheRemovalTests {
  static func chunks(in cache: PackCache) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: cache.store.chunks))
  }

  /// A cache with two versions of a character, of which the older is no longer in use.
  static func updated(_ folder: URL, _ old: MadePack, _ new: MadePack) async throws -> PackCache {
    let cdn = try ScriptedCDN(old)
    let cache = PackCache(folder: folder)
    _ = try await cache.load(old.request(), from: cdn, retrying: .none)
    try cdn.publish(new)
    _ = try await cache.load(new.request(), from: cdn, retrying: .none)
    return cache
  }

  @Test("pruning leaves the newest complete version and its chunks alone")
  func prune() async throws {
    let folder = try TestFolder()
    let (old, new) = (try MadePack.usual(), try MadePack.usual(version: "2026.12.01.1", seed: 2))
    let cache = try await Self.updated(folder.url, old, new)
    #expect(try Self.chunks(in: cache) == Set(old.chunks.keys).union(new.chunks.keys))
    #expect(try await cache.prune())
    #expect(try Self.chunks(in: cache) == Set(new.chunks.keys))
    #expect(cache.store.versions(of: "luna").map(\.description) == ["luna 2026.12.01.1"])
    #expect(try await cache.newestComplete(new.request()) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.store.locks) == ["luna@2026.12.01.1"])
  }

  @Test("a pinned version stays, and so does one that another program uses")
  func keeps() async throws {
    let folder = try TestFolder()
    let (old, new) = (try MadePack.usual(), try MadePack.usual(version: "2026.12.01.1", seed: 2))
    let cache = try await Self.updated(folder.url, old, new)
    let pinned = PackReference(character: "luna", version: try #require(PackVersion("2026.11.30.1")))
    try await cache.prune(keeping: [pinned])
    #expect(cache.store.versions(of: "luna").count == 2)
    do {
      let inUse = try await PackCache(folder: folder.url).newestComplete(old.request(latest: false))
      try await cache.prune()
      try await cache.clear()
      #expect(try inUse?.read("puppet.bin") == old.contents["puppet.bin"])
    }
    try await cache.prune()
    #expect(try Self.chunks(in: cache) == Set(old.chunks.keys))
    try await cache.clear()
    #expect(try Self.chunks(in: cache).isEmpty)
  }

  @Test("while a load runs nothing is removed, and the load ends well")
  func duringLoad() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let other = PackCache(folder: folder.url)
    let pruned = LockedBox<[Bool]>([])
    let cdn = try ScriptedCDN(made) { _ in
      let removed = try await other.prune()
      pruned.withLock { $0.append(removed) }
    }
    let pack = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: .none)
    for (path, bytes) in made.contents { #expect(try pack.read(path) == bytes) }
    #expect(pruned.withLock { $0 } == Array(repeating: false, count: made.chunks.count))
  }

  @Test("pruning keeps what an interrupted update has fetched, and removes what was left half done")
  func interruptedUpdate() async throws {
    let folder = try TestFolder()
    let (old, new) = (try MadePack.usual(), try MadePack.usual(version: "2026.12.01.1", seed: 2))
    let cdn = try ScriptedCDN(old)
    let cache = PackCache(folder: folder.url)
    _ = try await cache.load(old.request(), from: cdn, retrying: .none)
    try cdn.publish(new)
    cdn.state.withLock { $0.budget = 4000 }
    _ = try? await cache.load(new.request(), from: cdn, retrying: .none)
    let left = cache.store.partial + "/" + String(repeating: "0", count: 64)
    try Data(count: 100).write(to: URL(fileURLWithPath: left))
    let before = try Self.chunks(in: cache)
    #expect(before.count > old.chunks.count)
    #expect(try await cache.prune())
    #expect(try Self.chunks(in: cache) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.store.partial) == [])
  }

  @Test("clearing keeps what it is told to, and everything goes without")
  func clear() async throws {
    let folder = try TestFolder()
    let (old, new) = (try MadePack.usual(), try MadePack.usual(version: "2026.12.01.1", seed: 2))
    let cache = try await Self.updated(folder.url, old, new)
    let kept = PackReference(character: "luna", version: try #require(PackVersion("2026.11.30.1")))
    try await cache.clear(keeping: [kept])
    #expect(try Self.chunks(in: cache) == Set(old.chunks.keys))
    try await cache.clear()
    #expect(try Self.chunks(in: cache).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.store.manifests) == [])
  }
}

@Suite("Locks between programs")
struct FileLockTests {
  @Test("shared holders exclude an exclusive one until the last has gone")
  func kinds() throws {
    let folder = try TestFolder()
    let path = folder.url.appendingPathComponent("lock").path
    var first = try FileLock.attempt(path, .shared)
    var second = try FileLock.attempt(path, .shared)
    #expect(first != nil && second != nil)
    #expect(try FileLock.attempt(path, .exclusive) == nil)
    first = nil
    #expect(try FileLock.attempt(path, .exclusive) == nil)
    second = nil
    let alone = try FileLock.attempt(path, .exclusive)
    #expect(alone != nil)
    #expect(try FileLock.attempt(path, .shared) == nil)
  }

  @Test("who waits in vain learns which folder is busy")
  func busy() async throws {
    let folder = try TestFolder()
    let path = folder.url.appendingPathComponent("lock").path
    let held = try FileLock.attempt(path, .exclusive)
    #expect(held != nil)
    await #expect(throws: PackError.busy(path: folder.url.path)) {
      try await FileLock.wait(path, .shared, patience: .zero)
    }
  }
}

@Suite("Single flight")
struct SingleFlightTests {
  @Test("who cancels leaves at once; the work goes on for the others, and ends with the last")
  func cancellation() async throws {
    let flights = SingleFlight<String, Int>()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let one = Task {
      try await flights.value(for: "a") {
        start.yield()
        for await _ in released { break }
        return 7
      }
    }
    for await _ in started { break }
    let two = Task { try await flights.value(for: "a") { 8 } }
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    release.yield()
    #expect([7, 8].contains(try await two.value))
  }

  @Test("the work is cancelled when the only caller has left")
  func lastLeaves() async throws {
    let flights = SingleFlight<String, Int>()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Bool.self)
    let caller = Task {
      try await flights.value(for: "a") {
        start.yield()
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never { break }
        end.yield(Task.isCancelled)
        return 0
      }
    }
    for await _ in started { break }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    for await wasCancelled in ended {
      #expect(wasCancelled)
      break
    }
  }
}
