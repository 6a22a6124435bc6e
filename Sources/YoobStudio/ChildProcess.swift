import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that is fed through its standard input and must end well.
final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let errors: URL
  private let name: String

  /// Starts `name`, found on PATH, with `arguments` and in `folder`.
  init(_ name: String, _ arguments: [String], in folder: URL) throws(StudioError) {
    self.name = name
    guard let program = ChildProcess.find(name) else { throw .missingProgram(name) }
    // A program that ends early must be an error of `write`, not the end of this process.
    var action = sigaction()
    if sigaction(SIGPIPE, nil, &action) == 0, action.isDefault { signal(SIGPIPE, SIG_IGN) }
    errors = LeftOvers.temporaryName(".log")
    TemporaryFiles.add(errors)
    _ = FileManager.default.createFile(
      atPath: errors.path, contents: nil, attributes: [.posixPermissions: 0o600])
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try? FileHandle(forWritingTo: errors)
    do {
      try process.run()
    } catch {
      TemporaryFiles.remove(errors)
      throw .encoderFailed("\(name) did not start: \(error.localizedDescription)")
    }
    // The reading end belongs to the child alone, so that writing fails when the child dies.
    try? input.fileHandleForReading.close()
  }

  deinit { TemporaryFiles.remove(errors) }

  /// Hands over bytes; waits while the program is busy.
  func write(_ bytes: UnsafeRawBufferPointer) throws(StudioError) {
    var rest = bytes[...]
    let descriptor = input.fileHandleForWriting.fileDescriptor
    while !rest.isEmpty {
      let slice = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, slice.baseAddress, slice.count)
      #else
        let count = Darwin.write(descriptor, slice.baseAddress, slice.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        process.waitUntilExit()
        throw .encoderFailed(reason)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the input and waits for the program's end.
  func finish() throws(StudioError) {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw .encoderFailed(reason) }
  }

  /// Ends the program without a result.
  func cancel() {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// Why the program ended, in the user's words.
  private var reason: String {
    let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").last.map(String.init) ?? ""
    if let reason = WriteFault.reason(in: text) { return reason }
    return line.isEmpty ? "\(name) ended with \(process.terminationStatus)" : "\(name): \(line)"
  }

  /// Runs a program to its end, in `folder`, and returns its standard output, nil when it fails or is missing.
  static func output(
    _ name: String, _ arguments: [String], in folder: URL? = nil
  ) throws(StudioError) -> Data? {
    guard let program = find(name) else { throw .missingProgram(name) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = program
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .encoderFailed("\(name) did not start: \(error.localizedDescription)")
    }
    let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data ?? Data() : nil
  }

  private static func find(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    for folder in path.split(separator: ":") {
      let candidate = URL(fileURLWithPath: String(folder)).appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
    }
    return nil
  }
}

extension sigaction {
  /// Whether the signal still ends the process.
  fileprivate var isDefault: Bool {
    #if canImport(Glibc)
      __sigaction_handler.sa_handler == nil
    #else
      __sigaction_u.__sa_handler == nil
    #endif
  }
}
