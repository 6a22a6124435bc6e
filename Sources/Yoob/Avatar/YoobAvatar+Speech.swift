import Foundation
import VoiceAudio
import VoiceIO

extension YoobAvatar {
  /// Speaks mono PCM16 (little-endian) at 8 to 48 kHz, as it comes. Never waits.
  ///
  /// The first call after `endSpeech()` opens a new utterance, which begins when the one before was heard.
  /// Sound is heard also where no face could be loaded.
  ///
  /// Throws `YoobError.invalidAudio` for half a sample, a rate out of range, a changed rate, or more than
  /// twenty minutes that wait, and while a voice session speaks through the avatar; the error of the session once it
  /// has stopped.
  public func speak(pcm: Data, sampleRate: Int = 24_000) throws {
    if case .stopped(let error) = phase { throw error }
    try voice.speak([UInt8](pcm), sampleRate: sampleRate)
    speechChanged()
  }

  /// Shows speech that the app plays itself; `audioPlayed(samples:)` tells how much was heard.
  ///
  /// Throws `YoobError.invalidAudio` as `speak` does; the error of the session once it has stopped.
  public func appendAudio(pcm: Data, sampleRate: Int = 24_000) throws {
    if case .stopped(let error) = phase { throw error }
    if try voice.show([UInt8](pcm), sampleRate: sampleRate) { noteUtterance() }
    speechChanged()
  }

  /// The listener has heard so many samples of the utterance of `appendAudio`. Call it often: between two
  /// calls the mouth goes on for a quarter of a second at most.
  public func audioPlayed(samples: Int) {
    voice.played(samples: samples)
    speechChanged()
  }

  /// The utterance is complete; the face settles when all of it was heard.
  public func endSpeech() {
    voice.end()
    speechChanged()
  }

  /// The shape of the mouth as speech is heard, thirty times a second; each call makes a stream of its own.
  public var visemes: AsyncStream<YoobViseme> { visemeReaders.values }

  /// What is said, word by word as it is heard where the voice gives times; each call makes a stream of its
  /// own.
  public var captions: AsyncStream<YoobCaption> { captionReaders.values }

  /// Stops now and forgets all that waits. Returns the samples of the utterance that were heard, with the
  /// loudspeaker's latency taken off; 0 when nothing was said.
  @discardableResult public func interrupt() -> Int {
    defer { speechChanged() }
    return voice.interrupt()
  }

  /// The avatar as the loudspeaker of a voice session, which then speaks through it; safe from every thread.
  ///
  /// ```swift
  /// let session = RunAnywhere.voice.createSession(
  ///   engines: engines, devices: VoiceDevices(microphone: microphone, sink: avatar.sink))
  /// ```
  public nonisolated var sink: any PausableSpeechSink { voice.sessionPort }

  /// How far the lips are open now, in units of the canvas, and the seconds of the utterance that they show.
  package func readLips() -> (gap: Float, playhead: Double?) {
    let playhead = voice.facePlayhead
    return (loaded?.face.advance(to: clock.now, playhead: playhead) { $0.lipGap } ?? 0, playhead)
  }
}
