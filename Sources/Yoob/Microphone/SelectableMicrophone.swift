import VoiceIO

/// A microphone that may be one of several.
package protocol SelectableMicrophone: Microphone {
  /// The microphones of this machine. Throws `AudioDeviceError`.
  func inputs() throws -> [AudioDevice]
  /// Takes the microphone of that id from now on, nil the default one; one that is open goes on with it.
  /// Throws `AudioDeviceError`, and then stays what it was.
  func select(_ id: String?) throws
  /// Calls `report` at each change, from any thread; nil ends that.
  func observe(_ report: (@Sendable (DeviceChange) -> Void)?)
  /// Asks the user for the microphone, where the system wants that and they were not asked before; returns
  /// whether it may be used.
  func askPermission() async -> Bool
}

extension SelectableMicrophone {
  package func askPermission() async -> Bool { true }
}
