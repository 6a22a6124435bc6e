import Foundation
import YoobFace
import YoobStudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `yoob bench face`: how long one frame of a face takes on one core with everything moving.
enum BenchFace {
  private static let size = 720
  private static let framesPerSecond = 30
  private static let sampleRate = 24_000
  private static let frameCount = 360

  /// The time of one frame, in milliseconds.
  private struct Times {
    var hear: [Double] = []
    var advance: [Double] = []
    var raster: [Double] = []
    var frame: [Double] = []
    var wall: [Double] = []
  }

  /// Measures the face of a pack.
  static func run(packFolder: URL) throws -> BenchReport {
    let (face, atlas) = try FilmMaker.face(packFolder)
    let raster = try CPURasterizer(puppet: face.puppet, atlas: atlas, width: size, height: size)
    let times = measure(face, raster)
    var report = BenchReport(name: "face", command: "yoob bench face")
    report.add("hear_cpu_ms", times.hear, unit: "ms")
    report.add("advance_cpu_ms", times.advance, unit: "ms")
    report.add("raster_cpu_ms", times.raster, unit: "ms")
    report.add("frame_cpu_ms", times.frame, unit: "ms")
    report.add("frame_wall_ms", times.wall, unit: "ms")
    return report
  }

  /// Plays twelve seconds: a nod, changing emotions and gaze, and a voice throughout.
  private static func measure(_ face: FaceEngine, _ raster: CPURasterizer) -> Times {
    var times = Times()
    let perFrame = sampleRate / framesPerSecond
    let warmUp = 10
    face.beginUtterance()
    var voice = Voice()
    // The first half second is heard in advance, as a player would have it buffered.
    append(voice.next(sampleRate / 2), face)
    for index in 0..<(frameCount + warmUp) {
      if index % 60 == 20 { face.setEmotion(FaceEmotion.allCases[(index / 60) % 6]) }
      if index % 90 == 45 { face.perform(.nod) }
      let samples = voice.next(perFrame)
      let time = Double(index) / Double(framesPerSecond)
      let wall = clock(CLOCK_MONOTONIC)
      let start = clock(CLOCK_THREAD_CPUTIME_ID)
      append(samples, face)
      let heard = clock(CLOCK_THREAD_CPUTIME_ID)
      face.advance(to: time, playhead: time)
      let advanced = clock(CLOCK_THREAD_CPUTIME_ID)
      raster.render(face)
      let drawn = clock(CLOCK_THREAD_CPUTIME_ID)
      if index < warmUp { continue }
      times.hear.append(heard - start)
      times.advance.append(advanced - heard)
      times.raster.append(drawn - advanced)
      times.frame.append(drawn - start)
      times.wall.append(clock(CLOCK_MONOTONIC) - wall)
    }
    return times
  }

  private static func append(_ samples: [Float], _ face: FaceEngine) {
    samples.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: sampleRate) }
  }

  /// A buzz that changes its vowel and loudness about five times a second.
  private struct Voice {
    private var index = 0

    mutating func next(_ count: Int) -> [Float] {
      var samples: [Float] = []
      samples.reserveCapacity(count)
      for _ in 0..<count {
        let syllable = index / 4800
        let period = 110 + 12 * (syllable % 5)
        let phase = Float(index % period) / Float(period)
        let swell = Float(index % 4800) / 4800
        samples.append((phase - 0.5) * (1 - 2 * abs(swell - 0.5)) * 0.7)
        index += 1
      }
      return samples
    }
  }

  private static func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
