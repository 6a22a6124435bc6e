import Foundation
import VoiceAudio
import Yoob
import YoobCrypto
import YoobNet
import YoobPack

/// How fast a character is downloaded, verified and stored from a server on this machine, beside a plain copy
/// of the same bytes with their SHA-256, and what memory it takes.
struct BenchDownload {
  /// Mebibytes of the character.
  var megabytes = 256
  var rounds = 3
  var isQuiet = false

  private static let character = "bench-character"

  func run() async throws -> BenchReport {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-download-\(UUID())")
    defer { try? FileManager.default.removeItem(at: base) }
    let bar = ProgressBar("Downloading", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    let published = try publish(base)
    let tree = published.tree
    guard let files = StaticFiles(root: tree.path) else { throw FileFault("\(tree.path) cannot be served.") }
    let server = HTTPServer(
      HTTPServerConfiguration(port: 0),
      handlers: HTTPServerHandlers(respond: { request in
        files.respond(to: request, path: String(request.path.dropFirst("/v1".count)))
      }))
    let port = try await server.start()
    var report = BenchReport(name: "download", command: "yoob bench download --megabytes \(megabytes)")
    var ratios: [Double] = []
    var rates: [Double] = []
    for round in 0..<rounds {
      bar.update(Double(round) / Double(rounds), remark: "round \(round + 1) of \(rounds)")
      let copied = try seconds { try copy(published.file, to: base.appendingPathComponent("copy")) }
      let cache = PackCache(folder: base.appendingPathComponent("cache-\(round)"))
      let before = BenchMachine.residentMegabytes
      let clock = ContinuousClock()
      let start = clock.now
      let request = PackRequest(
        character: Self.character, keys: published.keys, sdk: try sdk())
      let pack = try await cache.load(
        request, from: CharacterDownloads.fetcher(base: "http://127.0.0.1:\(port)", token: nil))
      let downloaded = (clock.now - start) / .seconds(1)
      _ = pack
      rates.append(Double(megabytes) / downloaded)
      ratios.append(copied / downloaded)
      report.add("memory_growth_mb", max(0, BenchMachine.residentMegabytes - before))
      try? FileManager.default.removeItem(at: cache.folder)
    }
    await server.stop()
    report.add("download_mb_per_second", rates, unit: "MB/s")
    report.add("share_of_copy_speed", ratios.sorted()[ratios.count / 2])
    report.add("memory_peak_mb", BenchMachine.peakMegabytes)
    let middle = BenchReport.Summary.rounded(ratios.sorted()[ratios.count / 2])
    report.table.append(
      "\(megabytes) MB from this machine: \(Int(rates.sorted()[rates.count / 2])) MB/s, \(middle) of the speed of "
        + "a plain copy with SHA-256; \(Int(BenchMachine.peakMegabytes)) MB of memory at most")
    return report
  }

  private func sdk() throws -> SDKVersion {
    guard let version = SDKVersion(Yoob.version) else { throw FileFault("The SDK has no version.") }
    return version
  }

  /// A signed character of random bytes, as a CDN serves it.
  private func publish(_ base: URL) throws -> (tree: URL, file: URL, keys: TrustedKeys) {
    let source = base.appendingPathComponent("source")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    var random = SplitMix64(seed: 7)
    let file = source.appendingPathComponent("rest.bin")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let handle = try FileHandle(forWritingTo: file)
    for _ in 0..<megabytes {
      var words = [UInt64](repeating: 0, count: 1 << 17)
      for index in words.indices { words[index] = random.next() }
      try words.withUnsafeBytes { try handle.write(contentsOf: Data($0)) }
    }
    try handle.close()
    try Data([0xFF, 0xD8, 0xFF]).write(to: source.appendingPathComponent("poster.jpg"))
    let description = """
      {"schema": 1, "character": "\(Self.character)", "version": "2026.01.01.1", "engine": "puppet",
       "displayName": "Bench", "width": 1080, "height": 1920, "poster": "poster.jpg", "files": []}
      """
    try Data(description.utf8).write(to: source.appendingPathComponent("character.json"))
    try PackBuilder.write(try PackBuilder.build(source), to: source)
    let key = try SigningKey(privateKey: Ed25519PrivateKey.generate())
    let keys = [key.id: key.privateKey.publicKey]
    let tree = base.appendingPathComponent("tree")
    try PackBuilder.publish(source, try PackBuilder.sign(source, with: key), to: tree, trusting: keys)
    return (tree, file, keys)
  }

  /// Reads a file, hashes it and writes it, a mebibyte at a time, and flushes it.
  private func copy(_ file: URL, to target: URL) throws {
    _ = FileManager.default.createFile(atPath: target.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: target) }
    let (source, sink) = (try FileHandle(forReadingFrom: file), try FileHandle(forWritingTo: target))
    let hasher = try SHA256Hasher()
    while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
      try hasher.update([UInt8](piece))
      try sink.write(contentsOf: piece)
    }
    _ = try hasher.digest()
    try sink.synchronize()
    try sink.close()
  }

  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    return try clock.measure(body) / .seconds(1)
  }
}
