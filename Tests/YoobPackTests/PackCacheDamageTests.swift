import Foundation
import Testing

@testable import YoobPack

@Suite("Damage in the pack cache")
struct PackCacheDamageTests {
  /// What can befall a file of the cache.
  enum Damage: CaseIterable, Sendable {
    case zeros, truncated, longer, empty, flipped, missing, folder, link, pipe
  }

  static func inflict(_ damage: Damage, on path: String, elsewhere: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    try FileManager.default.removeItem(atPath: path)
    let url = URL(fileURLWithPath: path)
    switch damage {
    case .zeros: try Data(count: bytes.count).write(to: url)
    case .truncated: try Data(bytes.dropLast()).write(to: url)
    case .longer: try Data(bytes + [0]).write(to: url)
    case .empty: try Data().write(to: url)
    case .flipped: try Data([bytes[0] ^ 1] + bytes.dropFirst()).write(to: url)
    case .missing: break
    case .folder:
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(bytes).write(to: url.appendingPathComponent("inside"))
    case .link:
      let target = elsewhere.appendingPathComponent(url.lastPathComponent)
      try Data(bytes).write(to: target)
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    }
  }

  @Test("a damaged chunk is seen, fetched again and then right", arguments: Damage.allCases)
  func chunk(damage: Damage) async throws {
    let folder = try TestFolder()
    let elsewhere = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    let cache = PackCache(folder: folder.url)
    let pack = try await cache.load(made.request(), from: cdn, retrying: .none)
    let file = try #require(made.manifest.files.first { $0.path == "puppet.bin" })
    let victim = file.chunks[1].sha256
    try Self.inflict(damage, on: cache.store.path(of: victim), elsewhere: elsewhere.url)
    #expect(throws: PackError.self) { try pack.read("puppet.bin") }
    #expect(try await cache.newestComplete(made.request()) == nil)
    cdn.forget()
    let mended = try await cache.load(made.request(), from: cdn, retrying: .none)
    #expect(cdn.begun == [victim])
    #expect(try mended.read("puppet.bin") == made.contents["puppet.bin"])
    #expect(try await cache.newestComplete(made.request()) != nil)
  }

  @Test("a damaged manifest is fetched again", arguments: Damage.allCases.filter { $0 != .folder })
  func manifest(damage: Damage) async throws {
    let folder = try TestFolder()
    let elsewhere = try TestFolder()
    let made = try MadePack.usual()
    let cdn = try ScriptedCDN(made)
    let cache = PackCache(folder: folder.url)
    let reference = try await cache.load(made.request(), from: cdn, retrying: .none).reference
    try Self.inflict(damage, on: cache.store.manifestPath(reference), elsewhere: elsewhere.url)
    #expect(try await cache.newestComplete(made.request()) == nil)
    cdn.forget()
    _ = try await cache.load(made.request(latest: false), from: cdn, retrying: .none)
    #expect(cdn.state.withLock { $0.manifestRequests } == ["luna/2026.11.30.1"])
    #expect(cdn.begun.isEmpty)
    #expect(try await cache.newestComplete(made.request()) != nil)
  }

  @Test("a manifest moved to another version's or character's place does not start it")
  func movedManifest() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cache = PackCache(folder: folder.url)
    let reference = try await cache.load(made.request(), from: try ScriptedCDN(made), retrying: .none)
      .reference
    let version = try #require(PackVersion("2027.01.01.1"))
    let other = PackReference(character: "sol", version: version)
    for target in [PackReference(character: "luna", version: version), other] {
      let path = cache.store.manifestPath(target)
      try FileWriting.makeFolder((path as NSString).deletingLastPathComponent)
      try FileManager.default.copyItem(atPath: cache.store.manifestPath(reference), toPath: path)
    }
    #expect(try await cache.newestComplete(made.request())?.reference == reference)
    var request = try made.request()
    request.character = "sol"
    #expect(try await cache.newestComplete(request) == nil)
  }

  @Test("the newest version that is whole starts without the network, past a damaged newer one")
  func newestComplete() async throws {
    let folder = try TestFolder()
    let old = try MadePack.usual(version: "2026.11.30.9")
    let new = try MadePack.usual(version: "2026.11.30.10", seed: 2)
    let cdn = try ScriptedCDN(old)
    let cache = PackCache(folder: folder.url)
    #expect(try await cache.newestComplete(old.request()) == nil)
    _ = try await cache.load(old.request(), from: cdn, retrying: .none)
    try cdn.publish(new)
    _ = try await cache.load(new.request(), from: cdn, retrying: .none)
    #expect(try await cache.newestComplete(old.request())?.manifest.version == "2026.11.30.10")
    let victim = try #require(new.chunks.keys.first)
    try Data(count: new.chunks[victim]?.count ?? 0).write(
      to: URL(fileURLWithPath: cache.store.path(of: victim)))
    #expect(try await cache.newestComplete(old.request())?.manifest.version == "2026.11.30.9")
    #expect(try await cache.newestComplete(new.request(latest: false)) == nil)
  }

  @Test("a version that needs a newer SDK, or whose key is no longer trusted, does not start")
  func newestCompleteChecks() async throws {
    let folder = try TestFolder()
    let made = try MadePack([("poster.jpg", [1, 2, 3], 0)], minSDK: "0.9.0")
    let cache = PackCache(folder: folder.url)
    _ = try await cache.load(made.request(), from: try ScriptedCDN(made), retrying: .none)
    var request = try made.request()
    #expect(try await cache.newestComplete(request) != nil)
    request.sdk = try #require(SDKVersion("0.8.9"))
    #expect(try await cache.newestComplete(request) == nil)
    request = try made.request()
    request.keys = ["studio-2": try MadePack.key().privateKey.publicKey]
    #expect(try await cache.newestComplete(request) == nil)
  }

  @Test("chunks that are right in a file that is not are refused, and the version is not kept")
  func contradiction() async throws {
    let folder = try TestFolder()
    var made = try MadePack.usual()
    made.manifest.files[2].sha256 = String(repeating: "0", count: 64)
    let cache = PackCache(folder: folder.url)
    let request = try made.request()
    let cdn = try ScriptedCDN(made)
    await #expect(throws: PackError.wrongHash(path: "puppet.bin")) {
      try await cache.load(request, from: cdn, retrying: .none)
    }
    #expect(cache.store.versions(of: "luna").isEmpty)
  }
}
