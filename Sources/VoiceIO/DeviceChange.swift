/// What becomes of a microphone and its loudspeaker while they are open.
public enum DeviceChange: Sendable, Equatable {
  /// They stopped, for the reason given. They are opened again, or others where they are gone.
  case lost(reason: String)
  /// They run again, or the system moved the sound to others, of these names.
  case returned(microphone: String, loudspeaker: String)
}

/// A microphone that tells whoever holds it what becomes of it.
public protocol ObservableMicrophone: Microphone {
  /// Calls `report` at each change, from any thread, in place of an earlier one; nil ends that.
  func observe(_ report: (@Sendable (DeviceChange) -> Void)?)
}
