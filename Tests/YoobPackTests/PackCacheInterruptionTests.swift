import Foundation
import Testing

@testable import YoobPack

@Suite("Interrupted loads")
struct PackCacheInterruptionTests {
  /// 200 places at which a load ends, each with a way in which it ends.
  static let points: [(seed: UInt64, isCancelled: Bool)] = (0..<200).map { ($0, $0 % 3 == 0) }

  @Test("a load that ends at any byte goes on: at most the chunks on their way are fetched again")
  func resumes() async throws {
    let made = try MadePack.usual()
    let total = made.contents.values.reduce(0) { $0 + $1.count }
    for (seed, isCancelled) in Self.points {
      var generator = SeededGenerator(seed: seed)
      let folder = try TestFolder()
      let cdn = try ScriptedCDN(made, pieceBytes: Int.random(in: 1...700, using: &generator))
      let budget = Int.random(in: 0..<total, using: &generator)
      try await Self.interrupt(made, cdn, in: folder.url, after: budget, isCancelled: isCancelled)
      let (begun, finished) = (Set(cdn.begun), Set(cdn.finished))
      let damaged = try Self.litter(folder.url, made, sparing: finished, using: &generator)
      #expect(begun.subtracting(finished).count <= PackLoad.parallelism)
      cdn.forget()
      let pack = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: .none)
      for (path, bytes) in made.contents { #expect(try pack.read(path) == bytes, "seed \(seed)") }
      #expect(finished.isDisjoint(with: cdn.begun), "seed \(seed)")
      #expect(Set(cdn.begun) == Set(made.chunks.keys).subtracting(finished), "seed \(seed)")
      #expect(damaged.isSubset(of: cdn.begun), "seed \(seed)")
    }
  }

  @Test(
    "folders that are removed while a load runs are made anew, once", arguments: ["", "chunks", "partial"])
  func removedFolder(name: String) async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let root = folder.url.appendingPathComponent("cache")
    let cdn = try ScriptedCDN(made)
    let pieces = LockedBox(0)
    let fault: @Sendable (String, Int) throws -> Void = { _, _ in
      let number = pieces.withLock { pieces in
        pieces += 1
        return pieces
      }
      if number == 12 { try FileManager.default.removeItem(at: root.appendingPathComponent(name)) }
    }
    cdn.state.withLock { $0.fault = fault }
    let told = LockedBox<[Int]>([])
    let pack = try await PackCache(folder: root).load(
      made.request(), from: cdn, retrying: .none, progress: { done, _ in told.withLock { $0.append(done) } })
    for (path, bytes) in made.contents { #expect(try pack.read(path) == bytes) }
    #expect(told.withLock { $0 == $0.sorted() })
    #expect(pieces.withLock { $0 } > 12)
  }

  @Test("a lock is had on a file that may only be read")
  func lockedFiles() async throws {
    let folder = try TestFolder()
    let path = folder.url.path + "/lock"
    let first = try #require(try FileLock.attempt(path, .shared))
    #expect(chmod(path, 0o400) == 0)
    #expect(try FileLock.attempt(path, .shared) != nil)
    #expect(try FileLock.attempt(path, .exclusive) == nil)
    withExtendedLifetime(first) {}
    #expect(throws: PackError.self) { try FileLock.attempt(folder.url.path + "/none/lock", .shared) }
  }

  @Test("a folder that cannot be made is told with the system's reason")
  func noFolder() throws {
    let folder = try TestFolder()
    let file = folder.url.path + "/file"
    try Data().write(to: URL(fileURLWithPath: file))
    #expect(throws: PackError.unwritable(path: file, reason: "a file is in its place")) {
      try FileWriting.makeFolder(file)
    }
    #expect(throws: PackError.unwritable(path: file + "/a", reason: "Not a directory")) {
      try FileWriting.makeFolder(file + "/a")
    }
    try FileWriting.makeFolder(folder.url.path + "/a/b/c")
    try FileWriting.makeFolder(folder.url.path + "/a/b/c/")
    #expect(FileWriting.isFolder(folder.url.path + "/a/b/c"))
  }

  /// Runs a load that ends after some bytes, by an error or by the caller's cancellation.
  static func interrupt(
    _ made: MadePack, _ cdn: ScriptedCDN, in folder: URL, after budget: Int, isCancelled: Bool
  ) async throws {
    let request = try made.request()
    guard isCancelled else {
      // The manifest comes whole; only chunks use the budget up.
      cdn.state.withLock { $0.budget = max(1, budget) }
      await #expect(throws: ScriptedCDN.Outage.self) {
        try await PackCache(folder: folder).load(request, from: cdn, retrying: .none)
      }
      return
    }
    let caller = LockedBox<Task<Void, any Error>?>(nil)
    let (reached, reach) = AsyncStream.makeStream(of: Void.self)
    let load = Task {
      _ = try await PackCache(folder: folder).load(request, from: cdn, retrying: .none) { completed, _ in
        guard completed >= budget else { return }
        caller.withLock { $0?.cancel() }
        reach.yield()
      }
    }
    caller.withLock { $0 = load }
    for await _ in reached { break }
    load.cancel()
    _ = await load.result
    // Tasks that were cancelled may still be about to end; the next load waits for their chunks.
    while cdn.state.withLock({ $0.running }) > 0 { await Task.yield() }
  }

  /// Leaves what a crash of the machine, or another program, may leave; returns the chunks that are fakes.
  static func litter(
    _ folder: URL, _ made: MadePack, sparing finished: Set<String>, using generator: inout SeededGenerator
  ) throws -> Set<String> {
    let store = ChunkStore(root: folder.path)
    let missing = Set(made.chunks.keys).subtracting(finished).sorted()
    var fakes = Set<String>()
    for sha256 in missing where Bool.random(using: &generator) {
      let right = made.chunks[sha256] ?? []
      let wrong: [UInt8]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: wrong = Array(repeating: 0, count: right.count)
      case 1: wrong = Array(right.prefix(Int.random(in: 0..<right.count, using: &generator)))
      case 2:
        wrong = right.prefix(right.count / 2) + Array(repeating: 0, count: right.count - right.count / 2)
      default: wrong = right + [0]
      }
      let isInPlace = Bool.random(using: &generator)
      let path = isInPlace ? store.path(of: sha256) : "\(store.partial)/\(sha256)"
      guard wrong != right else { continue }
      try Data(wrong).write(to: URL(fileURLWithPath: path))
      fakes.insert(sha256)
    }
    return fakes
  }
}
