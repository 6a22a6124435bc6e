#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  /// The microphone and the loudspeaker of an Apple system, with the system's own echo cancellation.
  ///
  /// Until somebody wants to hear the user, nothing asks for the microphone: sound is played, and silence stands
  /// for what is heard. Never run on a device: type-checked against stand-ins only.
  final class AVAudioBackend: DuplexBackend {
    private let options: DuplexDevice.Options
    private let run = Guarded<AVAudioRun?>(nil)
    private let wantsCapture = Guarded(false)

    init(_ options: DuplexDevice.Options) { self.options = options }

    func open(_ client: DuplexClient, captureRate: Int, mayFallBack: Bool) throws -> OpenedDevices {
      close()
      let isCapturing = wantsCapture.withLock { $0 } && AVAudioDevices.isPermitted
      let names: OpenedDevices
      do {
        names = try AVAudioDevices.activate(options.microphone, isCapturing: isCapturing)
      } catch AudioDeviceError.unknown where mayFallBack {
        names = try AVAudioDevices.activate(nil, isCapturing: isCapturing)
      }
      let opened = AVAudioRun(client, names: names, captureRate: captureRate, isCapturing: isCapturing)
      do { try opened.start() } catch {
        opened.close()
        throw error as? AudioDeviceError ?? .failed(error.localizedDescription)
      }
      run.withLock { $0 = opened }
      return names
    }

    func close() {
      let ended = run.withLock { run in
        defer { run = nil }
        return run
      }
      guard let ended else { return }
      ended.close()
      AVAudioDevices.deactivate()
    }

    func flush() { run.withLock { $0 }?.flush() }

    func withOutputLatency<Result>(_ body: (Double?) -> Result) -> Result {
      guard let run = run.withLock({ $0 }) else { return body(nil) }
      return run.withOutputLatency(body)
    }

    func allowCapture() throws -> Bool {
      try AVAudioDevices.requestPermission()
      wantsCapture.withLock { $0 = true }
      return run.withLock { $0?.isCapturing == false }
    }
  }
#endif
