/// The shape of the mouth at one moment of the speech that is heard.
public struct YoobViseme: Sendable, Equatable {
  /// Seconds of the utterance that were heard.
  public var time: Double
  /// 15 weights, 0...1, in the order sil PP FF TH DD kk CH SS nn RR aa E ih oh ou.
  public var weights: [Float]
}

/// What somebody said, with the times of its words.
public struct YoobCaption: Sendable, Equatable {
  /// Who speaks.
  public enum Role: String, Sendable {
    /// The person, or the character.
    case user, assistant
  }
  /// A word and when it is heard.
  public struct Word: Sendable, Equatable {
    /// As written, punctuation included.
    public var text: String
    /// Seconds of the utterance.
    public var start: Double
    /// Seconds of the utterance.
    public var end: Double
  }
  /// Who speaks.
  public var role: Role
  /// All that was heard of the utterance so far.
  public var text: String
  /// Its words; empty where the voice gives no times.
  public var words: [Word]
  /// Whether no more follows.
  public var isFinal: Bool
}
