#if canImport(CPulse)
  import CPulse

  /// A microphone and a loudspeaker of a sound server. The playback stream never stops: it plays
  /// silence between utterances, so that positions on it and the echo's delay stay true.
  final class PulseBackend: DuplexBackend {
    /// Seconds of rendered sound that wait in the server: short, and enough for a busy machine.
    private static let playbackBuffer = 0.08
    /// Seconds of captured sound that come at a time.
    private static let captureStep = 0.01

    private let options: DuplexDevice.Options
    private let session = Guarded<PulseSession?>(nil)

    init(_ options: DuplexDevice.Options) { self.options = options }

    func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices {
      close()
      let connection = try PulseConnection(server: options.server)
      let devices = try connection.devices()
      func choose(_ wanted: String?, _ kind: AudioDevice.Kind) throws -> AudioDevice {
        do {
          return try devices.choose(wanted, kind)
        } catch AudioDeviceError.unknown where mayFallBack {
          return try devices.choose(nil, kind)
        }
      }
      let microphone = try choose(options.microphone, .microphone)
      let loudspeaker = try choose(options.loudspeaker, .loudspeaker)
      guard let lock = DeviceLock(server: connection.server, device: microphone.id) else {
        throw AudioDeviceError.busy(microphone.name)
      }
      let opened = PulseSession(
        connection: connection, lock: lock, client: client, devices: devices,
        microphone: microphone, loudspeaker: loudspeaker)
      do {
        try opened.start(
          captureRate: captureRate, captureStep: Self.captureStep, playbackBuffer: Self.playbackBuffer)
      } catch {
        opened.close()
        throw (error as? PulseConnection.Fault).map { AudioDeviceError.failed($0.reason) } ?? error
      }
      session.withLock { $0 = opened }
      return OpenedDevices(microphone: microphone.name, loudspeaker: loudspeaker.name)
    }

    func close() {
      let ended = session.withLock { session in
        defer { session = nil }
        return session
      }
      ended?.close()
    }

    func flush() { session.withLock { $0 }?.flush() }

    func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
      guard let session = session.withLock({ $0 }) else { return body(nil) }
      return session.withOutputLatency(body)
    }
  }
#endif
