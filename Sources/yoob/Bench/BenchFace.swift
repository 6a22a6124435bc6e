import Foundation
import YoobFace
import YoobPack
import YoobStudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `yoob bench face`: how long one frame of a face takes on one core with everything moving.
struct BenchFace {
  private static let size = 720
  private static let frameCount = 360
  private static let warmUp = 10
  /// Frames that one side draws before the other has its turn.
  private static let turn = 24

  /// The pack of the face.
  let packFolder: URL
  /// The source of the baseline to be run beside it, or nil.
  var baselineSource: URL?

  /// The time of one frame, in milliseconds.
  private struct Times {
    var hear: [Double] = []
    var advance: [Double] = []
    var raster: [Double] = []
    /// Motion, deformation and drawing: all that the baseline, which hears nothing, has a part of.
    var draw: [Double] = []
    /// Hearing too.
    var frame: [Double] = []
    var wall: [Double] = []
    var baseline: [Double] = []
  }

  /// Measures the face of a pack.
  func run() throws -> BenchReport {
    let (face, atlas) = try FilmMaker.face(try LocalPack.open(packFolder))
    let raster = try CPURasterizer(puppet: face.puppet, atlas: atlas, width: Self.size, height: Self.size)
    var command = "yoob bench face"
    var baseline: FaceBaseline?
    if let source = baselineSource {
      command += " --baseline"
      baseline = try FaceBaseline(source: source)
    }
    let times = try measure(face, raster, baseline)
    var report = BenchReport(name: "face", command: command)
    report.add("hear_cpu_ms", times.hear, unit: "ms")
    report.add("advance_cpu_ms", times.advance, unit: "ms")
    report.add("raster_cpu_ms", times.raster, unit: "ms")
    report.add("draw_cpu_ms", times.draw, unit: "ms")
    report.add("frame_cpu_ms", times.frame, unit: "ms")
    report.add("frame_wall_ms", times.wall, unit: "ms")
    compare(times, &report)
    try countAllocations(&report)
    return report
  }

  private func compare(_ times: Times, _ report: inout BenchReport) {
    report.add("baseline_cpu_ms", times.baseline, unit: "ms")
    if let ours = BenchReport.Summary(times.draw, unit: "ms"),
      let theirs = BenchReport.Summary(times.baseline, unit: "ms"), ours.p95 > 0
    {
      report.add("baseline_p95_ratio", theirs.p95 / ours.p95)
    } else {
      let reason = baselineSource == nil ? "add --baseline" : "there is no C compiler (cc) on PATH"
      report.omit("baseline_p95_ratio", because: reason)
    }
  }

  /// Adds how many memory blocks a frame asks for, counted by the program that is built beside this one.
  private func countAllocations(_ report: inout BenchReport) throws {
    let metric = "frame_allocations"
    let name = "YoobFaceAllocations"
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      return report.omit(metric, because: "build it first: swift build -c release --product \(name)")
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = [packFolder.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: (try output.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    process.waitUntilExit()
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard process.terminationStatus == 0, numbers.count == 3, numbers[0] > 0 else {
      return report.omit(metric, because: text.isEmpty ? "\(name) failed" : text)
    }
    report.add(metric, (numbers[1] + numbers[2]) / numbers[0])
  }

  /// Plays twelve seconds; the baseline takes turns with the face.
  private func measure(
    _ face: FaceEngine, _ raster: CPURasterizer, _ baseline: FaceBaseline?
  ) throws -> Times {
    var times = Times()
    var scene = FaceScene(face)
    _ = try baseline?.draw(2)
    for index in 0..<(Self.frameCount + Self.warmUp) {
      if index >= Self.warmUp, (index - Self.warmUp) % Self.turn == 0, let baseline {
        times.baseline += try baseline.draw(Self.turn)
      }
      let samples = scene.prepare(face)
      let wall = Self.clock(CLOCK_MONOTONIC)
      let start = Self.clock(CLOCK_THREAD_CPUTIME_ID)
      samples.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: FaceScene.sampleRate) }
      let heard = Self.clock(CLOCK_THREAD_CPUTIME_ID)
      face.advance(to: scene.time, playhead: scene.time)
      let advanced = Self.clock(CLOCK_THREAD_CPUTIME_ID)
      raster.render(face)
      let drawn = Self.clock(CLOCK_THREAD_CPUTIME_ID)
      scene.advance()
      if index < Self.warmUp { continue }
      times.hear.append(heard - start)
      times.advance.append(advanced - heard)
      times.raster.append(drawn - advanced)
      times.draw.append(drawn - heard)
      times.frame.append(drawn - start)
      times.wall.append(Self.clock(CLOCK_MONOTONIC) - wall)
    }
    return times
  }

  private static func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
