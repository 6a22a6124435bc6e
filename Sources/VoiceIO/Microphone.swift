import VoiceAudio

/// A source of live sound: a device, a socket, a file that plays in real time, or a test.
public protocol Microphone: Sendable {
  /// Opens the source; `deliver` is called in order, from one thread at a time, until `stop()`.
  /// Throws when the source cannot be opened. A second call while open does nothing.
  func start(_ deliver: @escaping @Sendable (AudioFrame) -> Void) throws
  /// Closes the source. No `deliver` call begins after it returns. Idempotent.
  func stop()
  /// Seconds of its sound that are kept while nobody takes it; the oldest is dropped beyond that.
  /// A live device keeps one: what is older is not worth hearing.
  var backlogSeconds: Double { get }
}

extension Microphone {
  public var backlogSeconds: Double { 1 }
}
