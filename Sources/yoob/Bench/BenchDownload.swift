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

  func run() async throws -> BenchReport {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-download-\(UUID())")
    defer { try? FileManager.default.removeItem(at: base) }
    let bar = ProgressBar("Downloading", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    let published = try BenchCharacter(megabytes: megabytes, in: base)
    let files = try published.files()
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
        character: BenchCharacter.id, keys: published.keys, sdk: try BenchCharacter.sdk())
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
