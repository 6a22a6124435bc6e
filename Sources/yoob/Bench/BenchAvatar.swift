import Foundation
import VoiceAudio
import VoiceIO
import Yoob
import YoobCrypto
import YoobNet
import YoobPack

/// What an avatar leaves behind: made, prepared, heard, seen and closed many times, from a folder and from a
/// service on this machine in turn; and how soon after `speak` its sound begins and its lips move.
@available(macOS 15, iOS 18, *)
final class BenchAvatar {
  let pack: URL
  let fixtures: URL
  var cycles = 200
  var isQuiet = false

  /// Work that was begun and has not ended.
  private let alive = Guarded(0)

  init(pack: URL, fixtures: URL) {
    self.pack = pack
    self.fixtures = fixtures
  }

  /// What a cycle ended with.
  private struct Sample {
    var megabytes = BenchMachine.residentMegabytes
    var threads = BenchMachine.threads
    var descriptors = BenchMachine.descriptors
    var tasks: Double
  }

  @MainActor func run() async throws -> BenchReport {
    let base = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-avatar-\(UUID())")
    defer { try? FileManager.default.removeItem(at: base) }
    let service = try LoopbackService(pack, in: base)
    let credentials = try await service.start()
    let clip = try SoundFile.read(fixtures.appendingPathComponent("question-france.wav").path)
    let pcm = Data(PCM16.encode(clip.samples))
    let bar = ProgressBar("Cycles", isQuiet: isQuiet, inLines: true)
    let clock = MonotonicClock()
    let cache = PackCache(folder: base.appendingPathComponent("cache"))
    var samples: [Sample] = []
    var sounds: [Double] = []
    var lips: [Double] = []
    for cycle in 0..<cycles {
      if cycle % 10 == 0 { bar.update(Double(cycle) / Double(cycles), remark: "\(cycle) of \(cycles)") }
      let source: YoobSource =
        cycle % 2 == 0 ? .local(pack) : .cloud(character: service.character) { credentials }
      let speaker = RecordingSink(clock: clock)
      let times = try await live(
        YoobAvatar(source, devices: devices(speaker, clock: clock, cache: cache)), speaker, saying: pcm,
        rate: clip.sampleRate, isInterrupted: cycle % 4 < 2, clock: clock)
      sounds.append(times.sound * 1000)
      lips.append(times.lips * 1000)
      // What was begun may take a moment to end.
      let end = clock.now + 2
      while alive.withLock({ $0 }) > 0, clock.now < end { await clock.sleep(for: 0.005) }
      samples.append(Sample(tasks: Double(alive.withLock { $0 })))
    }
    bar.finish()
    let counts = service.counts
    await service.stop()
    return report(samples, sounds, lips, counts)
  }

  /// One avatar from its first to its last moment; seconds from `speak` to its sound and to moving lips.
  @MainActor private func live(
    _ avatar: YoobAvatar, _ speaker: RecordingSink, saying pcm: Data, rate: Int, isInterrupted: Bool,
    clock: any PacingClock
  ) async throws -> (sound: Double, lips: Double) {
    try await avatar.prepare()
    let seen = Guarded<Double?>(nil)
    let frames = try avatar.frames(width: 180, height: 320, rate: 60)
    let viewer = Task {
      for await frame in frames where (frame.playhead ?? 0) > 0 {
        seen.withLock { $0 = $0 ?? clock.now }
      }
    }
    // The face stands before it speaks, as on a page.
    await clock.sleep(for: 0.05)
    let spoken = clock.now
    let half = pcm.count / 4 * 2
    try avatar.speak(pcm: pcm[..<half], sampleRate: rate)
    try avatar.speak(pcm: pcm[half...], sampleRate: rate)
    let patience = spoken + 10
    while seen.withLock({ $0 }) == nil, clock.now < patience { await clock.sleep(for: 0.002) }
    guard let start = speaker.segments.first?.start, let moved = seen.withLock({ $0 }) else {
      throw FileFault("An avatar was not heard and seen within 10 seconds.")
    }
    if isInterrupted {
      avatar.interrupt()
    } else {
      avatar.endSpeech()
      await clock.sleep(for: 0.2)
    }
    await avatar.close()
    await viewer.value
    return (speaker.origin + start - spoken, moved - spoken)
  }

  private func devices(
    _ speaker: RecordingSink, clock: any PacingClock, cache: PackCache
  ) -> AvatarDevices {
    let alive = alive
    @Sendable func counted(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      alive.withLock { $0 += 1 }
      return Task {
        await body()
        alive.withLock { $0 -= 1 }
      }
    }
    var devices = AvatarDevices(sink: speaker, clock: clock) { _ = counted($0) }
    devices.start = counted
    devices.cache = cache
    return devices
  }

  private func report(
    _ samples: [Sample], _ sounds: [Double], _ lips: [Double], _ counts: LoopbackService.Counts
  ) -> BenchReport {
    var report = BenchReport(name: "avatar", command: "yoob bench avatar --cycles \(cycles)")
    // By then the allocator has a heap for every thread of the pool, some 28 MB each.
    let late = Array(samples.dropFirst(min(60, samples.count / 3)))
    report.add("cycles", Double(samples.count))
    report.add("memory_growth_mb", BenchReport.growth(late.map(\.megabytes)))
    report.add("memory_peak_mb", BenchMachine.peakMegabytes)
    report.add("threads_growth", BenchReport.growth(late.map(\.threads)))
    report.add("descriptors_growth", BenchReport.growth(late.map(\.descriptors)))
    report.add("tasks_after_close", samples.map(\.tasks).max() ?? 0)
    report.add("sessions_opened", Double(samples.count / 2))
    report.add("sessions_ended", Double(counts.ended))
    report.add("sound_after_ms", sounds, unit: "ms")
    report.add("lips_after_ms", lips, unit: "ms")
    report.add("apart_ms", zip(sounds, lips).map { abs($1 - $0) }, unit: "ms")
    report.series = [
      "memory_mb": samples.map(\.megabytes), "threads": samples.map(\.threads),
      "descriptors": samples.map(\.descriptors),
    ]
    return report
  }
}
