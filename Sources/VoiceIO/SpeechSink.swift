import VoiceAudio

/// The time of one phone of synthesized speech, in samples of the speech it belongs to.
public struct PhoneTiming: Sendable, Equatable {
  /// IPA symbol as the voice's front end wrote it; empty for silence.
  public var symbol: String
  /// First sample of the phone.
  public var start: Int
  /// Sample after its last one.
  public var end: Int
  /// Whether the phone carries primary stress.
  public var isStressed: Bool

  /// A phone from sample `start` to before sample `end`.
  public init(symbol: String, start: Int, end: Int, isStressed: Bool = false) {
    self.symbol = symbol
    self.start = start
    self.end = end
    self.isStressed = isStressed
  }
}

/// The time of one written word of synthesized speech, in samples of the speech it belongs to.
public struct WordTiming: Sendable, Equatable {
  /// The word as written in the text that was spoken, punctuation that follows it included.
  public var text: String
  /// First sample of the word.
  public var start: Int
  /// Sample after its last one.
  public var end: Int

  /// A word from sample `start` to before sample `end`.
  public init(text: String, start: Int, end: Int) {
    self.text = text
    self.start = start
    self.end = end
  }
}

/// A piece of an utterance on its way to the listener.
public struct SpeechChunk: Sendable, Equatable {
  /// Values of `pitch` a second.
  public static let pitchRate = 80

  /// Mono samples in -1...1.
  public var samples: [Float]
  /// Samples per second.
  public var sampleRate: Int
  /// Phones and words of this chunk; times count from the chunk's first sample.
  public var phones: [PhoneTiming]
  /// Words of this chunk; times count from its first sample.
  public var words: [WordTiming]
  /// Fundamental frequency in Hz every 12.5 ms, 0 where unvoiced; empty when the voice gives none.
  public var pitch: [Float]

  /// A chunk; what the voice does not tell stays empty.
  public init(
    samples: [Float], sampleRate: Int, phones: [PhoneTiming] = [], words: [WordTiming] = [],
    pitch: [Float] = []
  ) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.phones = phones
    self.words = words
    self.pitch = pitch
  }
}

extension SpeechChunk {
  /// Pitch and marks of the chunk at 50 frames a second; empty when the voice gives no pitch.
  public var prosody: SpeechProsody {
    SpeechProsody(
      phones: phones, words: words, pitch: pitch, sampleCount: samples.count, sampleRate: sampleRate)
  }

  /// Values of `pitch` in so many samples.
  package static func pitchCount(samples: Int, sampleRate: Int) -> Int {
    (2 * samples * pitchRate + sampleRate) / (2 * max(1, sampleRate))
  }
}

/// Where speech goes to be heard: a loudspeaker, a face, a socket or a file.
///
/// One utterance is open at a time: `begin`, any number of `write`, then `finish`; `interrupt`
/// ends it at once at any moment. Positions are in samples of the open utterance.
public protocol SpeechSink: Sendable {
  /// Opens an utterance with one sample rate; an utterance still open is interrupted.
  func begin(sampleRate: Int) async
  /// Queues a chunk. Suspends while about two seconds are waiting to be played.
  func write(_ chunk: SpeechChunk) async
  /// No more chunks follow; returns when the last sample was heard, or after an interruption.
  func finish() async
  /// Stops the sound now, drops what is queued, and returns how many samples were heard.
  @discardableResult func interrupt() -> Int
  /// Samples of the open utterance, or of the last one, that the listener has heard.
  var playedSamples: Int { get }
}

/// A sink whose sound can be held back and then goes on from the same sample.
///
/// While it is held, `playedSamples` stands still, `write` and `finish` wait as for a listener who
/// is slow, and `interrupt` ends the utterance as at any other moment. `begin` ends the hold.
public protocol PausableSpeechSink: SpeechSink {
  /// False while the loudspeaker cannot be held, as one far away that was never told how.
  var canPause: Bool { get }
  /// Holds the sound of the open utterance now and returns how many samples were heard. Idempotent;
  /// without effect when no utterance is open.
  @discardableResult func pause() -> Int
  /// Goes on with the sample after the last one that was heard. Idempotent.
  func resume()
}

extension PausableSpeechSink {
  public var canPause: Bool { true }
}
