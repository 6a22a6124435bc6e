import Foundation
import Testing

@testable import YoobStudio

@Suite("What killed programs left behind")
struct LeftOversTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "left-\(UUID().uuidString)")

  private func make(_ names: [String]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in names {
      if name.hasSuffix("/") {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(name + "inside"), withIntermediateDirectories: true)
      } else {
        try Data([1]).write(to: folder.appendingPathComponent(name))
      }
    }
  }

  @Test("goes when its process is dead, and nothing else does")
  func sweep() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let kept = [
      ".film.mp4.7.part.mp4", ".film.mp4.x.part.mp4", ".film.mp4.8.part.webm", ".film.mp4.8.mp4",
      ".other.mp4.8.part.mp4", "film.mp4", "yoob-7-a.log", "yoob-cli-8", "yoob-browser-1", "other-8-a",
    ]
    try make(kept + [".film.mp4.8.part.mp4", "yoob-8-a.log", "yoob-8-b/"])
    LeftOvers.sweep(film: folder.appendingPathComponent("film.mp4"), temporary: folder) { $0 == 7 }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == kept.sorted())
  }

  @Test("is named so that it is found again")
  func names() {
    let film = folder.appendingPathComponent("film.MP4")
    #expect(LeftOvers.part(of: film, process: 9).lastPathComponent == ".film.MP4.9.part.mp4")
    #expect(LeftOvers.temporaryName().lastPathComponent.hasPrefix("yoob-\(getpid())-"))
  }

  @Test("a process is alive while it runs and not after")
  func processes() throws {
    #expect(LeftOvers.isAlive(getpid()))
    #expect(LeftOvers.isAlive(1))
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "exit 0"]
    try child.run()
    child.waitUntilExit()
    #expect(!LeftOvers.isAlive(child.processIdentifier))
  }
}
