import Foundation

/// On macOS there is none; our code asks `os(iOS)` before it uses it.
open class AVAudioSession: @unchecked Sendable {
  public struct Category: Hashable, Sendable {
    public static let playAndRecord = Category()
    public static let playback = Category()
  }
  public struct Mode: Hashable, Sendable {
    public static let voiceChat = Mode()
    public static let spokenAudio = Mode()
  }
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
    public static let allowBluetooth = CategoryOptions(rawValue: 4)
  }
  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }
  public enum InterruptionType: UInt, Sendable {
    case ended = 0
    case began = 1
  }
  public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")

  public class func sharedInstance() -> AVAudioSession { AVAudioSession() }
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {}
  public var availableInputs: [AVAudioSessionPortDescription]? { nil }
  public var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription() }
  public var outputLatency: TimeInterval { 0 }
  public var inputLatency: TimeInterval { 0 }
}

public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

open class AVAudioSessionPortDescription: @unchecked Sendable {
  public var uid: String { "" }
  public var portName: String { "" }
}

open class AVAudioSessionRouteDescription: @unchecked Sendable {
  public var inputs: [AVAudioSessionPortDescription] { [] }
  public var outputs: [AVAudioSessionPortDescription] { [] }
}
