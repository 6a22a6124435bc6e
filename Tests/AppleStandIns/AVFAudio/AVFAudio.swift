import Foundation

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioFramePosition = Int64
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeBus = Int

open class AVAudioFormat: @unchecked Sendable {
  public init?(standardFormatWithSampleRate: Double, channels: AVAudioChannelCount) {}
  public var sampleRate: Double { 0 }
  public var channelCount: AVAudioChannelCount { 0 }
}

open class AVAudioBuffer: @unchecked Sendable {}

open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
  public init?(pcmFormat: AVAudioFormat, frameCapacity: AVAudioFrameCount) {}
  public var frameLength: AVAudioFrameCount = 0
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { nil }
}

open class AVAudioTime: @unchecked Sendable {
  public var isHostTimeValid: Bool { false }
  public var isSampleTimeValid: Bool { false }
  public var hostTime: UInt64 { 0 }
  public var sampleTime: AVAudioFramePosition { 0 }
  public var sampleRate: Double { 0 }
  public class func seconds(forHostTime: UInt64) -> TimeInterval { 0 }
}

public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

open class AVAudioNode {
  public init() {}
  public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { fatalError("a stand-in") }
  public func installTap(
    onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
    block tapBlock: @escaping AVAudioNodeTapBlock
  ) {}
  public func removeTap(onBus bus: AVAudioNodeBus) {}
  public var lastRenderTime: AVAudioTime? { nil }
}

open class AVAudioIONode: AVAudioNode {
  public var presentationLatency: TimeInterval { 0 }
  public func setVoiceProcessingEnabled(_ enabled: Bool) throws {}
}

open class AVAudioInputNode: AVAudioIONode {}
open class AVAudioOutputNode: AVAudioIONode {}
open class AVAudioMixerNode: AVAudioNode {}

public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
  case dataConsumed, dataRendered, dataPlayedBack
}

open class AVAudioPlayerNode: AVAudioNode {
  public override init() {}
  public func scheduleBuffer(
    _ buffer: AVAudioPCMBuffer, completionCallbackType: AVAudioPlayerNodeCompletionCallbackType,
    completionHandler: (@Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void)? = nil
  ) {}
  public func play() {}
  public func stop() {}
  public func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? { nil }
}

open class AVAudioEngine {
  public init() {}
  public func attach(_ node: AVAudioNode) {}
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {}
  public func prepare() {}
  public func start() throws {}
  public func stop() {}
  public let inputNode = AVAudioInputNode()
  public let outputNode = AVAudioOutputNode()
  public let mainMixerNode = AVAudioMixerNode()
}

extension NSNotification.Name {
  public static let AVAudioEngineConfigurationChange = NSNotification.Name("AVAudioEngineConfigurationChange")
}

open class AVAudioApplication: @unchecked Sendable {
  public enum recordPermission: Int, Sendable {
    case undetermined, denied, granted
  }
  public class var shared: AVAudioApplication { AVAudioApplication() }
  public var recordPermission: recordPermission { .undetermined }
  public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {}
}
