import Foundation
import Testing

@testable import YoobPack

@Suite("Attempts at a chunk")
struct PackCacheRetryTests {
  /// A CDN that can send the rest of a chunk, and breaks off where it is told.
  final class BreakingCDN: PackFetching {
    struct Break: Error, Equatable {}

    let made: MadePack
    let envelope: [UInt8]
    /// How many bytes of which content an attempt at a chunk brings; the last one brings all.
    let cuts: [Int]
    let content: @Sendable (_ sha256: String, _ attempt: Int) -> [UInt8]?
    let asked = LockedBox<[String: [Int]]>([:])
    let late = LockedBox<(@Sendable ([UInt8]) throws -> Void)?>(nil)

    init(
      _ made: MadePack, cuts: [Int] = [],
      content: @escaping @Sendable (_ sha256: String, _ attempt: Int) -> [UInt8]? = { _, _ in nil }
    ) throws {
      self.made = made
      envelope = try made.signed().json
      self.cuts = cuts
      self.content = content
    }

    func manifest(character: String, version: String?) async throws -> [UInt8] { envelope }

    func chunk(
      sha256: String, size: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws { try await chunk(sha256: sha256, size: size, from: 0, receive: receive) }

    func chunk(
      sha256: String, size: Int, from offset: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws {
      let attempt = asked.withLock { asked in
        asked[sha256, default: []].append(offset)
        return asked[sha256, default: []].count - 1
      }
      let bytes = content(sha256, attempt) ?? made.chunks[sha256] ?? []
      // What an earlier fetch still has to say comes in the middle of this one.
      let earlier = late.withLock { late in
        defer { late = receive }
        return late
      }
      if made.chunks.count == 1, let earlier {
        #expect(throws: CancellationError.self) { try earlier([1, 2, 3]) }
      }
      let end = attempt < cuts.count ? min(bytes.count, offset + cuts[attempt]) : bytes.count
      if offset < end { try receive(Array(bytes[offset..<end])) }
      if attempt < cuts.count { throw Break() }
    }
  }

  static let retry = RetryPolicy(attempts: 4) { _ in }

  static func one(_ count: Int = 900) throws -> MadePack {
    var generator = SeededGenerator(seed: 4)
    return try MadePack([("poster.jpg", generator.bytes(count), 0)])
  }

  @Test(
    "a chunk that broke off is asked for from the byte it had, and late bytes of the broken fetch are refused"
  )
  func rest() async throws {
    let folder = try TestFolder()
    let made = try Self.one()
    let cdn = try BreakingCDN(made, cuts: [200, 0, 300])
    let told = LockedBox<[Int]>([])
    let pack = try await PackCache(folder: folder.url).load(
      made.request(), from: cdn, retrying: Self.retry,
      progress: { done, _ in told.withLock { $0.append(done) } })
    #expect(cdn.asked.withLock { Array($0.values) } == [[0, 200, 200, 500]])
    #expect(try pack.read("poster.jpg") == made.contents["poster.jpg"])
    #expect(told.withLock { $0 } == [0, 200, 500, 900])
  }

  @Test("a fetcher that knows whole chunks only is asked for the whole one, and its beginning passed over")
  func wholeOnly() async throws {
    let folder = try TestFolder()
    let made = try Self.one()
    let cdn = try ScriptedCDN(made, pieceBytes: 130)
    let pieces = LockedBox(0)
    cdn.state.withLock {
      $0.fault = { _, attempt in
        let number = pieces.withLock { pieces in
          pieces += 1
          return pieces
        }
        if attempt == 1, number == 4 { throw ScriptedCDN.Outage() }
      }
    }
    let pack = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: Self.retry)
    #expect(cdn.begun.count == 2)
    #expect(try pack.read("poster.jpg") == made.contents["poster.jpg"])
  }

  @Test("a fetch that broke off behind the last byte is not repeated")
  func allButTheEnd() async throws {
    let folder = try TestFolder()
    let made = try Self.one()
    let cdn = try BreakingCDN(made, cuts: [900])
    let pack = try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: Self.retry)
    #expect(cdn.asked.withLock { Array($0.values) } == [[0]])
    #expect(try pack.read("poster.jpg") == made.contents["poster.jpg"])
  }

  @Test("attempts are four, and nothing of the chunk stays behind")
  func fourAttempts() async throws {
    let folder = try TestFolder()
    let made = try Self.one()
    let cdn = try BreakingCDN(made, cuts: [100, 100, 100, 100])
    let cache = PackCache(folder: folder.url)
    let request = try made.request()
    await #expect(throws: BreakingCDN.Break.self) {
      try await cache.load(request, from: cdn, retrying: Self.retry)
    }
    #expect(cdn.asked.withLock { Array($0.values) } == [[0, 100, 200, 300]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.store.partial).isEmpty)
  }

  @Test("wrong bytes are fetched again once, from the beginning", arguments: [true, false])
  func wrongBytes(isMended: Bool) async throws {
    let folder = try TestFolder()
    let made = try Self.one()
    let wrong = [UInt8](repeating: 9, count: 900)
    let cdn = try BreakingCDN(made, cuts: [200]) { _, attempt in isMended && attempt > 1 ? nil : wrong }
    let cache = PackCache(folder: folder.url)
    let request = try made.request()
    if isMended {
      _ = try await cache.load(request, from: cdn, retrying: Self.retry)
    } else {
      await #expect {
        try await cache.load(request, from: cdn, retrying: Self.retry)
      } throws: {
        guard case PackError.wrongChunk = $0 else { return false }
        return true
      }
    }
    #expect(cdn.asked.withLock { Array($0.values) } == [[0, 200, 0]])
  }

  @Test("a chunk shorter than its size, without an error, is fetched again once")
  func short() async throws {
    let folder = try TestFolder()
    let made = try Self.one()
    let cdn = try BreakingCDN(made) { _, _ in [1, 2, 3] }
    let request = try made.request()
    await #expect {
      try await PackCache(folder: folder.url).load(request, from: cdn, retrying: Self.retry)
    } throws: {
      "\($0.localizedDescription)".contains("3 of 900 bytes came")
    }
    #expect(cdn.asked.withLock { Array($0.values) } == [[0, 0]])
  }
}
