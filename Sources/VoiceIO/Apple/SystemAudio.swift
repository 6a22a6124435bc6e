#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  /// What the system knows of microphones and loudspeakers. On macOS they are chosen in its settings.
  enum SystemAudio {
    /// The microphones, then the loudspeakers.
    static func devices() -> [AudioDevice] {
      #if os(macOS)
        return [
          AudioDevice(id: "default-input", name: "System microphone", kind: .microphone, isDefault: true),
          AudioDevice(id: "default-output", name: "System loudspeaker", kind: .loudspeaker, isDefault: true),
        ]
      #else
        let session = AVAudioSession.sharedInstance()
        let current = session.currentRoute
        let inputs = (session.availableInputs ?? current.inputs).map { port in
          AudioDevice(
            id: port.uid, name: port.portName, kind: .microphone,
            isDefault: current.inputs.contains { $0.uid == port.uid })
        }
        return inputs
          + current.outputs.map {
            AudioDevice(id: $0.uid, name: $0.portName, kind: .loudspeaker, isDefault: true)
          }
      #endif
    }

    /// Takes the sound for a conversation. Throws `AudioDeviceError.unknown` for a microphone that is not there,
    /// unless another may take its place, and what the system says.
    static func activate(
      microphone: String?, mayHear: Bool, mayFallBack: Bool, step: Double
    ) throws -> OpenedDevices {
      #if !os(macOS)
        let session = AVAudioSession.sharedInstance()
        if mayHear {
          try session.setCategory(
            .playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker, .allowBluetooth])
        } else {
          try session.setCategory(.playback, mode: .default, options: [])
        }
        try session.setPreferredIOBufferDuration(step)
        try session.setActive(true, options: [])
      #endif
      let all = devices()
      let chosen: AudioDevice?
      do {
        chosen = mayHear ? try all.choose(microphone, .microphone) : nil
      } catch AudioDeviceError.unknown where mayFallBack {
        chosen = try all.choose(nil, .microphone)
      }
      #if !os(macOS)
        if let id = chosen?.id, microphone != nil {
          try session.setPreferredInput(session.availableInputs?.first { $0.uid == id })
        }
      #endif
      return OpenedDevices(
        microphone: chosen?.name ?? "none",
        loudspeaker: all.first { $0.kind == .loudspeaker }?.name ?? "loudspeaker")
    }

    /// What ends an engine: other devices, and on iOS a call or another app.
    static func changes(of engine: AVAudioEngine) -> [(name: Notification.Name, object: AnyObject?)] {
      let change: [(name: Notification.Name, object: AnyObject?)] = [
        (.AVAudioEngineConfigurationChange, engine)
      ]
      #if os(macOS)
        return change
      #else
        return change + [
          (AVAudioSession.interruptionNotification, nil),
          (AVAudioSession.mediaServicesWereResetNotification, nil),
        ]
      #endif
    }
  }
#endif
