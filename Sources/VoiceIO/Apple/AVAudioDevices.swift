#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  /// What an Apple system has for devices, and whether the user allows the microphone.
  enum AVAudioDevices {
    /// Seconds for which the system's question about the microphone may stand.
    private static let patience = 120.0

    /// Whether the user has allowed the microphone.
    static var isPermitted: Bool { AVAudioApplication.shared.recordPermission == .granted }

    /// Asks for the microphone where that was not done yet, and waits for the answer; not for the main thread.
    ///
    /// Throws `AudioDeviceError.notPermitted`.
    static func requestPermission() throws {
      if AVAudioApplication.shared.recordPermission == .undetermined {
        let answered = DispatchSemaphore(value: 0)
        AVAudioApplication.requestRecordPermission { _ in answered.signal() }
        _ = answered.wait(timeout: .now() + patience)
      }
      guard isPermitted else { throw AudioDeviceError.notPermitted }
    }

    #if os(iOS)
      /// The microphones, and the loudspeaker that is in use.
      static func list() throws -> [AudioDevice] {
        let session = AVAudioSession.sharedInstance()
        let current = session.currentRoute.inputs.first?.uid
        let microphones = (session.availableInputs ?? []).map {
          AudioDevice(id: $0.uid, name: $0.portName, kind: .microphone, isDefault: $0.uid == current)
        }
        return microphones
          + session.currentRoute.outputs.map {
            AudioDevice(id: $0.uid, name: $0.portName, kind: .loudspeaker, isDefault: true)
          }
      }

      /// Makes the session one for conversations, with the microphone that is wanted, and returns the names of what
      /// is in use.
      static func activate(_ microphone: String?, isCapturing: Bool) throws -> OpenedDevices {
        let session = AVAudioSession.sharedInstance()
        do {
          if isCapturing {
            try session.setCategory(
              .playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker, .allowBluetooth])
          } else {
            try session.setCategory(.playback, mode: .spokenAudio, options: [])
          }
          try session.setActive(true)
        } catch {
          throw AudioDeviceError.failed(error.localizedDescription)
        }
        if isCapturing, let microphone {
          let wanted = try list().choose(microphone, .microphone)
          let port = session.availableInputs?.first { $0.uid == wanted.id }
          do { try session.setPreferredInput(port) } catch {
            throw AudioDeviceError.failed(error.localizedDescription)
          }
        }
        return OpenedDevices(
          microphone: session.currentRoute.inputs.first?.portName ?? "Microphone",
          loudspeaker: session.currentRoute.outputs.first?.portName ?? "Loudspeaker")
      }

      static func deactivate() {
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
      }

      /// Seconds from the system to the ear, and from the mouth to the system.
      static var outputLatency: Double { AVAudioSession.sharedInstance().outputLatency }
      static var inputLatency: Double { AVAudioSession.sharedInstance().inputLatency }
    #else
      private static let microphone = AudioDevice(
        id: "default", name: "Default microphone", kind: .microphone, isDefault: true)
      private static let loudspeaker = AudioDevice(
        id: "default", name: "Default loudspeaker", kind: .loudspeaker, isDefault: true)

      /// The devices that are chosen in the system's settings.
      static func list() throws -> [AudioDevice] { [microphone, loudspeaker] }

      static func activate(_ wanted: String?, isCapturing: Bool) throws -> OpenedDevices {
        _ = try list().choose(wanted, .microphone)
        return OpenedDevices(microphone: microphone.name, loudspeaker: loudspeaker.name)
      }

      static func deactivate() {}

      // The engine's own latency counts here.
      static var outputLatency: Double { 0 }
      static var inputLatency: Double { 0 }
    #endif
  }
#endif
