import VoiceIO

/// The microphones that sessions of this process hold, so that two never fight over one.
final class DeviceClaims: Sendable {
  static let shared = DeviceClaims()
  private let held = Guarded<Set<ObjectIdentifier>>([])

  /// Takes the microphone; false when another session has it. A value type cannot be shared, so
  /// it is always free.
  func claim(_ microphone: any Microphone) -> Bool {
    guard let id = Self.identity(microphone) else { return true }
    return held.withLock { $0.insert(id).inserted }
  }

  func release(_ microphone: any Microphone) {
    guard let id = Self.identity(microphone) else { return }
    held.withLock { _ = $0.remove(id) }
  }

  private static func identity(_ microphone: any Microphone) -> ObjectIdentifier? {
    type(of: microphone) is AnyClass ? ObjectIdentifier(microphone as AnyObject) : nil
  }
}
