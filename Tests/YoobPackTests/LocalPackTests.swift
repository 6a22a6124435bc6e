import Foundation
import Testing

@testable import YoobPack

@Suite("Packs in a folder")
struct LocalPackTests {
  @Test("an unsigned pack opens, and every file comes out")
  func unsigned() throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    try made.write(to: folder.url)
    let pack = try LocalPack.open(folder.url)
    #expect(pack.signed == nil)
    try pack.verify()
    for (path, bytes) in made.contents { #expect(try pack.read(path) == bytes) }
  }

  @Test("a signed pack needs its key by name, and opens by its signature alone")
  func signed() throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    try made.write(to: folder.url)
    try PackBuilder.sign(folder.url, with: MadePack.key())
    #expect(throws: PackError.keyNeeded(id: "studio-1")) { try LocalPack.open(folder.url) }
    #expect(throws: PackError.unknownKey(id: "studio-1")) {
      try LocalPack.open(folder.url, trusting: ["other": MadePack.key().privateKey.publicKey])
    }
    // The unsigned manifest beside it counts for nothing.
    try Data("{}".utf8).write(to: folder.url.appendingPathComponent("character.json"))
    let pack = try LocalPack.open(folder.url, trusting: MadePack.trusted())
    #expect(pack.manifest == made.manifest)
    #expect(try pack.signed == made.signed())
    try pack.verify()
  }

  @Test("a signed manifest that was changed does not fall back to the unsigned one")
  func noFallback() throws {
    let folder = try TestFolder()
    try MadePack.usual().write(to: folder.url)
    try Data("{}".utf8).write(to: folder.url.appendingPathComponent("character.signed.json"))
    #expect(throws: PackError.self) { try LocalPack.open(folder.url, trusting: MadePack.trusted()) }
  }

  @Test("a file with wrong bytes, a wrong size or no bytes at all is refused by name")
  func damaged() throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    try made.write(to: folder.url)
    let pack = try LocalPack.open(folder.url)
    let puppet = folder.url.appendingPathComponent("puppet.bin")
    try Data(count: 4500).write(to: puppet)
    #expect(throws: PackError.wrongHash(path: "puppet.bin")) { try pack.read("puppet.bin") }
    #expect(throws: PackError.wrongHash(path: "puppet.bin")) { try pack.verify() }
    try Data(count: 4499).write(to: puppet)
    #expect(throws: PackError.wrongSize(path: "puppet.bin", expected: 4500, found: 4499)) {
      try pack.read("puppet.bin")
    }
    try FileManager.default.removeItem(at: puppet)
    #expect(throws: PackError.missingFile(path: "puppet.bin")) { try pack.verify() }
    #expect(mkfifo(puppet.path, 0o600) == 0)
    #expect(throws: PackError.unreadable(path: puppet.path)) { try pack.read("puppet.bin") }
    #expect(throws: PackError.missingFile(path: "other.bin")) { try pack.read("other.bin") }
  }

  @Test("a link inside the folder is followed, one that leaves it is refused")
  func links() throws {
    let folder = try TestFolder()
    let outside = try TestFolder()
    let made = try MadePack.usual()
    try made.write(to: folder.url)
    let files = FileManager.default
    let puppet = folder.url.appendingPathComponent("puppet.bin")
    try files.moveItem(at: puppet, to: folder.url.appendingPathComponent("store.bin"))
    try files.createSymbolicLink(atPath: puppet.path, withDestinationPath: "store.bin")
    let pack = try LocalPack.open(folder.url)
    #expect(try pack.read("puppet.bin") == made.contents["puppet.bin"])
    try files.removeItem(at: puppet)
    let target = outside.url.appendingPathComponent("puppet.bin")
    try Data(made.contents["puppet.bin"] ?? []).write(to: target)
    try files.createSymbolicLink(at: puppet, withDestinationURL: target)
    #expect(throws: PackError.invalidManifest(reason: "puppet.bin leads out of the folder")) {
      try pack.read("puppet.bin")
    }
    try files.removeItem(at: folder.url.appendingPathComponent("idle"))
    try Data(made.contents["idle/1.jpg"] ?? []).write(to: outside.url.appendingPathComponent("1.jpg"))
    try files.createSymbolicLink(
      at: folder.url.appendingPathComponent("idle"), withDestinationURL: outside.url)
    #expect(throws: PackError.self) { try pack.read("idle/1.jpg") }
    let manifest = folder.url.appendingPathComponent("character.json")
    try files.moveItem(at: manifest, to: outside.url.appendingPathComponent("character.json"))
    try files.createSymbolicLink(
      at: manifest, withDestinationURL: outside.url.appendingPathComponent("character.json"))
    #expect(throws: PackError.self) { try LocalPack.open(folder.url) }
  }
}
