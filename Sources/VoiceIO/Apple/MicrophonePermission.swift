#if canImport(AVFAudio)
  import AVFAudio
#endif

/// Whether the user lets the app use the microphone.
package enum MicrophonePermission {
  #if canImport(AVFAudio)
    /// Whether the user has said yes.
    static var isGranted: Bool { AVAudioApplication.shared.recordPermission == .granted }
  #endif

  /// Asks the user, unless they were asked before; true where the system asks nobody.
  package static func ask() async -> Bool {
    #if canImport(AVFAudio)
      if isGranted { return true }
      return await AVAudioApplication.requestRecordPermission()
    #else
      return true
    #endif
  }
}
