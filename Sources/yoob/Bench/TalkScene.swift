import Foundation
import RunAnywhere
import VoiceAudio
import VoiceIO
import VoiceProcessing
import YoobTesting

/// An agent that talks on and on in a simulated room, its echo at the microphone as loud as the user.
///
/// All that is measured comes from the samples that the loudspeaker gave and from the recordings; the
/// session is asked for nothing but its history.
@available(macOS 15, iOS 18, *)
final class TalkScene {
  /// What every scene of a benchmark shares.
  struct Stage {
    let engines: VoiceEngines
    let voice: RememberingVoice
    let replies: ReplyBank
    /// Level of the echo at the microphone, as a factor of the loudspeaker's; 0 needs no cancellation.
    let echo: Float
  }

  /// An utterance that is heard.
  struct Talk {
    let utterance: Int
    /// Time of its first sample.
    let start: Double
  }

  static let request = "Please tell me more."
  /// Longest wait for an answer, in seconds.
  private static let patience = 10.0

  let bench: RoomSession
  let stage: Stage
  private var closed = 0

  init(_ stage: Stage, delayMs: Int, pace: RoomSession.Pace, seed: UInt64) throws {
    self.stage = stage
    var options = VirtualRoom.Options()
    options.echo = RoomEcho(delay: Double(delayMs) / 1000, gain: stage.echo)
    options.seed = seed
    var generation = LlmOptions()
    generation.softOutputTokens = nil
    generation.maxOutputTokens = 1000
    bench = RoomSession(
      stage.engines, pace, room: options, processor: stage.echo > 0 ? try VoiceProcessor() : nil,
      generation: generation)
    try bench.session.start()
  }

  var room: VirtualRoom { bench.room }

  /// The utterance that is open now.
  var open: Int? {
    guard let last = room.events.last, last.kind != .interrupted, last.kind != .finished else { return nil }
    return last.utterance
  }

  /// Waits until the agent is heard; asks for a reply when none comes by itself within `seconds`.
  func talk(waiting seconds: Double = 0) async throws -> Talk {
    for _ in 0..<3 {
      let isHeard = await bench.pass(upTo: seconds) { self.isHeard }
      if !isHeard {
        bench.perform { await $0.send(text: Self.request) }
        await bench.pass(upTo: Self.patience) { self.isHeard }
      }
      if let open, let first = room.sounds.first(where: { $0.utterance == open }) {
        return Talk(utterance: open, start: first.start)
      }
    }
    throw FileFault("The agent does not answer. Run `yoob bench turn` to see whether the engines work.")
  }

  private var isHeard: Bool { open != nil && room.playedSamples > 0 }

  /// When the utterance was stopped; nil when it was not.
  func stop(of utterance: Int) -> Double? {
    room.events.first { $0.utterance == utterance && $0.kind == .interrupted }?.time
  }

  /// Holds of the utterance between two times.
  func holds(of utterance: Int, from: Double, to: Double = .infinity) -> Int {
    room.events.count { $0.utterance == utterance && $0.kind == .held && $0.time >= from && $0.time < to }
  }

  /// Prints what the session told around each time at which the utterance was held or stopped.
  func printHolds(of utterance: Int) {
    let stops = room.events.filter {
      $0.utterance == utterance && ($0.kind == .held || $0.kind == .interrupted)
    }
    for stop in stops {
      let around = stop.time - 3...stop.time + 4
      let lines =
        bench.diagnostics.map { ($0.time, "\($0.value)") } + bench.events.map { ($0.time, "\($0.value)") }
        + room.events.map { ($0.time, "\($0.kind) at sample \($0.position)") }
      for (time, text) in lines.filter({ around.contains($0.0) }).sorted(by: { $0.0 < $1.0 })
      where !["played(", "words(", "audioLevel("].contains(where: text.hasPrefix) {
        Console.out("  \(BenchReport.Summary.rounded(time)) s  \(text.prefix(160))")
      }
    }
  }

  /// Milliseconds of the utterance that were heard after `time`.
  func heardMs(of utterance: Int, after time: Double) -> Double {
    room.sounds.filter { $0.utterance == utterance }.reduce(0) { $0 + max(0, $1.end - max(time, $1.start)) }
      * 1000
  }

  /// Silences inside the utterance that were not in its samples, in milliseconds.
  func gaps(of utterance: Int) -> [Double] {
    let sounds = room.sounds.filter { $0.utterance == utterance }
    return zip(sounds, sounds.dropFirst()).map { ($1.start - $0.end) * 1000 }.filter { $0 > 1 }
  }

  /// What was heard of the utterance, as the loudspeaker gave it.
  func heard(_ utterance: Int) -> AudioClip {
    let sounds = room.sounds.filter { $0.utterance == utterance }
    return AudioClip(
      samples: sounds.flatMap(\.clip.samples), sampleRate: sounds.first?.clip.sampleRate ?? 16_000)
  }

  /// Places where what was heard is not what the voice made, sample by sample.
  func faults(of utterance: Int) -> Int {
    var expected = 0
    var faults = 0
    for sound in room.sounds where sound.utterance == utterance {
      if sound.position != expected { faults += 1 }
      expected = sound.position + sound.clip.samples.count
    }
    let trace = SpokenTrace(heard(utterance).samples, of: stage.voice.clauses.map(\.speech.samples))
    return faults + (trace.fault == nil ? 0 : 1)
  }

  /// Forgets what was heard, between utterances.
  func clearLog() { if open == nil { room.clearLog() } }

  func close() async { await bench.close() }

  // MARK: Levels

  /// Level of the user's voice at the microphone, and of the echo: -26 dB.
  static let userLevel: Float = 0.05

  /// The recording at the user's level.
  static func levelled(_ clip: AudioClip) -> AudioClip {
    let level = level(clip.samples)
    guard level > 0 else { return clip }
    return AudioClip(samples: clip.samples.map { $0 * userLevel / level }, sampleRate: clip.sampleRate)
  }

  /// Root mean square of the blocks of 10 ms that are not silence.
  static func level(_ samples: [Float]) -> Float {
    let levels = stride(from: 0, to: samples.count - 159, by: 160).map {
      Level(Array(samples[$0..<$0 + 160])).rms
    }
    guard let loudest = levels.max(), loudest > 0 else { return 0 }
    let loud = levels.filter { $0 > loudest * 0.03 }
    return (loud.reduce(0) { $0 + $1 * $1 } / Float(loud.count)).squareRoot()
  }

  /// The echo's level at the microphone of speech that is played with a gain of 1.
  static func echoLevel(of clip: AudioClip, delayMs: Int) throws -> Float {
    let (clock, executor) = (ManualClock(), ManualExecutor())
    var options = VirtualRoom.Options()
    options.echo = RoomEcho(delay: Double(delayMs) / 1000, gain: 1)
    options.noise = 0
    let room = VirtualRoom(options, clock: clock)
    let heard = Guarded<[Float]>([])
    try room.start { frame in heard.withLock { $0 += frame.samples } }
    executor.task {
      await room.begin(sampleRate: clip.sampleRate)
      await room.write(SpeechChunk(samples: clip.samples, sampleRate: clip.sampleRate))
    }
    for _ in 0..<Int(clip.duration * 100 + 60) {
      executor.drain()
      clock.advance(by: 0.01)
    }
    room.interrupt()
    executor.drain()
    return level(heard.withLock { $0 })
  }
}
