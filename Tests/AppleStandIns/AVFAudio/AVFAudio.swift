// What our code uses of AVFAudio, as Apple documents it.
@_exported import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeBus = Int
public typealias OSStatus = Int32

public struct AudioTimeStamp {}
public struct AudioBuffer {
  public var mNumberChannels: UInt32
  public var mDataByteSize: UInt32
  public var mData: UnsafeMutableRawPointer?
}
public struct AudioBufferList {
  public var mNumberBuffers: UInt32
  public var mBuffers: AudioBuffer
}
public struct UnsafeMutableAudioBufferListPointer: Sequence {
  public init(_ p: UnsafeMutablePointer<AudioBufferList>) {}
  public func makeIterator() -> Array<AudioBuffer>.Iterator { [].makeIterator() }
}

public class AVAudioFormat: NSObject {
  public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) { return nil }
  public var sampleRate: Double { 0 }
  public var channelCount: AVAudioChannelCount { 0 }
}

public class AVAudioNode: NSObject {
  override init() {}
  public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError("a stand-in") }
}
public class AVAudioIONode: AVAudioNode {
  public var presentationLatency: TimeInterval { 0 }
  public func setVoiceProcessingEnabled(_ enabled: Bool) throws {}
}
public class AVAudioInputNode: AVAudioIONode {}
public class AVAudioOutputNode: AVAudioIONode {}
public class AVAudioMixerNode: AVAudioNode {}

public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus
public class AVAudioSourceNode: AVAudioNode {
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {}
}
public typealias AVAudioSinkNodeReceiverBlock = (
  UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus
public class AVAudioSinkNode: AVAudioNode {
  public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {}
}

public class AVAudioEngine: NSObject {
  override public init() {}
  public var inputNode: AVAudioInputNode { fatalError("a stand-in") }
  public var outputNode: AVAudioOutputNode { fatalError("a stand-in") }
  public var mainMixerNode: AVAudioMixerNode { fatalError("a stand-in") }
  public func attach(_ node: AVAudioNode) {}
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {}
  public func prepare() {}
  public func start() throws {}
  public func stop() {}
}
extension Notification.Name {
  public static let AVAudioEngineConfigurationChange = Notification.Name("AVAudioEngineConfigurationChange")
}

public class AVAudioApplication: NSObject, @unchecked Sendable {
  public enum recordPermission: Int, Sendable { case undetermined, denied, granted }
  public class var shared: AVAudioApplication { fatalError("a stand-in") }
  public var recordPermission: recordPermission { .undetermined }
  public class func requestRecordPermission() async -> Bool { false }
}

#if canImport(UIKit)
  public class AVAudioSessionPortDescription: NSObject {
    public var portName: String { "" }
    public var uid: String { "" }
  }
  public class AVAudioSessionRouteDescription: NSObject {
    public var inputs: [AVAudioSessionPortDescription] { [] }
    public var outputs: [AVAudioSessionPortDescription] { [] }
  }
  public class AVAudioSession: NSObject, @unchecked Sendable {
    public struct Category: Hashable, Sendable {
      public static let playback = Category()
      public static let playAndRecord = Category()
    }
    public struct Mode: Hashable, Sendable {
      public static let `default` = Mode()
      public static let voiceChat = Mode()
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
    }
    public static let interruptionNotification = Notification.Name("interruption")
    public static let mediaServicesWereResetNotification = Notification.Name("reset")
    public class func sharedInstance() -> AVAudioSession { fatalError("a stand-in") }
    public var currentRoute: AVAudioSessionRouteDescription { fatalError("a stand-in") }
    public var availableInputs: [AVAudioSessionPortDescription]? { nil }
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions) throws {}
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {}
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {}
    public func setActive(_ active: Bool, options: SetActiveOptions) throws {}
  }
#endif
