import VoiceAudio

/// What an app gave an avatar to say and was not handed on yet: utterances one after the other, each of one
/// sample rate.
struct SpeechLine: Sendable {
  /// Rates that are taken.
  static let rates = 8000...48_000
  /// Seconds of sound that may wait.
  static let mostSeconds = 1200.0
  /// Seconds of the pieces that are handed on.
  static let piece = 0.1

  struct Utterance: Sendable {
    let id: Int
    let sampleRate: Int
    /// When its first samples came, in seconds.
    let firstTime: Double
    var waiting: [Float] = []
    /// Samples of `waiting` that were handed on already.
    var taken = 0
    /// Whether no more samples come.
    var isEnded = false

    /// Seconds that wait.
    var queued: Double { Double(waiting.count - taken) / Double(sampleRate) }
  }

  private(set) var utterances: [Utterance] = []
  private var lastID = 0

  /// The utterance that is heard, or comes next.
  var first: Utterance? { utterances.first }
  /// Whether an utterance takes samples.
  var isOpen: Bool { utterances.last.map { !$0.isEnded } ?? false }
  /// Seconds that wait in all.
  var queued: Double { utterances.reduce(0) { $0 + $1.queued } }

  /// Takes samples for the open utterance, or opens one. Returns its number, nil for no samples.
  mutating func append(_ pcm: [UInt8], sampleRate: Int, now: Double) throws(YoobError) -> Int? {
    guard Self.rates.contains(sampleRate) else {
      throw .invalidAudio("\(sampleRate) Hz is not between 8000 and 48000")
    }
    guard pcm.count.isMultiple(of: 2) else {
      throw .invalidAudio("\(pcm.count) bytes are not whole samples of 16 bits")
    }
    if let open = utterances.last, !open.isEnded, open.sampleRate != sampleRate {
      throw .invalidAudio(
        "the utterance began with \(open.sampleRate) Hz and goes on with \(sampleRate); end it first")
    }
    guard !pcm.isEmpty else { return nil }
    guard queued + Double(pcm.count / 2) / Double(sampleRate) <= Self.mostSeconds else {
      throw .invalidAudio("more than \(Int(Self.mostSeconds / 60)) minutes wait to be heard")
    }
    if !isOpen {
      lastID += 1
      utterances.append(Utterance(id: lastID, sampleRate: sampleRate, firstTime: now))
    }
    utterances[utterances.count - 1].waiting += PCM16.decode(pcm)
    return utterances.last?.id
  }

  /// No more samples come for the open utterance.
  mutating func end() {
    guard isOpen else { return }
    utterances[utterances.count - 1].isEnded = true
  }

  /// The next samples of the first utterance, a tenth of a second at most; nil when none wait.
  mutating func take() -> [Float]? {
    guard var first = utterances.first, first.taken < first.waiting.count else { return nil }
    utterances[0].waiting = []  // one owner, so that the samples are not copied
    let end = min(first.waiting.count, first.taken + max(1, Int(Self.piece * Double(first.sampleRate))))
    let samples = Array(first.waiting[first.taken..<end])
    first.taken = end
    if first.taken * 2 >= first.waiting.count {
      first.waiting.removeFirst(first.taken)
      first.taken = 0
    }
    utterances[0] = first
    return samples
  }

  /// The first utterance is over.
  mutating func removeFirst() { if !utterances.isEmpty { utterances.removeFirst() } }

  /// Forgets everything.
  mutating func clear() { utterances = [] }
}
