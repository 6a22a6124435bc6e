#if canImport(AVFAudio)
  import AVFAudio
  import Darwin
  import Foundation
  import VoiceAudio

  /// One engine, from its start to its end. It is not started again: when the system changes the devices, it is lost,
  /// and another one follows.
  final class AVAudioRun: @unchecked Sendable {  // the engine and all that changes are only touched under `lock`
    /// Samples of a buffer of the loudspeaker, 20 ms, and how many buffers wait to be heard.
    private static let bufferLength = DuplexDevice.outputRate / 50
    private static let buffersAhead = 4

    let isCapturing: Bool
    private let client: DuplexClient
    private let names: OpenedDevices
    private let captureRate: Int
    // Recursive: what is captured asks for the output's latency.
    private let lock = NSRecursiveLock()
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let work = DispatchQueue(label: "yoob.apple.audio", qos: .userInteractive)
    private var resampler = StreamingResampler(from: 48_000, to: 16_000)
    /// Samples that were handed to the player since it began to play.
    private var scheduled = 0
    private var isOpen = false
    private var observers: [any NSObjectProtocol] = []

    init(_ client: DuplexClient, names: OpenedDevices, captureRate: Int, isCapturing: Bool) {
      self.client = client
      self.names = names
      self.captureRate = captureRate
      self.isCapturing = isCapturing
    }

    /// Throws `AudioDeviceError`, or what the system says.
    func start() throws {
      try lock.withLock {
        guard
          let format = AVAudioFormat(
            standardFormatWithSampleRate: Double(DuplexDevice.outputRate), channels: 1)
        else { throw AudioDeviceError.failed("no format of one channel") }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        if isCapturing { try capture() }
        engine.prepare()
        try engine.start()
        isOpen = true
        player.play()
        fill(format)
      }
      watch()
    }

    func close() {
      lock.withLock {
        isOpen = false
        observers.forEach(NotificationCenter.default.removeObserver)
        observers = []
        if isCapturing { engine.inputNode.removeTap(onBus: 0) }
        player.stop()
        engine.stop()
      }
      // What was on its way ends first.
      work.sync {}
    }

    func flush() {
      lock.withLock {
        guard isOpen else { return }
        player.stop()
        scheduled = 0
        player.play()
        fill(player.outputFormat(forBus: 0))
      }
    }

    func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
      lock.withLock { body(isOpen ? latency : nil) }
    }

    // MARK: The loudspeaker

    /// Seconds from the last sample that the player has to the ear; nil while it has not begun to play.
    private var latency: Double? {
      guard let played else { return nil }
      let waiting = Double(scheduled - played) / Double(DuplexDevice.outputRate)
      return max(0, waiting) + engine.outputNode.presentationLatency + AVAudioDevices.outputLatency
    }

    /// Samples that have left the player.
    private var played: Int? {
      guard let time = player.lastRenderTime, time.isSampleTimeValid,
        let place = player.playerTime(forNodeTime: time)
      else { return nil }
      return Int(Double(place.sampleTime) * Double(DuplexDevice.outputRate) / place.sampleRate)
    }

    /// Keeps the player busy, so that positions stay true in silence too.
    private func fill(_ format: AVAudioFormat) {
      while isOpen, scheduled - (played ?? 0) < Self.buffersAhead * Self.bufferLength {
        guard
          let buffer = AVAudioPCMBuffer(
            pcmFormat: format, frameCapacity: AVAudioFrameCount(Self.bufferLength)),
          let channel = buffer.floatChannelData?[0]
        else { return }
        let samples = client.render(Self.bufferLength)
        buffer.frameLength = AVAudioFrameCount(Self.bufferLength)
        for index in 0..<min(samples.count, Self.bufferLength) { channel[index] = samples[index] }
        scheduled += Self.bufferLength
        // The player's thread must not call the player.
        player.scheduleBuffer(buffer, completionCallbackType: .dataConsumed) { [weak self] _ in
          self?.work.async { [weak self] in self?.consumed() }
        }
        if !isCapturing {
          client.capture([Float](repeating: 0, count: captureRate / 50), 0)
        }
      }
    }

    private func consumed() {
      lock.withLock {
        guard isOpen else { return }
        fill(player.outputFormat(forBus: 0))
      }
    }

    // MARK: The microphone

    private func capture() throws {
      let input = engine.inputNode
      try input.setVoiceProcessingEnabled(true)
      let format = input.outputFormat(forBus: 0)
      guard format.sampleRate > 0, format.channelCount > 0 else { throw AudioDeviceError.none(.microphone) }
      resampler = StreamingResampler(from: Int(format.sampleRate), to: captureRate)
      input.installTap(
        onBus: 0, bufferSize: AVAudioFrameCount(format.sampleRate / 50), format: format
      ) { [weak self] buffer, time in
        self?.take(buffer, time)
      }
    }

    private func take(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
      guard let channel = buffer.floatChannelData?[0] else { return }
      let samples = Array(UnsafeBufferPointer(start: channel, count: Int(buffer.frameLength)))
      let age =
        time.isHostTimeValid
        ? AVAudioTime.seconds(forHostTime: mach_absolute_time())
          - AVAudioTime.seconds(forHostTime: time.hostTime) : 0
      lock.withLock {
        guard isOpen else { return }
        client.capture(resampler.process(samples), max(0, age) + AVAudioDevices.inputLatency)
      }
    }

    // MARK: The system

    /// Another device, a telephone call, or a restart of the media server ends the run.
    private func watch() {
      let lost: @Sendable (Notification) -> Void = { [weak self] _ in self?.lose() }
      let center = NotificationCenter.default
      var observers = [
        center.addObserver(
          forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil, using: lost)
      ]
      #if os(iOS)
        observers.append(
          center.addObserver(
            forName: AVAudioSession.mediaServicesWereResetNotification, object: nil, queue: nil, using: lost))
        observers.append(
          center.addObserver(
            forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
          ) { [weak self] notice in
            let kind = notice.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            if kind == AVAudioSession.InterruptionType.began.rawValue { self?.lose() }
          })
      #endif
      lock.withLock { self.observers += observers }
    }

    private func lose() {
      // The device closes this run, and a notification may come from within a call of it.
      work.async { [weak self] in
        guard let self, lock.withLock({ self.isOpen }) else { return }
        client.lost(.lost(isCapturing ? names.microphone : names.loudspeaker))
      }
    }
  }
#endif
