import Foundation
import Testing
import VoiceAudio
import VoiceProcessing

@Suite("Voice processing", .enabled(if: VoiceProcessor.isAvailable, "built without echo cancellation"))
struct EchoTests {
  /// A question of the fixtures, again and again, at 16 kHz.
  private func speech(_ name: String, seconds: Double) throws -> [Float] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let bytes = try Data(contentsOf: folder.appendingPathComponent("Fixtures/\(name).wav"))
    let clip = StreamingResampler.convert(try WAV.decode([UInt8](bytes)), to: 16_000)
    let count = Int(seconds * 16_000)
    var samples: [Float] = []
    while samples.count < count { samples += clip.samples }
    return Array(samples.prefix(count))
  }

  private func noise(_ count: Int, seed: UInt64, level: Float) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in (Float(random.next() >> 40) / Float(1 << 23) - 1) * level }
  }

  /// What a microphone hears of `far` after `delay` seconds, in a room with a tail of 0.2 s.
  private func echo(of far: [Float], delay: Double) -> [Float] {
    var random = SplitMix64(seed: 7)
    let taps = (0..<48).map { index -> (offset: Int, gain: Float) in
      let offset = index == 0 ? 0 : Int(random.next() % 3_200)
      let sign: Float = random.next() & 1 == 0 ? 1 : -1
      return (offset, index == 0 ? 0.6 : 0.35 * sign * Float(exp(-Double(offset) / 700)))
    }
    var echo = [Float](repeating: 0, count: far.count)
    let start = Int(delay * 16_000)
    far.withUnsafeBufferPointer { far in
      echo.withUnsafeMutableBufferPointer { echo in
        for tap in taps {
          let shift = start + tap.offset
          for index in shift..<echo.count { echo[index] += 0.5 * tap.gain * far[index - shift] }
        }
      }
    }
    return echo
  }

  private func process(_ near: [Float], _ far: [Float], _ options: VoiceProcessor.Options) throws -> [Float] {
    var processor = try VoiceProcessor(options)
    var output: [Float] = []
    for start in stride(from: 0, to: near.count - 159, by: 160) {
      var frame = Array(near[start..<start + 160])
      processor.process(near: &frame, far: Array(far[start..<start + 160]))
      output += frame
    }
    return output
  }

  private func level(_ samples: ArraySlice<Float>) -> Float { Level(Array(samples)).dBFS }

  @Test("the echo is taken out by 25 dB or more, at any delay", arguments: [0.045, 0.22])
  func erle(delay: Double) throws {
    let far = try speech("question-story", seconds: 20)
    let near = zip(echo(of: far, delay: delay), noise(far.count, seed: 3, level: 0.0005)).map { $0 + $1 }
    let output = try process(near, far, .init(noise: .keep, gain: false))
    let settled = 8 * 16_000..<20 * 16_000 - 160
    let erle = level(near[settled]) - level(output[settled])
    print("echo return loss enhancement at \(Int(delay * 1000)) ms: \(erle) dB")
    #expect(erle >= 25)
  }

  @Test("somebody who speaks over the loudspeaker is kept", arguments: [0.045, 0.22])
  func doubleTalk(delay: Double) throws {
    let far = try speech("question-story", seconds: 20)
    let own = try speech("question-france", seconds: 20)
    let talk = 12 * 16_000..<15 * 16_000
    var near = echo(of: far, delay: delay)
    for index in talk { near[index] += own[index] }
    let output = try process(near, far, .init(noise: .keep, gain: false))
    let kept = level(output[talk]) - level(own[talk])
    print("speech over the loudspeaker at \(Int(delay * 1000)) ms: \(kept) dB")
    #expect(kept > -9 && kept < 3)
  }

  @Test("steady noise is taken out, and the more the stronger it is asked for")
  func noiseSuppression() throws {
    let near = noise(10 * 16_000, seed: 5, level: 0.02)
    let silence = [Float](repeating: 0, count: near.count)
    let levels = try VoiceProcessor.Options.Noise.allCases.map { noise in
      let output = try process(near, silence, .init(cancelsEcho: false, noise: noise, gain: false))
      return level(output[(5 * 16_000)...])
    }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 > $1 })
    #expect(levels[0] - levels[2] > 8)
  }

  @Test("quiet speech is made louder")
  func gain() throws {
    let own = try speech("question-story", seconds: 20).map { $0 * 0.05 }
    let silence = [Float](repeating: 0, count: own.count)
    let plain = try process(own, silence, .init(cancelsEcho: false, noise: .keep, gain: false))
    let output = try process(own, silence, .init(cancelsEcho: false, noise: .keep, gain: true))
    let late = 10 * 16_000..<19 * 16_000
    #expect(level(output[late]) - level(plain[late]) > 6)
  }

  @Test("other rates are refused, other lengths left alone")
  func refusals() throws {
    #expect(throws: VoiceProcessingError.unsupportedRate(44_100)) { try VoiceProcessor(sampleRate: 44_100) }
    var processor = try VoiceProcessor()
    var near: [Float] = [1, 2, 3]
    processor.process(near: &near, far: [0, 0, 0])
    #expect(near == [1, 2, 3])
  }
}
