import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import YoobTesting

@testable import VoiceIO

/// A sound server of the test's own, with virtual devices: the loudspeaker “Test loudspeaker”, and the
/// microphone “Test microphone”, which hears what is played into “Mouth”.
final class VirtualSound: Sendable {
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }
  private let folder: URL
  private let process = Guarded<pid_t>(0)
  let server: String

  /// Whether the server's programs are on this machine; `./test` installs them.
  static let isInstalled = ["pulseaudio", "pactl"].allSatisfy { path(of: $0) != nil }
  static let absence = "pulseaudio or pactl is not installed; ./test installs them"

  init() async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("yoob-sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = "unix:\(folder.path)/native"
    let script = """
      load-module module-native-protocol-unix auth-anonymous=1 socket=\(folder.path)/native
      load-module module-null-sink sink_name=speaker rate=48000 channels=1 sink_properties=device.description="Test\\ loudspeaker"
      load-module module-null-sink sink_name=mouth rate=48000 channels=1 sink_properties=device.description=Mouth
      load-module module-remap-source master=mouth.monitor source_name=mic source_properties=device.description="Test\\ microphone"
      set-default-sink speaker
      set-default-source mic

      """
    let file = folder.appendingPathComponent("pulse.pa")
    try Data(script.utf8).write(to: file)
    guard let program = Self.path(of: "pulseaudio") else { throw Fault(description: Self.absence) }
    let pid = try Self.spawn(
      [
        program, "-n", "-F", file.path, "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
        "--log-target=file:\(folder.path)/log", "--disable-shm=yes", "--realtime=no",
      ], folder: folder, output: "/dev/null")
    process.withLock { $0 = pid }
    let server = server
    let isUp = await eventually { ((try? AudioDevice.list(server: server)) ?? []).count == 3 }
    guard isUp else {
      let log = (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
      stop()
      throw Fault(description: "the sound server did not start: \(log)")
    }
  }

  deinit { stop() }

  func stop() {
    let pid = process.withLock { pid in
      defer { pid = 0 }
      return pid
    }
    if pid > 0 {
      kill(pid, SIGTERM)
      waitpid(pid, nil, 0)
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs `pactl`; returns what it says.
  @discardableResult func control(_ words: String...) throws -> String {
    let output = folder.appendingPathComponent("said").path
    let pid = try Self.spawn(
      [Self.path(of: "pactl") ?? "pactl", "-s", server] + words, folder: folder, output: output)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    guard status == 0 else {
      throw Fault(description: "pactl \(words.joined(separator: " ")) ended with \(status)")
    }
    return try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Starts a program. Foundation's `Process` takes the server, which closes every file that it
  /// inherits, for one that has ended.
  private static func spawn(_ words: [String], folder: URL, output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let environment = environment(folder).map { "\($0.key)=\($0.value)" }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables)
    guard code == 0 else { throw Fault(description: "\(words[0]): \(String(cString: strerror(code)))") }
    return pid
  }

  private static func environment(_ folder: URL) -> [String: String] {
    [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path, "PULSE_RUNTIME_PATH": folder.path, "LC_ALL": "C",
    ]
  }

  private static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
