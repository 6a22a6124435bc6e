import Foundation
import Testing

@testable import YoobPack

@Suite("Pack builder")
struct PackBuilderTests {
  static func describe(_ folder: URL, _ extra: String = "", version: String = "2026.11.30.1") throws {
    let text = """
      {"character": "luna", "version": "\(version)", "displayName": "Luna", "width": 1080,
       "height": 1920, "poster": "poster.jpg", "idle": {"frames": ["idle/1.jpg"], "fps": 8}\(extra)}
      """
    try Data(text.utf8).write(to: folder.appendingPathComponent("character.json"))
  }

  static func fill(_ folder: URL) throws -> [String: [UInt8]] {
    var generator = SeededGenerator(seed: 3)
    let made = try MadePack(
      [
        ("poster.jpg", generator.bytes(2000), 0), ("idle/1.jpg", generator.bytes(10), 1),
        ("mouth.bin", generator.bytes((2 << 20) + 5), 2), ("empty.bin", [], 2),
      ])
    try made.write(to: folder)
    return made.contents
  }

  @Test("files are found, hashed and cut into chunks of 1 MiB, with tiers by their use")
  func build() throws {
    let folder = try TestFolder()
    let contents = try Self.fill(folder.url)
    try Self.describe(folder.url)
    try Data([1]).write(to: folder.url.appendingPathComponent(".DS_Store"))
    let manifest = try PackBuilder.build(folder.url)
    #expect(manifest.files.map(\.path) == ["empty.bin", "idle/1.jpg", "mouth.bin", "poster.jpg"])
    #expect(manifest.files.map(\.tier) == [2, 1, 2, 0])
    #expect(manifest.files.map(\.size) == [0, 10, (2 << 20) + 5, 2000])
    #expect(manifest.files[2].chunks.map(\.size) == [1 << 20, 1 << 20, 5])
    try PackBuilder.write(manifest, to: folder.url)
    let pack = try LocalPack.open(folder.url)
    try pack.verify()
    for (path, bytes) in contents { #expect(try pack.read(path) == bytes) }
    #expect(try PackBuilder.build(folder.url) == manifest)
  }

  @Test("files that are listed keep their order and tier")
  func listed() throws {
    let folder = try TestFolder()
    _ = try Self.fill(folder.url)
    try Self.describe(
      folder.url, ", \"files\": [{\"path\": \"mouth.bin\", \"tier\": 3}, {\"path\": \"poster.jpg\"}]")
    let manifest = try PackBuilder.build(folder.url)
    #expect(manifest.files.map(\.path) == ["mouth.bin", "poster.jpg", "empty.bin", "idle/1.jpg"])
    #expect(manifest.files.map(\.tier) == [3, 0, 2, 1])
    try Self.describe(folder.url, ", \"files\": [{\"path\": \"gone.bin\"}]")
    #expect(throws: PackError.missingFile(path: "gone.bin")) { try PackBuilder.build(folder.url) }
    try Self.describe(folder.url, ", \"files\": [{\"path\": \"../poster.jpg\"}]")
    #expect(throws: PackError.self) { try PackBuilder.build(folder.url) }
  }

  @Test("a description that lacks a field says which")
  func description() throws {
    let folder = try TestFolder()
    #expect(throws: PackError.unreadable(path: folder.url.appendingPathComponent("character.json").path)) {
      try PackBuilder.build(folder.url)
    }
    try Data("{\"character\":\"luna\"}".utf8).write(
      to: folder.url.appendingPathComponent("character.json"))
    #expect(throws: PackError.invalidManifest(reason: "“version” is missing")) {
      try PackBuilder.build(folder.url)
    }
  }

  @Test("a link that leaves the folder is not packed")
  func link() throws {
    let folder = try TestFolder()
    let outside = try TestFolder()
    _ = try Self.fill(folder.url)
    try Self.describe(folder.url)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("secrets"), withDestinationURL: outside.url)
    #expect(throws: PackError.invalidManifest(reason: "secrets leads out of the folder")) {
      try PackBuilder.build(folder.url)
    }
  }

  @Test("a damaged pack is not signed, and a rebuilt one loses the signature of the old")
  func signing() throws {
    let folder = try TestFolder()
    _ = try Self.fill(folder.url)
    try Self.describe(folder.url)
    try PackBuilder.write(try PackBuilder.build(folder.url), to: folder.url)
    try PackBuilder.sign(folder.url, with: MadePack.key())
    try PackBuilder.write(try PackBuilder.build(folder.url), to: folder.url)
    _ = try LocalPack.open(folder.url, trusting: MadePack.trusted())
    try Data([7]).write(to: folder.url.appendingPathComponent("poster.jpg"))
    #expect(throws: PackError.self) { try PackBuilder.sign(folder.url, with: MadePack.key()) }
    try PackBuilder.write(try PackBuilder.build(folder.url), to: folder.url)
    #expect(try LocalPack.open(folder.url).signed == nil)
  }

  @Test("the published tree holds every chunk under its hash, and latest never goes back")
  func publish() throws {
    let tree = try TestFolder()
    let keys = try MadePack.trusted()
    for version in ["2026.11.30.9", "2026.11.30.10", "2026.11.30.2"] {
      let folder = try TestFolder()
      _ = try Self.fill(folder.url)
      try Data(version.utf8).write(to: folder.url.appendingPathComponent("extra.bin"))
      try Self.describe(folder.url, version: version)
      try PackBuilder.write(try PackBuilder.build(folder.url), to: folder.url)
      let signed = try PackBuilder.sign(folder.url, with: MadePack.key())
      try PackBuilder.publish(folder.url, signed, to: tree.url, trusting: keys)
      try PackBuilder.publish(folder.url, signed, to: tree.url, trusting: keys)
      let published = try Data(
        contentsOf: tree.url.appendingPathComponent("characters/luna/\(version).json"))
      #expect([UInt8](published) == signed.json)
    }
    let latest = try SignedManifest(
      json: [UInt8](Data(contentsOf: tree.url.appendingPathComponent("characters/luna/latest.json"))))
    #expect(try latest.open(trusting: keys).version == "2026.11.30.10")
    let chunks = tree.url.appendingPathComponent("chunks")
    let names = try FileManager.default.contentsOfDirectory(atPath: chunks.path)
    for name in names {
      #expect(try Hashing.hex(of: [UInt8](Data(contentsOf: chunks.appendingPathComponent(name)))) == name)
    }
    #expect(names.count == 8)
  }

  @Test("a version that is published is never replaced by other content")
  func immutable() throws {
    let tree = try TestFolder()
    let folder = try TestFolder()
    _ = try Self.fill(folder.url)
    try Self.describe(folder.url)
    for (content, isFine) in [(UInt8(1), true), (2, false)] {
      try Data([content]).write(to: folder.url.appendingPathComponent("extra.bin"))
      try PackBuilder.write(try PackBuilder.build(folder.url), to: folder.url)
      let signed = try PackBuilder.sign(folder.url, with: MadePack.key())
      if isFine {
        try PackBuilder.publish(folder.url, signed, to: tree.url, trusting: MadePack.trusted())
      } else {
        #expect(throws: PackError.self) {
          try PackBuilder.publish(folder.url, signed, to: tree.url, trusting: MadePack.trusted())
        }
      }
    }
  }

  @Test("what a killed publication left is swept by the next; what is being written, and other files, stay")
  func leftovers() throws {
    let tree = try TestFolder()
    let folder = try TestFolder()
    _ = try Self.fill(folder.url)
    try Self.describe(folder.url)
    try PackBuilder.write(try PackBuilder.build(folder.url), to: folder.url)
    let signed = try PackBuilder.sign(folder.url, with: MadePack.key())
    try PackBuilder.publish(folder.url, signed, to: tree.url, trusting: MadePack.trusted())
    let files = FileManager.default
    for place in ["chunks", "characters/luna"] {
      let names = [".\(UUID()).part", ".\(UUID()).part", ".mine.part"]
      let paths = names.map { tree.url.appendingPathComponent("\(place)/\($0)").path }
      for path in paths { #expect(files.createFile(atPath: path, contents: Data([1]))) }
      for path in [paths[0], paths[2]] {
        try files.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: path)
      }
      try PackBuilder.publish(folder.url, signed, to: tree.url, trusting: MadePack.trusted())
      #expect(paths.map { files.fileExists(atPath: $0) } == [false, true, true])
    }
  }
}
