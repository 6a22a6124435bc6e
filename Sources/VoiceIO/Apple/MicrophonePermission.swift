#if canImport(AVFAudio)
  import AVFAudio
  import Dispatch
#endif

/// Whether the user lets the app use the microphone.
package enum MicrophonePermission {
  #if canImport(AVFAudio)
    /// Whether the user has said yes.
    static var isGranted: Bool { AVAudioApplication.shared.recordPermission == .granted }

    /// Seconds for which the system's question may stand.
    private static let patience = 120.0

    /// Asks the user where that was not done, and waits for the answer; not for the main thread.
    ///
    /// Throws `AudioDeviceError.notPermitted`.
    static func require() throws {
      if !isGranted {
        let answered = DispatchSemaphore(value: 0)
        Task {
          _ = await ask()
          answered.signal()
        }
        _ = answered.wait(timeout: .now() + patience)
      }
      guard isGranted else { throw AudioDeviceError.notPermitted }
    }
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
