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
  /// twenty minutes that wait; the error of the session once it has stopped.
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
}

extension YoobAvatar: PausableSpeechSink {
  /// Stops now and forgets all that waits. Returns the samples of the utterance that were heard, with the
  /// loudspeaker's latency taken off; 0 when nothing was said.
  @discardableResult public nonisolated func interrupt() -> Int {
    let heard = voice.interrupt()
    if Thread.isMainThread { MainActor.assumeIsolated { speechChanged() } }
    return heard
  }

  /// Opens an utterance of a voice session.
  public nonisolated func begin(sampleRate: Int) async { await voice.sink.begin(sampleRate: sampleRate) }
  /// Says a piece of it; waits while about two seconds are ahead.
  public nonisolated func write(_ chunk: SpeechChunk) async { await voice.sink.write(chunk) }
  /// Returns when all of it was heard.
  public nonisolated func finish() async { await voice.sink.finish() }
  /// Samples of the utterance that were heard.
  public nonisolated var playedSamples: Int { voice.sink.playedSamples }
  /// Whether the loudspeaker can be held.
  public nonisolated var canPause: Bool { voice.sink.canPause }
  /// Holds the sound.
  @discardableResult public nonisolated func pause() -> Int { voice.sink.pause() }
  /// Goes on with the next sample.
  public nonisolated func resume() { voice.sink.resume() }
}
