import Foundation
import YoobStudio

/// The rasterizer in C of `Benchmarks/face-baseline`, compiled on the spot and run beside the face.
final class FaceBaseline {
  private let folder: URL
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  /// Compiles and starts it; nil without a C compiler. Throws: `FileFault` when it does not compile.
  init?(source: URL) throws {
    guard let compiler = Self.find(["cc", "gcc", "clang"]) else { return nil }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "yoob-baseline-\(UUID().uuidString)")
    try LeftOvers.makeFolder(folder)
    let program = folder.appendingPathComponent("rb")
    let build = Process()
    build.executableURL = compiler
    build.arguments = ["-O2", source.path, "-o", program.path, "-lm"]
    build.standardInput = FileHandle.nullDevice
    do {
      try build.run()
      build.waitUntilExit()
      guard build.terminationStatus == 0 else {
        throw FileFault("\(source.path) does not compile; the compiler's words are above.")
      }
      process.executableURL = program
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Draws frames and returns the processor time of each in milliseconds.
  func draw(_ frames: Int) throws -> [Double] {
    try input.fileHandleForWriting.write(contentsOf: Data("\(frames)\n".utf8))
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[unread.index(after: end)...])
        let times = line.split(separator: " ").compactMap { Double($0) }
        guard times.count == frames else { throw FileFault("The baseline wrote “\(line.prefix(60))”.") }
        return times
      }
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw FileFault("The baseline ended too early.") }
      unread.append(piece)
    }
  }

  private static func find(_ names: [String]) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for name in names {
      for folder in path.split(separator: ":") {
        let candidate = URL(fileURLWithPath: String(folder)).appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      }
    }
    return nil
  }
}
