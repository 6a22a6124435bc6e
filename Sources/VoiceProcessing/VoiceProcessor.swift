import Foundation
import VoiceAudio

#if canImport(CVoiceProcessing)
  import CVoiceProcessing
#endif

/// Takes the loudspeaker's echo and the room's noise out of what a microphone hears, and evens out how
/// loud it is: WebRTC's third echo canceller, noise suppressor and digital gain. Somebody who speaks over
/// the loudspeaker is let through (`DoubleTalkGate`), at 16 kHz.
///
/// ```swift
/// var processor = try VoiceProcessor(VoiceProcessor.Options(gain: false))
/// processor.process(near: &microphone, far: loudspeaker)  // 10 ms each, again and again
/// ```
///
/// It learns as it goes: give it the frames of one conversation, in order. Copies share what it learned.
public struct VoiceProcessor: NearEndProcessing, Sendable {
  /// What is done to the microphone's sound.
  public struct Options: Sendable, Equatable {
    /// How much steady noise is taken out; more takes more of the voice.
    public enum Noise: Int, Sendable, CaseIterable {
      /// Nothing at all, and four steps up.
      case keep, low, moderate, high, veryHigh
    }
    /// Whether the loudspeaker's sound is taken out of the microphone's.
    public var cancelsEcho: Bool
    /// How much steady noise is taken out.
    public var noise: Noise
    /// Brings quiet speech up to a common loudness, slowly.
    public var gain: Bool

    /// Everything, at middle strength, unless something else is asked for.
    public init(cancelsEcho: Bool = true, noise: Noise = .moderate, gain: Bool = true) {
      self.cancelsEcho = cancelsEcho
      self.noise = noise
      self.gain = gain
    }
  }

  /// Whether this build has the library.
  public static var isAvailable: Bool {
    #if canImport(CVoiceProcessing)
      return true
    #else
      return false
    #endif
  }

  /// Samples per second: 16,000, 32,000 or 48,000.
  public let sampleRate: Int
  private let engine: Engine

  /// Throws `VoiceProcessingError`.
  public init(_ options: Options = Options(), sampleRate: Int = 16_000) throws {
    guard [16_000, 32_000, 48_000].contains(sampleRate) else {
      throw VoiceProcessingError.unsupportedRate(sampleRate)
    }
    self.sampleRate = sampleRate
    engine = try Engine(options, sampleRate: sampleRate)
  }

  /// Cleans 10 ms of the microphone in place. `far` is what was played then, or up to half a second
  /// earlier. Frames of another length are left as they are.
  public mutating func process(near: inout [Float], far: [Float]) {
    guard near.count == sampleRate / 100, far.count == near.count else { return }
    engine.process(&near, far)
  }

  /// Whether somebody speaks over the loudspeaker.
  public var hearsDoubleTalk: Bool { engine.hearsDoubleTalk }

  /// Milliseconds by which the echo comes after `far`; nil while it is not known.
  public var echoDelay: Int? { engine.delay }
}

/// Why there is no voice processing.
public enum VoiceProcessingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Only 16, 32 and 48 kHz can be processed.
  case unsupportedRate(Int)
  /// The library is not in this build, or had no memory.
  case notAvailable

  public var description: String {
    switch self {
    case .unsupportedRate(let rate):
      "Voice processing takes 16, 32 or 48 kHz, not \(rate) Hz. Resample first."
    case .notAvailable:
      "This build has no echo cancellation. Build with the trait “EchoCancellation”, or use headphones."
    }
  }
}

/// The library's handle, for one caller at a time.
private final class Engine: @unchecked Sendable {  // its state is used under `lock` only
  #if canImport(CVoiceProcessing)
    private let lock = NSLock()
    private let handle: OpaquePointer
    private var gate: DoubleTalkGate?

    init(_ options: VoiceProcessor.Options, sampleRate: Int) throws {
      guard
        let made = yoob_voice_processing_create(
          Int32(sampleRate), options.cancelsEcho ? 1 : 0, Int32(options.noise.rawValue),
          options.gain ? 1 : 0)
      else { throw VoiceProcessingError.notAvailable }
      handle = made
      gate = options.cancelsEcho && sampleRate == DoubleTalkGate.sampleRate ? DoubleTalkGate() : nil
    }

    deinit { yoob_voice_processing_destroy(handle) }

    func process(_ near: inout [Float], _ far: [Float]) {
      lock.withLock {
        guard var gate else {
          _ = run(&near, far, nil)
          return
        }
        let heard = near
        var linear = [Float](repeating: 0, count: near.count)
        let isDone = linear.withUnsafeMutableBufferPointer { run(&near, far, $0.baseAddress) }
        if isDone { gate.process(heard: heard, linear: linear, far: far, cleaned: &near) }
        self.gate = gate
      }
    }

    private func run(_ near: inout [Float], _ far: [Float], _ linear: UnsafeMutablePointer<Float>?) -> Bool {
      near.withUnsafeMutableBufferPointer { near in
        far.withUnsafeBufferPointer { far in
          yoob_voice_processing_process(handle, near.baseAddress, far.baseAddress, linear) == 0
        }
      }
    }

    var hearsDoubleTalk: Bool { lock.withLock { gate?.isOpen ?? false } }

    var delay: Int? {
      let milliseconds = lock.withLock { yoob_voice_processing_delay_ms(handle) }
      return milliseconds < 0 ? nil : Int(milliseconds)
    }
  #else
    init(_ options: VoiceProcessor.Options, sampleRate: Int) throws {
      throw VoiceProcessingError.notAvailable
    }
    func process(_ near: inout [Float], _ far: [Float]) {}
    var hearsDoubleTalk: Bool { false }
    var delay: Int? { nil }
  #endif
}
