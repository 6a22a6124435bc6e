import Foundation
import Testing

@testable import YoobPack

@Suite("A chunk on its way")
struct PartialChunkTests {
  static let bytes = Array("a chunk of a pack".utf8)

  static func chunk() throws -> CharacterManifest.File.Chunk {
    .init(sha256: try Hashing.hex(of: bytes), size: bytes.count)
  }

  @Test("in pieces of any size it becomes the chunk, and its own file is gone")
  func pieces() throws {
    let folder = try TestFolder()
    let (path, target) = (folder.url.path + "/part", folder.url.path + "/chunk")
    for size in 1...Self.bytes.count {
      let partial = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
      for start in stride(from: 0, to: Self.bytes.count, by: size) {
        try partial.receive(Array(Self.bytes[start..<min(start + size, Self.bytes.count)]))
      }
      try partial.finish(as: target)
      #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: target))) == Self.bytes)
      #expect(ReadableFile.size(of: path) == nil)
    }
  }

  @Test("one at a time has it; when it is given up or finished, the next begins anew")
  func exclusive() throws {
    let folder = try TestFolder()
    let (path, target) = (folder.url.path + "/part", folder.url.path + "/chunk")
    let first = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    #expect(try PartialChunk.attempt(Self.chunk(), at: path) { _ in } == nil)
    try first.receive([1, 2, 3])
    first.discard()
    let second = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    try second.receive(Self.bytes)
    try second.finish(as: target)
    let third = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    third.discard()
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: target))) == Self.bytes)
  }

  @Test("who opened the file while another finished it gets no hold of the chunk")
  func renamed() throws {
    let folder = try TestFolder()
    let (path, target) = (folder.url.path + "/part", folder.url.path + "/chunk")
    let descriptor = try {
      let first = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
      let descriptor = open(path, O_RDWR)
      #expect(!PartialChunk.owns(descriptor, path))
      try first.receive(Self.bytes)
      try first.finish(as: target)
      return descriptor
    }()
    defer { close(descriptor) }
    #expect(!PartialChunk.owns(descriptor, path))
    let next = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    #expect(!PartialChunk.owns(descriptor, path))
    next.discard()
  }

  @Test("a file that was removed and begun by another program is not taken for one's own")
  func replaced() throws {
    let folder = try TestFolder()
    let (path, target) = (folder.url.path + "/part", folder.url.path + "/chunk")
    let first = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    try first.receive(Self.bytes)
    try FileManager.default.removeItem(atPath: path)
    let second = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    try second.receive([1, 2, 3])
    #expect(throws: PackError.unwritable(path: path, reason: "somebody removed it meanwhile")) {
      try first.finish(as: target)
    }
    #expect(ReadableFile.size(of: target) == nil)
    first.discard()
    #expect(ReadableFile.size(of: path) == 3)
  }

  @Test("what a killed program left is begun anew")
  func leftover() throws {
    let folder = try TestFolder()
    let (path, target) = (folder.url.path + "/part", folder.url.path + "/chunk")
    try Data(count: 4000).write(to: URL(fileURLWithPath: path))
    let partial = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    try partial.receive(Self.bytes)
    try partial.finish(as: target)
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: target))) == Self.bytes)
  }

  @Test("bytes that come after it was finished or given up change nothing")
  func late() throws {
    let folder = try TestFolder()
    let (path, target) = (folder.url.path + "/part", folder.url.path + "/chunk")
    let partial = try #require(try PartialChunk.attempt(Self.chunk(), at: path) { _ in })
    try partial.receive(Self.bytes)
    try partial.finish(as: target)
    #expect(throws: CancellationError.self) { try partial.receive([]) }
    #expect(ReadableFile.size(of: target) == Self.bytes.count)
  }

  @Test("progress takes back what turned out useless")
  func progress() throws {
    let folder = try TestFolder()
    let told = LockedBox<[Int]>([])
    let partial = try #require(
      try PartialChunk.attempt(Self.chunk(), at: folder.url.path + "/part") { change in
        told.withLock { $0.append(change) }
      })
    try partial.receive([1, 2])
    try partial.receive([3])
    partial.discard()
    #expect(told.withLock { $0 } == [2, 1, -3])
  }

  /// A CDN whose chunks have no end.
  struct EndlessCDN: PackFetching {
    let envelope: [UInt8]
    let delivered = LockedBox<Int>(0)

    func manifest(character: String, version: String?) async throws -> [UInt8] { envelope }

    func chunk(
      sha256: String, size: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws {
      for _ in 0..<1_000_000 {
        try receive(Array(repeating: 0, count: 100))
        delivered.withLock { $0 += 100 }
      }
    }
  }

  @Test("a chunk that does not end is broken off at its size")
  func endless() async throws {
    let folder = try TestFolder()
    let made = try MadePack.usual()
    let cdn = EndlessCDN(envelope: try made.signed().json)
    await #expect {
      try await PackCache(folder: folder.url).load(made.request(), from: cdn, retrying: .none)
    } throws: {
      "\($0)".contains("more than")
    }
    #expect(cdn.delivered.withLock { $0 } <= 6 * 1024)
  }
}
