import VoiceAudio
import YoobFace

/// Who says what when: all that a film of a face is made from.
public struct FaceTimeline: Sendable {
  /// One run of speech.
  public struct Utterance: Sendable {
    /// Seconds from the film's start.
    public var start: Double
    public var clip: AudioClip
    /// Mouth frames at 100 a second, when the phones are known; the sound decides otherwise.
    public var visemes: [[Float]]
    /// Hz and mark at 50 frames a second, as `FaceEngine.appendProsody` takes them, when they are known.
    public var prosody: [Float]
    public init(start: Double, clip: AudioClip, visemes: [[Float]] = [], prosody: [Float] = []) {
      self.start = start
      self.clip = clip
      self.visemes = visemes
      self.prosody = prosody
    }
    public var end: Double { start + clip.duration }
  }

  /// A change of what the character does between utterances.
  public struct StateChange: Sendable {
    public var time: Double
    public var state: FaceState
    public init(time: Double, state: FaceState) {
      self.time = time
      self.state = state
    }
  }

  /// Silence between the chapters of a film, in seconds.
  public static let chapterGap = 0.6

  /// In order of time, without overlap.
  public var utterances: [Utterance]
  /// In order of time.
  public var states: [StateChange]
  /// Seconds.
  public var duration: Double

  public init(utterances: [Utterance], states: [StateChange] = [], duration: Double) {
    self.utterances = utterances
    self.states = states
    self.duration = duration
  }

  /// Recordings one after another, `gap` seconds apart, and `tail` seconds for the mouth to close.
  public static func sequence(
    _ clips: [AudioClip], visemes: [[[Float]]] = [], prosody: [[Float]] = [], gap: Double = chapterGap,
    tail: Double = 0.4
  ) -> FaceTimeline {
    var start = 0.0
    var utterances: [Utterance] = []
    for (index, clip) in clips.enumerated() {
      let frames = index < visemes.count ? visemes[index] : []
      let melody = index < prosody.count ? prosody[index] : []
      utterances.append(Utterance(start: start, clip: clip, visemes: frames, prosody: melody))
      start += clip.duration + gap
    }
    let end = utterances.last?.end ?? 0
    return FaceTimeline(utterances: utterances, duration: end + tail)
  }

  /// The film's sound: every utterance in its place, silence between.
  public func sound(sampleRate: Int) -> AudioClip {
    var samples = [Float](repeating: 0, count: Int((duration * Double(sampleRate)).rounded(.up)))
    for utterance in utterances {
      let clip =
        utterance.clip.sampleRate == sampleRate
        ? utterance.clip : StreamingResampler.convert(utterance.clip, to: sampleRate)
      let offset = Int((utterance.start * Double(sampleRate)).rounded())
      let count = min(clip.samples.count, samples.count - offset)
      guard count > 0 else { continue }
      for index in 0..<count { samples[offset + index] += clip.samples[index] }
    }
    return AudioClip(samples: samples, sampleRate: sampleRate)
  }
}
