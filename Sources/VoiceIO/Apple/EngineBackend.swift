#if canImport(AVFAudio)
  import AVFAudio

  /// The microphone and the loudspeaker of an Apple device, by `AVAudioEngine`, whose voice processing takes the
  /// loudspeaker's sound out of the microphone's.
  ///
  /// Until somebody wants to hear the user, there is a loudspeaker alone, and silence stands for what is heard.
  final class EngineBackend: DuplexBackend {
    private let options: DuplexDevice.Options
    private let session = Guarded<EngineSession?>(nil)
    private let wantsCapture = Guarded(false)
    private let output = Guarded(EngineSession.Output())

    init(_ options: DuplexDevice.Options) { self.options = options }

    func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices {
      close()
      do {
        let opened = try EngineSession(
          client, output: output, microphone: options.microphone, captureRate: captureRate,
          mayFallBack: mayFallBack,
          mayHear: wantsCapture.withLock { $0 } && MicrophonePermission.isGranted)
        defer { session.withLock { $0 = opened } }
        return opened.names
      } catch {
        throw (error as? AudioDeviceError) ?? AudioDeviceError.failed(error.localizedDescription)
      }
    }

    func close() {
      let ended = session.withLock { session in
        defer { session = nil }
        return session
      }
      ended?.close()
      output.withLock { $0 = EngineSession.Output() }
    }

    func allowCapture() throws -> Bool {
      try MicrophonePermission.require()
      wantsCapture.withLock { $0 = true }
      return session.withLock { $0?.mayHear == false }
    }

    /// The engine asks for samples as it plays them: none wait.
    func flush() {}

    func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
      output.withLock { body($0.latency) }
    }
  }
#endif
