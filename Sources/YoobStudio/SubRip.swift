import Foundation

/// Subtitles in the SubRip form (.srt).
public enum SubRip {
  /// One line on screen.
  public struct Cue: Sendable, Equatable {
    /// Seconds.
    public var start: Double
    public var end: Double
    public var text: String
    public init(start: Double, end: Double, text: String) {
      self.start = start
      self.end = end
      self.text = text
    }
  }

  /// Groups timed words into cues of at most `maxCharacters`, broken at sentence ends and long pauses.
  public static func cues(
    words: [(text: String, start: Double, end: Double)], maxCharacters: Int = 42
  ) -> [Cue] {
    var cues: [Cue] = []
    var current: Cue?
    for word in words {
      if var cue = current {
        let endsSentence = cue.text.last.map { ".!?…".contains($0) } ?? false
        let isFull = cue.text.count + 1 + word.text.count > maxCharacters
        if endsSentence || isFull || word.start - cue.end > 0.7 {
          cues.append(cue)
          current = nil
        } else {
          cue.text += " " + word.text
          cue.end = word.end
          current = cue
        }
      }
      if current == nil {
        current = Cue(start: word.start, end: word.end, text: word.text)
      }
    }
    if let current { cues.append(current) }
    return cues
  }

  /// The file's text.
  public static func format(_ cues: [Cue]) -> String {
    cues.enumerated().map { index, cue in
      "\(index + 1)\n\(stamp(cue.start)) --> \(stamp(max(cue.end, cue.start + 0.2)))\n\(cue.text)\n"
    }.joined(separator: "\n")
  }

  private static func stamp(_ seconds: Double) -> String {
    let ms = Int((max(0, seconds) * 1000).rounded())
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(ms / 3_600_000, 2)):\(padded(ms / 60_000 % 60, 2)):\(padded(ms / 1000 % 60, 2))"
      + ",\(padded(ms % 1000, 3))"
  }
}
