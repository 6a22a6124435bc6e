import Foundation
import Testing

@testable import YoobNet

@Suite("Static files")
struct StaticFilesTests {
  /// A folder with a few files, and one beside it that nobody may see.
  private final class Site {
    let base: URL
    let files: StaticFiles

    init() throws {
      base = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      let root = base.appendingPathComponent("web")
      let manager = FileManager.default
      try manager.createDirectory(at: root.appendingPathComponent("lib"), withIntermediateDirectories: true)
      for (name, content) in [
        "index.html": "<p>", "app.js": "0123456789", "lib/face.wasm": "w", ".secret": "s", "../outside.txt": "o",
        "a b.txt": "space",
      ] {
        try Data(content.utf8).write(to: root.appendingPathComponent(name))
      }
      try manager.createSymbolicLink(
        at: root.appendingPathComponent("out.txt"), withDestinationURL: base.appendingPathComponent("outside.txt"))
      try manager.createSymbolicLink(at: root.appendingPathComponent("up"), withDestinationURL: base)
      try manager.createSymbolicLink(
        atPath: root.appendingPathComponent("in.js").path, withDestinationPath: "app.js")
      files = try #require(StaticFiles(root: root.path))
    }

    deinit { try? FileManager.default.removeItem(at: base) }

    func get(_ path: String, method: String = "GET", _ headers: HTTPHeaders = [:]) -> HTTPResponse {
      files.respond(to: HTTPRequest(method: method, path: path, headers: headers), path: path)
    }
  }

  @Test(
    "a file comes with its type",
    arguments: [
      ("/", "text/html; charset=utf-8"), ("/app.js", "text/javascript; charset=utf-8"),
      ("/lib/face.wasm", "application/wasm"), ("/a b.txt", "text/plain; charset=utf-8"),
      ("/in.js", "text/javascript; charset=utf-8"),
    ])
  func types(path: String, type: String) throws {
    let response = try Site().get(path)
    #expect(response.status == 200)
    #expect(response.headers["content-type"] == type)
  }

  @Test(
    "nothing outside the folder, no hidden file and no folder is served",
    arguments: [
      "/../outside.txt", "/lib/../../outside.txt", "/out.txt", "/up/outside.txt", "/.secret", "/lib", "/lib/",
      "/app.js/", "/nothing", "", "app.js", "/..", "/lib\\..\\app.js", "/app.js\0.png", "/./.secret", "//../outside.txt",
    ])
  func escapes(path: String) throws {
    #expect(try Site().get(path).status == 404)
  }

  @Test("a tag that is still good answers without a body", arguments: ["%", "W/%", "\"x\", %", "*"])
  func notModified(pattern: String) throws {
    let site = try Site()
    let tag = try #require(site.get("/app.js").headers["etag"])
    let response = site.get("/app.js", ["if-none-match": pattern.replacingOccurrences(of: "%", with: tag)])
    #expect(response.status == 304)
    #expect(response.body.count == 0)
  }

  @Test("a changed file has another tag")
  func changedFile() throws {
    let site = try Site()
    let tag = site.get("/app.js").headers["etag"]
    try Data("01234567890".utf8).write(to: site.base.appendingPathComponent("web/app.js"))
    #expect(site.get("/app.js").headers["etag"] != tag)
  }

  @Test("a part of a file")
  func part() throws {
    let response = try Site().get("/app.js", ["range": "bytes=2-5"])
    #expect(response.status == 206)
    #expect(response.headers["content-range"] == "bytes 2-5/10")
    guard case .file(_, let offset, let length) = response.body else {
      Issue.record("the body is no file")
      return
    }
    #expect((offset, length) == (2, 4))
  }

  @Test("only GET and HEAD")
  func methods() throws {
    let response = try Site().get("/app.js", method: "POST")
    #expect(response.status == 405)
    #expect(response.headers["allow"] == "GET, HEAD")
  }

  @Test(
    "ranges",
    arguments: [
      (nil, .whole), ("bytes=0-", .part(0..<10)), ("bytes=9-9", .part(9..<10)), ("bytes=-3", .part(7..<10)),
      ("bytes=-99", .part(0..<10)), ("bytes=4-99", .part(4..<10)), ("bytes=10-", .unsatisfiable),
      ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=1-2,4-5", .whole), ("bytes=a-b", .whole),
      ("items=0-1", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=+1-2", .whole),
      ("bytes=99999999999999999999-", .whole),
    ] as [(String?, ByteRange)])
  func ranges(field: String?, expected: ByteRange) {
    #expect(ByteRange(field, size: 10) == expected)
  }

  @Test("an empty resource has no range that can be satisfied")
  func emptyResource() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
  }
}
