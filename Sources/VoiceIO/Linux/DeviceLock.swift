#if canImport(Glibc)
  import Foundation
  import Glibc

  /// Says to every process of this user that a microphone is taken. The kernel drops it with its
  /// process, so it cannot be stale.
  final class DeviceLock: Sendable {
    private let descriptor: Int32

    /// Nil when another holds the device.
    init?(server: String, device: String) {
      let environment = ProcessInfo.processInfo.environment
      let base = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
      let folder = "\(base)/yoob-devices-\(getuid())"
      mkdir(folder, 0o700)
      // FNV-1a: the same in every process.
      let hash = "\(server)\n\(device)".utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      let path = "\(folder)/\(String(hash, radix: 16)).lock"
      descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      // Where no file can be made, nobody is kept out.
      guard descriptor >= 0 else { return }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        Glibc.close(descriptor)
        return nil
      }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }
  }
#endif
