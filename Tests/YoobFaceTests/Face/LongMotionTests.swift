import Foundation
import Testing

@testable import YoobFace

/// The life of Luna's face over minutes, measured.
@Suite("Long motion")
struct LongMotionTests {
  private static let framesPerSecond = 10

  /// Ten minutes of idling.
  private struct Life {
    /// Channels, `framesPerSecond` a second, without the first 3 s.
    var frames: [MotionChannels] = []
    /// When the lids shut, double blinks counted once, in seconds.
    var blinks: [Double] = []

    init(seed: UInt64, calm: Bool = false) {
      var motion = FaceMotion(seed: seed)
      motion.calm = calm
      var wasShut = false
      for step in 1...Int(600 * FaceMotion.rate) {
        let time = Double(step) / FaceMotion.rate
        let channels = motion.step(to: time, speaking: false, stress: 0)
        if step % (Int(FaceMotion.rate) / framesPerSecond) == 0, time > 3 { frames.append(channels) }
        let isShut = motion.blink(at: time).x > 0.5
        if isShut, !wasShut, time - (blinks.last ?? -10) > 0.6 { blinks.append(time) }
        wasShut = isShut
      }
    }

    func lane(_ lane: Int) -> [Float] { frames.map { $0[lane] } }
  }

  private static let lively = [Life(seed: 1), Life(seed: 2)]
  private static let calm = Life(seed: 1, calm: true)

  /// The largest correlation of a signal with itself, shifted by `from` to 120 s.
  private static func largestCorrelation(_ signal: [Float], from: Int = 5) -> Float {
    let mean = signal.reduce(0, +) / Float(signal.count)
    let x = signal.map { $0 - mean }
    var largest: Float = -1
    for lag in stride(from: from * framesPerSecond, through: 120 * framesPerSecond, by: framesPerSecond / 5) {
      var (ab, aa, bb): (Float, Float, Float) = (0, 0, 0)
      for index in 0..<x.count - lag {
        let (a, b) = (x[index], x[index + lag])
        ab += a * b
        aa += a * a
        bb += b * b
      }
      largest = max(largest, ab / (aa * bb).squareRoot())
    }
    return largest
  }

  private static func deviation(_ signal: [Float]) -> Float {
    let mean = signal.reduce(0, +) / Float(signal.count)
    return (signal.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(signal.count)).squareRoot()
  }

  @Test("the head never falls into a loop that can be seen", arguments: [0, 1])
  func noLoop(_ number: Int) {
    let life = Self.lively[number]
    let yaw = Self.largestCorrelation(life.lane(Channel.yaw))
    let pitch = Self.largestCorrelation(life.lane(Channel.pitch))
    #expect(yaw < 0.6 && pitch < 0.6, "yaw \(yaw), pitch \(pitch)")
  }

  @Test("the sway alone does not repeat itself either", arguments: [1, 2, 3, 4] as [UInt64])
  func swayHasNoPeriod(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sway = Sway(&random)
    let heads = (0..<600 * Self.framesPerSecond).map {
      sway.head(at: Double($0) / Double(Self.framesPerSecond))
    }
    for lane in 0..<4 {
      let signal = heads.map { $0[lane] }
      // The slowest part of it lasts some ten seconds.
      let correlation = Self.largestCorrelation(signal, from: 15)
      #expect(correlation < 0.6, "lane \(lane): \(correlation)")
      #expect((0.25...0.8).contains(Self.deviation(signal)), "lane \(lane)")
    }
  }

  @Test("idle blinks are 2 to 10 s apart, double blinks counted once", arguments: [0, 1])
  func blinkIntervals(_ number: Int) {
    let starts = Self.lively[number].blinks
    let gaps = zip(starts, starts.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { (2...10).contains($0) }, "\(gaps.min() ?? 0) … \(gaps.max() ?? 0)")
    #expect((70...260).contains(starts.count))
  }

  @Test("calm takes away more than two thirds of the head's movement")
  func calm() {
    for lane in [Channel.yaw, Channel.pitch, Channel.roll, Channel.shiftX] {
      let share = Self.deviation(Self.calm.lane(lane)) / Self.deviation(Self.lively[0].lane(lane))
      #expect(share < 1 / 3, "lane \(lane): \(share)")
    }
  }

  @Test("calm makes gestures smaller too", arguments: [FaceGesture.nod, .shake, .tilt])
  func calmGestures(_ gesture: FaceGesture) {
    func reach(calm: Bool) -> Float {
      var (still, moving) = (FaceMotion(seed: 2), FaceMotion(seed: 2))
      still.calm = calm
      moving.calm = calm
      var largest: Float = 0
      for step in 1...Int(6 * FaceMotion.rate) {
        let time = Double(step) / FaceMotion.rate
        if step == 720 { moving.perform(gesture, at: time) }
        let difference =
          moving.step(to: time, speaking: false, stress: 0) - still.step(to: time, speaking: false, stress: 0)
        for lane in [Channel.yaw, Channel.pitch, Channel.roll] {
          largest = max(largest, abs(difference[lane]))
        }
      }
      return largest
    }
    let share = reach(calm: true) / reach(calm: false)
    #expect(share > 0.05 && share < 1 / 3, "\(share)")
  }
}

/// What emotions leave of the shapes of speech, on Luna herself.
@Suite("Emotions and lips")
struct EmotionLipsTests {
  private static func luna() throws -> FaceEngine {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let puppet = root.appendingPathComponent("characters/luna-anime/pack/puppet.bin")
    return try FaceEngine(puppet: [UInt8](Data(contentsOf: puppet)), mouth: [], seed: 1)
  }

  /// Lip gap as a share of the mouth's width, the largest while a viseme is held.
  private static func gap(_ face: FaceEngine, _ viseme: Viseme) -> Float {
    let frames = (0..<300 * 15).map { $0 % 15 == viseme.rawValue ? Float(1) : 0 }
    face.advance(to: 0, playhead: nil)
    face.beginUtterance()
    frames.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    var largest: Float = 0
    for frame in 1...150 {
      let seconds = Double(frame) / 60
      face.advance(to: seconds, playhead: seconds)
      if seconds > 0.7 { largest = max(largest, face.lipGap / face.lipWidth) }
    }
    return largest
  }

  @Test("no emotion opens the lips of a p", arguments: FaceEmotion.allCases)
  func closure(_ emotion: FaceEmotion) throws {
    let face = try Self.luna()
    face.setEmotion(emotion)
    let gap = Self.gap(face, .PP)
    #expect(gap < 0.02, "\(gap)")
  }

  @Test("no emotion changes how wide an open vowel is by a third", arguments: FaceEmotion.allCases)
  func openness(_ emotion: FaceEmotion) throws {
    let plain = Self.gap(try Self.luna(), .aa)
    let face = try Self.luna()
    face.setEmotion(emotion)
    let felt = Self.gap(face, .aa)
    #expect(felt > plain * 0.67 && felt < plain * 1.33, "\(felt) instead of \(plain)")
  }
}
