/// A microphone or a loudspeaker of this machine.
public struct AudioDevice: Sendable, Equatable, Identifiable {
  /// What a device does.
  public enum Kind: String, Sendable, Equatable {
    /// It hears, or it sounds.
    case microphone, loudspeaker
  }
  /// What the sound system calls it; stays the same from start to start.
  public var id: String
  /// What people call it.
  public var name: String
  /// What it does.
  public var kind: Kind
  /// Whether it is taken when none is asked for.
  public var isDefault: Bool

  /// A device as the sound system describes it.
  public init(id: String, name: String, kind: Kind, isDefault: Bool) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isDefault = isDefault
  }

  /// The microphones, then the loudspeakers of this machine. `server` is the sound server's address,
  /// nil the machine's own.
  ///
  /// Throws `AudioDeviceError`.
  public static func list(server: String? = nil) throws -> [AudioDevice] {
    #if canImport(CPulse)
      let connection = try PulseConnection(server: server)
      defer { connection.close() }
      return try connection.devices()
    #elseif canImport(AVFAudio)
      return SystemAudio.devices()
    #else
      throw AudioDeviceError.notSupported
    #endif
  }
}

extension [AudioDevice] {
  /// The device that `wanted` means: its id, its name, or a part of the name that no other has; nil
  /// takes the default.
  ///
  /// Throws `AudioDeviceError`: `none` when there is no such kind, `unknown` when none or several fit.
  package func choose(_ wanted: String?, _ kind: AudioDevice.Kind) throws -> AudioDevice {
    let all = filter { $0.kind == kind }
    guard let first = all.first else { throw AudioDeviceError.none(kind) }
    guard let wanted else { return all.first(where: \.isDefault) ?? first }
    if let exact = all.first(where: { $0.id == wanted }) ?? all.first(where: { $0.name == wanted }) {
      return exact
    }
    let partial = all.filter { $0.name.lowercased().contains(wanted.lowercased()) }
    guard partial.count == 1 else {
      throw AudioDeviceError.unknown(wanted, kind, available: all.map(\.name))
    }
    return partial[0]
  }
}
