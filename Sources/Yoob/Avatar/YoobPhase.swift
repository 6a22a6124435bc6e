extension YoobAvatar {
  /// Where an avatar stands.
  public enum Phase: Sendable, Equatable {
    /// `prepare()` was not called yet, or the avatar was closed.
    case notPrepared
    /// Files are arriving; the poster is shown as soon as it is here.
    case downloading(YoobProgress)
    /// All files are here and the face is starting.
    case warming
    /// The face is alive and can speak.
    case ready
    /// An utterance is open; the face follows the sound.
    case speaking
    /// `prepare()` failed; call it again.
    case failed(YoobError)
    /// The session ended: speaking throws this error until `prepare()` opens another.
    case stopped(YoobError)
  }

  /// What the avatar has done so far.
  public struct Stats: Sendable, Equatable {
    /// Frames that were given to a view or a stream.
    public var framesShown = 0
    /// Frames that were left out because the one before was not taken in time.
    public var framesSkipped = 0
    /// Utterances that began to be heard.
    public var utterances = 0

    /// Nothing yet.
    public init() {}
  }
}
