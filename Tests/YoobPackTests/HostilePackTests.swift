import Foundation
import Testing

@testable import YoobPack

/// A thousand hostile or damaged packs, made from seeds. None is accepted, and each error has its reason.
@Suite("Hostile packs")
struct HostilePackTests {
  /// The name of an error's case.
  static func kind(_ error: PackError) -> String { String("\(error)".prefix { $0 != "(" }) }

  @Test("manifests that break a rule are refused, whoever signed them, before a chunk is asked for")
  func manifests() async throws {
    let folder = try TestFolder()
    for number in 0..<600 {
      var generator = SeededGenerator(seed: UInt64(number))
      var harm = ManifestHarm.allCases[number % ManifestHarm.allCases.count]
      if harm.isLarge, number >= 2 * ManifestHarm.allCases.count { harm = .path }
      var made = try MadePack.usual()
      let request = try made.request(latest: false)
      let expected = harm.inflict(on: &made, using: &generator)
      let cdn = try ScriptedCDN()
      let envelope = try MadePack.envelope(around: made.manifest.json)
      cdn.state.withLock { $0.envelopes["luna/2026.11.30.1"] = envelope }
      await Self.expectRefusal(expected, "\(harm), seed \(number)") {
        try await PackCache(folder: folder.url).load(request, from: cdn, retrying: .none)
      }
      #expect(cdn.begun.isEmpty, "\(harm), seed \(number)")
    }
    let store = ChunkStore(root: folder.url.path)
    #expect(store.characters().isEmpty)
  }

  @Test("envelopes and chunks that were changed on their way are refused, and what was here still starts")
  func deliveries() async throws {
    let made = try MadePack.usual(version: "2026.11.30.1", seed: 2)
    let before = try MadePack.usual(version: "2026.11.29.1")
    let folder = try TestFolder()
    let cache = PackCache(folder: folder.url)
    let kept = try await cache.load(before.request(), from: try ScriptedCDN(before), retrying: .none)
      .reference
    for number in 0..<400 {
      try await cache.clear(keeping: [kept])
      var generator = SeededGenerator(seed: UInt64(1000 + number))
      var harm = DeliveryHarm.allCases[number % DeliveryHarm.allCases.count]
      if harm.isLarge, number >= 2 * DeliveryHarm.allCases.count { harm = .chunkBit }
      let cdn = try ScriptedCDN()
      let expected = try harm.inflict(on: made, cdn, using: &generator)
      let request = try made.request()
      await Self.expectRefusal(expected, "\(harm), seed \(number)") {
        try await cache.load(request, from: cdn, retrying: .none)
      }
      #expect(try await cache.newestComplete(request)?.reference == kept, "\(harm), seed \(number)")
    }
  }

  @Test("a folder whose files or manifest were damaged is refused")
  func folders() throws {
    let made = try MadePack.usual()
    for number in 0..<100 {
      var generator = SeededGenerator(seed: UInt64(5000 + number))
      let folder = try TestFolder()
      try made.write(to: folder.url)
      try PackBuilder.sign(folder.url, with: MadePack.key())
      let names = made.contents.keys.sorted() + ["character.signed.json"]
      let name = try #require(names.randomElement(using: &generator))
      let url = folder.url.appendingPathComponent(name)
      let bytes = [UInt8](try Data(contentsOf: url))
      let harmed = Mutation.mutated(bytes, using: &generator)
      guard harmed != bytes else { continue }
      try Data(harmed).write(to: url)
      #expect(throws: PackError.self, "\(name), seed \(number)") {
        try LocalPack.open(folder.url, trusting: MadePack.trusted()).verify()
      }
    }
  }

  /// Expects an error of one kind with a text that says something.
  static func expectRefusal(
    _ kind: String, _ remark: Comment, _ load: () async throws -> LoadedPack
  ) async {
    do {
      _ = try await load()
      Issue.record("accepted: \(remark)")
    } catch let error as PackError {
      #expect(Self.kind(error) == kind, remark)
      #expect((error.errorDescription ?? "").count > 40, remark)
    } catch {
      Issue.record("\(error) instead of an error of packs: \(remark)")
    }
  }
}
