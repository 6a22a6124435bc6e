import Foundation
import VoiceAudio
import VoiceIO
import YoobCrypto
import YoobNet
import YoobPack

/// Whether a download that is killed goes on where it was: `yoob pack verify` in processes that are ended by
/// SIGKILL at random moments, some of whose chunks are damaged afterwards, over one cache.
///
/// Each life may fetch again only what the last one had on its way, and what was damaged.
final class BenchResume {
  let program: URL
  var kills = 200
  var megabytes = 64
  var isQuiet = false

  /// Chunks that were asked for since `forget`.
  private let asked = Guarded<[String]>([])

  init(program: URL) { self.program = program }

  /// What is counted.
  private struct Count {
    var kills = 0
    var completed = 0
    var refetched = 0
    var mostOnTheirWay = 0
    var wrong = 0
    var damaged = 0
  }

  func run() async throws -> BenchReport {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-resume-\(UUID())")
    defer { try? FileManager.default.removeItem(at: base) }
    let bar = ProgressBar("Killed in the middle of a download", isQuiet: isQuiet, inLines: true)
    defer { bar.finish() }
    let character = try BenchCharacter(megabytes: megabytes, in: base)
    let files = try character.files()
    let asked = asked
    let server = HTTPServer(
      HTTPServerConfiguration(port: 0),
      handlers: HTTPServerHandlers(respond: { request in
        if let range = request.path.range(of: "/chunks/") {
          asked.withLock { $0.append(String(request.path[range.upperBound...])) }
        }
        return files.respond(to: request, path: String(request.path.dropFirst("/v1".count)))
      }))
    let port = try await server.start()
    let keys = base.appendingPathComponent("keys.json")
    let text = character.keys.map { "\"\($0.key)\": \"\($0.value.base64)\"" }.joined(separator: ", ")
    try Data("{\(text)}".utf8).write(to: keys)
    let cache = base.appendingPathComponent("cache")
    let words = [
      "pack", "verify", "http://127.0.0.1:\(port)/v1/characters/\(BenchCharacter.id)", "--keys", keys.path,
      "--cache",
      cache.path, "--quiet",
    ]
    let whole = try await life(words, until: nil).seconds
    try check(character, in: cache)
    try FileManager.default.removeItem(at: cache)
    var random = SplitMix64(seed: 23)
    var count = Count()
    var finished: Set<String> = []
    while count.kills < kills {
      bar.update(Double(count.kills) / Double(kills), remark: "\(count.kills) of \(kills)")
      asked.withLock { $0 = [] }
      // The moment has the same chance anywhere in what a load takes.
      let moment = whole * Double(random.next() % 1000) / 1000
      let end = try await life(words, until: moment)
      let begun = asked.withLock { $0 }
      count.refetched += begun.filter(finished.contains).count + begun.count - Set(begun).count
      if end.wasKilled {
        count.kills += 1
        finished = try chunks(character, in: cache)
        count.mostOnTheirWay = max(count.mostOnTheirWay, Set(begun).subtracting(finished).count)
        if count.kills % 10 == 0, let victim = finished.sorted().first {
          try damage(cache.appendingPathComponent("chunks/\(victim)"), at: Int(random.next() % 1024))
          finished.remove(victim)
          count.damaged += 1
        }
      } else {
        guard end.status == 0 else {
          throw FileFault("A download ended with \(end.status) instead of going on.")
        }
        count.completed += 1
        do { try check(character, in: cache) } catch { count.wrong += 1 }
        try FileManager.default.removeItem(at: cache)
        finished = []
      }
    }
    // The last one is left to end.
    guard try await life(words, until: nil).status == 0 else {
      throw FileFault("The last download did not go on.")
    }
    do { try check(character, in: cache) } catch { count.wrong += 1 }
    await server.stop()
    return report(count)
  }

  private func report(_ count: Count) -> BenchReport {
    var report = BenchReport(
      name: "resume", command: "yoob bench resume --kills \(kills) --megabytes \(megabytes)")
    report.add("kills", Double(count.kills))
    report.add("completed", Double(count.completed + 1))
    report.add("finished_chunks_fetched_again", Double(count.refetched))
    report.add("most_chunks_on_their_way", Double(count.mostOnTheirWay))
    report.add("damaged_chunks", Double(count.damaged))
    report.add("wrong_bytes_accepted", Double(count.wrong))
    report.table.append(
      "\(count.kills) downloads of \(megabytes) MB were killed and \(count.completed + 1) came to their end. Chunks "
        + "that were whole on the disk and were fetched again: \(count.refetched). Chunks that a kill cost: at most "
        + "\(count.mostOnTheirWay). Of \(count.damaged) chunks that were damaged on the disk, taken for whole: "
        + "\(count.wrong).")
    return report
  }

  private struct End {
    var wasKilled: Bool
    var status: Int32
    var seconds: Double
  }

  /// Runs the program; kills it after so many seconds.
  private func life(_ words: [String], until moment: Double?) async throws -> End {
    let process = Process()
    process.executableURL = program
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let clock = MonotonicClock()
    let start = clock.now
    try process.run()
    if let moment {
      await clock.sleep(until: start + moment)
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    let wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    return End(wasKilled: wasKilled, status: process.terminationStatus, seconds: clock.now - start)
  }

  /// The chunks that are whole on the disk.
  private func chunks(_ character: BenchCharacter, in cache: URL) throws -> Set<String> {
    var whole: Set<String> = []
    for chunk in character.manifest.files.flatMap(\.chunks) {
      let path = cache.appendingPathComponent("chunks/\(chunk.sha256)").path
      guard let data = FileManager.default.contents(atPath: path), data.count == chunk.size else { continue }
      let hasher = try SHA256Hasher()
      try hasher.update([UInt8](data))
      if "\(try hasher.digest())" == chunk.sha256 { whole.insert(chunk.sha256) }
    }
    return whole
  }

  /// Throws unless every chunk is in the cache, byte for byte.
  private func check(_ character: BenchCharacter, in cache: URL) throws {
    let wanted = Set(character.manifest.files.flatMap { $0.chunks.map(\.sha256) })
    guard try chunks(character, in: cache) == wanted else { throw FileFault("A download is not whole.") }
  }

  private func damage(_ file: URL, at offset: Int) throws {
    var data = try Data(contentsOf: file)
    data[min(offset, data.count - 1)] ^= 0x10
    try data.write(to: file)
  }
}
