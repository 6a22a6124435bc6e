import Foundation

/// Why a sound device cannot be used, and what to do about it.
public enum AudioDeviceError: Error, Sendable, Equatable, LocalizedError, CustomStringConvertible {
  /// No sound server answers; the reason is the system's.
  case noServer(String)
  /// The machine has no device of that kind.
  case none(AudioDevice.Kind)
  /// No device, or more than one, goes by that name.
  case unknown(String, AudioDevice.Kind, available: [String])
  /// Another conversation holds the microphone of that name.
  case busy(String)
  /// The device of that name was unplugged or its server ended.
  case lost(String)
  /// The device of that name is there and gives or takes no sound.
  case stalled(String)
  /// The sound system refused; the reason is its own.
  case failed(String)
  /// The user, or the system for all programs, does not allow the microphone.
  case notPermitted
  /// The device was closed.
  case closed
  /// This program was built without sound devices.
  case notSupported

  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .noServer(let reason):
      "No sound server answers (\(reason)). Start PipeWire or PulseAudio as the user who is logged in: "
        + "`systemctl --user start pipewire-pulse`, or `pulseaudio --start` (Debian: apt-get install pulseaudio)."
    case .none(let kind):
      "This machine has no \(kind.rawValue). Connect one and see `yoob devices`."
    case .unknown(let name, let kind, let available):
      "“\(name)” names no single \(kind.rawValue). There are: \(available.joined(separator: "; "))."
    case .busy(let name):
      "Another conversation is using the microphone “\(name)”. End it first, or choose another microphone."
    case .lost(let name): "“\(name)” is gone. Connect it again, or another one."
    case .stalled(let name):
      "“\(name)” has stopped. Check its cable and its settings; it is being opened again."
    case .failed(let reason): "The sound system refused: \(reason)."
    case .notPermitted:
      "The microphone is not allowed. Allow it in Settings, under Privacy and Security, Microphone, and start again."
    case .closed: "The sound device was closed. Open a new one."
    case .notSupported: "This build has no sound devices. Use files, or build with the trait “Pulse”."
    }
  }
}
