/// What the character is doing.
public enum FaceState: UInt8, Sendable, CaseIterable {
  /// By itself, hearing somebody, looking for an answer, or talking.
  case idle, listening, thinking, speaking
}

/// A feeling that colours the face.
public enum FaceEmotion: UInt8, Sendable, CaseIterable {
  /// What the face shows.
  case neutral, happy, sad, angry, surprised, thinking
}

/// Where the eyes go.
public enum FaceGaze: Sendable, Equatable {
  /// As a person would: at the viewer in conversation, wandering in thought.
  case automatic
  /// Always at the viewer.
  case viewer
  /// Past the viewer.
  case away
  /// To a point of the view; -1...1, x to the viewer's right, y up.
  case point(x: Float, y: Float)
}

/// A short movement that is made once.
public enum FaceGesture: UInt8, Sendable, CaseIterable {
  /// Up and down, from side to side, to one shoulder, or with one eye.
  case nod, shake, tilt, wink

  /// Seconds from start to end.
  public var duration: Double {
    switch self {
    case .nod: 0.9
    case .shake: 1.1
    case .tilt: 1.4
    case .wink: 0.45
    }
  }
}
