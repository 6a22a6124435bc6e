/// The melody of synthesized speech: its pitch, its stressed sounds and its questions, 50 frames a second.
///
/// Frame k describes the speech from k × 20 ms on. Both lists have the same length.
public struct SpeechProsody: Sendable, Equatable {
  /// What a frame belongs to.
  public enum Mark: Int, Sendable {
    /// Nothing of the following.
    case none = 0
    /// A sound that carries primary stress.
    case stressed = 1
    /// The end of a question that is answered by yes or no, from its last stressed sound on.
    case question = 2
  }

  /// Frames per second.
  public static let rate = 50

  /// Fundamental frequency in Hz, 0 where unvoiced.
  public private(set) var pitch: [Float] = []
  /// What each frame belongs to.
  public private(set) var marks: [Mark] = []

  /// The melody of `sampleCount` samples of speech; empty where the voice tells no pitch.
  ///
  /// - Parameter pitch: Hz every 12.5 ms, 0 where unvoiced, as `SpeechChunk.pitch` holds it.
  public init(
    phones: [PhoneTiming], words: [WordTiming], pitch: [Float], sampleCount: Int, sampleRate: Int
  ) {
    guard !pitch.isEmpty, sampleCount > 0, sampleRate > 0 else { return }
    let count = (sampleCount * Self.rate + sampleRate - 1) / sampleRate
    self.pitch = (0..<count).map { frame in
      // The source's frame at the middle of this one.
      let source = (2 * frame + 1) * SpeechChunk.pitchRate / (2 * Self.rate)
      guard source < pitch.count, pitch[source].isFinite else { return 0 }
      return max(0, pitch[source])
    }
    marks = [Mark](repeating: .none, count: count)
    for phone in phones where phone.isStressed {
      mark(.stressed, phone.start, phone.end, sampleRate)
    }
    for question in YesNoQuestions.find(in: words) {
      let stressed = phones.last { $0.isStressed && question.contains($0.start) }
      mark(.question, stressed?.start ?? question.lowerBound, question.upperBound, sampleRate)
    }
  }

  /// Whether there is no melody, because the voice tells none.
  public var isEmpty: Bool { pitch.isEmpty }

  /// Two numbers a frame, as a face takes them: Hz and mark.
  public var interleaved: [Float] { zip(pitch, marks).flatMap { [$0, Float($1.rawValue)] } }

  private mutating func mark(_ mark: Mark, _ start: Int, _ end: Int, _ sampleRate: Int) {
    func frame(_ sample: Int) -> Int {
      min(max(0, (2 * sample * Self.rate + sampleRate) / (2 * sampleRate)), marks.count)
    }
    let first = frame(start)
    for index in first..<max(first, frame(end)) { marks[index] = mark }
  }
}
