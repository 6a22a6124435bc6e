import VoiceAudio
import YoobFace

/// Plays a timeline through a face, frame by frame, as a viewer would see it live.
///
/// Sound is handed over ahead of its time, so the network's look-ahead costs nothing here.
public final class FacePlayer {
  public let engine: FaceEngine
  private let timeline: FaceTimeline
  private var nextUtterance = 0
  private var nextState = 0
  private var fed = 0
  private var clip: AudioClip?

  /// How far ahead of the picture the sound is handed over, in seconds.
  private static let lead = 0.5

  public init(engine: FaceEngine, timeline: FaceTimeline) {
    self.engine = engine
    self.timeline = timeline
  }

  /// Moves the face to `time`, in seconds from the film's start; times must not go back.
  public func advance(to time: Double) {
    while nextState < timeline.states.count, timeline.states[nextState].time <= time {
      engine.state = timeline.states[nextState].state
      nextState += 1
    }
    let speaking = utterance(at: time)
    if timeline.states.isEmpty { engine.state = speaking == nil ? .idle : .speaking }
    engine.advance(to: time, playhead: speaking.map { time - $0.start })
  }

  private var current: FaceTimeline.Utterance? {
    nextUtterance > 0 ? timeline.utterances[nextUtterance - 1] : nil
  }

  private func utterance(at time: Double) -> FaceTimeline.Utterance? {
    if nextUtterance < timeline.utterances.count,
      time >= timeline.utterances[nextUtterance].start
    {
      let next = timeline.utterances[nextUtterance]
      nextUtterance += 1
      fed = 0
      engine.beginUtterance()
      feedVisemes(next)
      next.prosody.withUnsafeBufferPointer { engine.appendProsody($0, startFrame: 0) }
    }
    guard let current, time < current.end + 0.15 else { return nil }
    feed(current, until: time - current.start + Self.lead)
    return current
  }

  private func feedVisemes(_ utterance: FaceTimeline.Utterance) {
    guard !utterance.visemes.isEmpty else { return }
    utterance.visemes.flatMap { $0 }.withUnsafeBufferPointer {
      engine.appendVisemes($0, startFrame: 0)
    }
  }

  private func feed(_ utterance: FaceTimeline.Utterance, until seconds: Double) {
    let samples = utterance.clip.samples
    let end = min(samples.count, Int(seconds * Double(utterance.clip.sampleRate)))
    guard end > fed else { return }
    samples.withUnsafeBufferPointer { all in
      engine.appendAudio(
        UnsafeBufferPointer(rebasing: all[fed..<end]), sampleRate: utterance.clip.sampleRate)
    }
    fed = end
    if end == samples.count { engine.endUtterance() }
  }
}
