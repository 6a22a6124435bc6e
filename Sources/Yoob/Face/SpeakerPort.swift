import VoiceAudio
import VoiceIO

/// The avatar's loudspeaker as one of those who speak through it has it.
struct SpeakerPort: PausableSpeechSink {
  /// The app's own sound and that of conversations, and that of a voice session.
  enum Speaker: Int { case app = 1, session }

  let sink: FaceSink
  let speaker: Speaker

  private var owner: Int { speaker.rawValue }

  func begin(sampleRate: Int) async { await sink.begin(sampleRate: sampleRate, as: owner) }
  func write(_ chunk: SpeechChunk) async { await sink.write(chunk, as: owner) }
  func finish() async { await sink.finish(as: owner) }
  @discardableResult func interrupt() -> Int { sink.interrupt(as: owner) }
  var playedSamples: Int { sink.played(as: owner) }
  var canPause: Bool { sink.canPause }
  @discardableResult func pause() -> Int { sink.pause(as: owner) }
  func resume() { sink.resume(as: owner) }
}
