import Foundation
import Observation
import VoiceAudio
import VoiceIO

/// The microphone of an avatar, whose own voice is taken out of what it hears. A conversation starts and stops
/// it; an app may use it alone.
///
/// ```swift
/// avatar.microphone.onAudio = { pcm in recognizer.append(pcm) }  // 24 kHz mono PCM16
/// try await avatar.microphone.start()
/// ```
@MainActor @Observable public final class YoobMicrophone {
  /// Samples a second of `onAudio`.
  public nonisolated static let sampleRate = 24_000

  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Closed.
    case off
    /// Being opened.
    case starting
    /// What it hears is handed on.
    case live
    /// Open, and nothing of it is handed on.
    case muted
    /// It cannot be used; `start()` tries again.
    case failed(YoobError)
  }

  /// A microphone of this machine.
  public struct Input: Sendable, Equatable, Identifiable {
    /// What the sound system calls it.
    public var id: String
    /// What people call it.
    public var name: String
  }

  /// Where it stands.
  public private(set) var state = State.off {
    didSet { if state != oldValue { for watcher in watchers.values { watcher(state) } } }
  }
  /// Loudness of what is heard, 0...1, twenty times a second; 0 while muted or off.
  public private(set) var level: Float = 0
  /// The microphones of this machine, as of the last `start()` or `refreshInputs()`.
  public private(set) var inputs: [Input] = []
  /// The one that was chosen; nil is the default one.
  public private(set) var selectedInputID: String?
  /// Whether nothing of it is handed on.
  public private(set) var isMuted = false

  /// Gets 20 ms at a time, 480 samples of mono PCM16 at 24 kHz, on an audio thread; it must return at once.
  @ObservationIgnored public var onAudio: (@Sendable (Data) -> Void)? {
    didSet {
      guard let onAudio else { return feed.set(0, nil) }
      feed.set(0) { packet in onAudio(Data(packet)) }
    }
  }

  @ObservationIgnored private let device: (any SelectableMicrophone)?
  @ObservationIgnored private let spawn: AvatarDevices.Start
  @ObservationIgnored private let feed: MicrophoneFeed
  @ObservationIgnored private var watchers: [Int: @MainActor (State) -> Void] = [:]
  @ObservationIgnored private var lastTap = 0
  /// Counts starts and stops; what was begun before the last one is void.
  @ObservationIgnored private var opening = 0
  /// The start that is at work.
  @ObservationIgnored private var starting: Task<Void, any Error>?

  init(_ devices: AvatarDevices) {
    device = devices.microphone
    spawn = devices.start
    let link = Relay<Float>()
    feed = MicrophoneFeed(clock: devices.clock) { link.send($0) }
    link.set { [weak self] level in Task { @MainActor in self?.show(level) } }
  }

  deinit { device?.stop() }

  /// Opens the microphone, `inputID` of `inputs` or the one chosen before. Without effect when it is open and
  /// no other is asked for; while it is being opened it waits for that.
  ///
  /// Throws `YoobError.permissionDenied` when the system forbids it, else `.renderer` with the reason.
  public func start(inputID: String? = nil) async throws {
    guard let device else {
      throw failed(.renderer("there is no microphone here"))
    }
    if let inputID, inputID != selectedInputID { try select(inputID: inputID) }
    switch state {
    case .live, .muted: return
    case .starting: if let starting { return try await starting.value }
    case .off, .failed: state = .starting
    }
    opening += 1
    let opening = opening
    let task = Task { try await open(device, opening) }
    starting = task
    defer { if self.opening == opening { starting = nil } }
    try await task.value
  }

  private func open(_ device: any SelectableMicrophone, _ opening: Int) async throws {
    guard self.opening == opening else { throw CancellationError() }
    let feed = feed
    feed.open()
    // Opening a device takes its time.
    let result = Guarded<(error: YoobError?, inputs: [AudioDevice])>((nil, []))
    await spawn {
      guard await device.askPermission() else {
        let error = YoobError(microphone: AudioDeviceError.notPermitted)
        return result.withLock { $0 = (error, []) }
      }
      do {
        try device.start { feed.take($0) }
        let inputs = (try? device.inputs()) ?? []
        result.withLock { $0 = (nil, inputs) }
      } catch {
        result.withLock { $0 = (YoobError(microphone: error), []) }
      }
    }.value
    let (error, found) = result.withLock { $0 }
    guard self.opening == opening else {
      // It was stopped meanwhile.
      if state == .off { device.stop() }
      throw CancellationError()
    }
    if let error { throw failed(error) }
    show(found)
    device.observe { [weak self] change in Task { @MainActor in self?.take(change) } }
    state = isMuted ? .muted : .live
  }

  /// Takes another microphone, nil the default one; one that is open goes on with it.
  ///
  /// Throws `YoobError.renderer` when there is no such microphone, or it cannot be opened.
  public func select(inputID: String?) throws {
    guard let device else { throw YoobError.renderer("there is no microphone here") }
    guard inputID != selectedInputID else { return }
    do { try device.select(inputID) } catch { throw YoobError(microphone: error) }
    selectedInputID = inputID
  }

  /// Mutes or unmutes; muted sound reaches nobody.
  public func setMuted(_ isMuted: Bool) {
    guard self.isMuted != isMuted else { return }
    self.isMuted = isMuted
    feed.isMuted = isMuted
    if isMuted { level = 0 }
    switch state {
    case .live where isMuted: state = .muted
    case .muted where !isMuted: state = .live
    default: break
    }
  }

  /// Closes the microphone. Idempotent.
  public func stop() {
    opening += 1
    feed.close()
    device?.observe(nil)
    device?.stop()
    level = 0
    state = .off
  }

  /// Looks again which microphones there are. Throws `YoobError.renderer` when the sound system does not tell.
  public func refreshInputs() async throws {
    guard let device else { return show([]) }
    let result = Guarded<Result<[AudioDevice], any Error>>(.success([]))
    await spawn {
      let found = Result { try device.inputs() }
      result.withLock { $0 = found }
    }.value
    switch result.withLock({ $0 }) {
    case .success(let found): show(found)
    case .failure(let error): throw YoobError(microphone: error)
    }
  }

  // MARK: For conversations

  /// Calls `packet` with every packet, on an audio thread, and `onState` at every change, until the tap is
  /// closed.
  func tap(
    _ packet: @escaping @Sendable ([UInt8]) -> Void, onState: @escaping @MainActor (State) -> Void
  ) -> Int {
    lastTap += 1
    feed.set(lastTap, packet)
    watchers[lastTap] = onState
    return lastTap
  }

  func closeTap(_ number: Int) {
    feed.set(number, nil)
    watchers[number] = nil
  }

  // MARK: What the device tells

  private func failed(_ error: YoobError) -> YoobError {
    feed.close()
    state = .failed(error)
    return error
  }

  private func show(_ found: [AudioDevice]) { inputs = found.map { Input(id: $0.id, name: $0.name) } }

  private func show(_ level: Float) {
    guard case .live = state else { return }
    self.level = level
  }

  private func take(_ change: DeviceChange) {
    switch change {
    case .lost: level = 0
    case .returned(let microphone, _):
      // Where the chosen one is gone the default takes its place.
      if let chosen = inputs.first(where: { $0.id == selectedInputID }), chosen.name != microphone {
        selectedInputID = nil
      }
    }
  }
}

extension YoobError {
  /// Why the microphone cannot be used.
  init(microphone error: any Error) {
    if let error = error as? YoobError {
      self = error
      return
    }
    if let error = error as? AudioDeviceError, error == .notPermitted {
      self = .permissionDenied(error.description)
      return
    }
    var text = "\(error)"
    if text.hasSuffix(".") { text.removeLast() }
    let words = text.lowercased()
    let isForbidden = ["permission", "access denied", "not permitted"].contains { words.contains($0) }
    self = isForbidden ? .permissionDenied(text + "; allow it in the system's settings") : .renderer(text)
  }
}
