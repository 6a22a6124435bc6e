import Foundation
import VoiceIO
import YoobStudio

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where commands write: results to standard output, everything else to standard error.
enum Console {
  /// Whether standard error is a terminal, where progress may be drawn.
  static let isInteractive = isatty(STDERR_FILENO) == 1

  /// Why standard output could not be written, if so.
  static let outputFault = Guarded<FileFault?>(nil)

  /// Writes one line of result.
  static func out(_ line: String) {
    guard !write(line + "\n", to: STDOUT_FILENO) else { return }
    let reason = WriteFault.reason(errno)
    outputFault.withLock { $0 = $0 ?? FileFault("Standard output cannot be written: \(reason).") }
  }

  /// Writes one line for the person who watches.
  ///
  /// Characters that steer a terminal or turn the direction of text, which names of files may hold, show as �.
  static func note(_ line: String) {
    write(plain(line) + "\n", to: STDERR_FILENO)
  }

  /// Columns of the terminal, 80 where it does not tell.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a sentence for the person who watches, cut between words where the terminal ends.
  static func noteWrapped(_ text: String) {
    guard isInteractive else { return note(text) }
    for row in CaptionScreen.wrapped(text, width: max(20, width)) { note(row) }
  }

  /// Says which files a command has written.
  static func noteWritten(_ paths: [String?], isQuiet: Bool) {
    let names = paths.compactMap { $0 }
    guard !isQuiet, let last = names.last else { return }
    let others = names.dropLast().joined(separator: ", ")
    note("Wrote \(others.isEmpty ? "" : others + " and ")\(last)")
  }

  /// The text with � for each character that steers a terminal, except the end of a line.
  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isSteering =
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
      result.append(isSteering ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  /// Writes to an open file; false when it cannot be written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        return false
      }
      bytes = bytes.dropFirst(written)
    }
    return true
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc)
    return Glibc.write(descriptor, bytes, count)
  #else
    return Darwin.write(descriptor, bytes, count)
  #endif
}

/// A bar on standard error for work that takes longer than a moment; silent where nobody watches.
final class ProgressBar {
  private let label: String
  private let isShown: Bool
  private let speaksInLines: Bool
  private var shownPermille = -1
  private var toldTenth = -1

  /// `inLines` writes the first remark of each tenth as a line where no bar can be drawn, for work of minutes.
  init(_ label: String, isQuiet: Bool, inLines: Bool = false) {
    self.label = label
    isShown = Console.isInteractive && !isQuiet
    speaksInLines = inLines && !Console.isInteractive && !isQuiet
  }

  /// Shows `fraction`, 0...1, and a remark such as the speed.
  func update(_ fraction: Double, remark: String = "") {
    let clamped = min(1, max(0, fraction))
    if speaksInLines, Int(clamped * 10) != toldTenth {
      toldTenth = Int(clamped * 10)
      Console.note("\(label): \(remark)")
    }
    guard isShown else { return }
    let permille = Int(clamped * 1000)
    guard permille != shownPermille else { return }
    shownPermille = permille
    let width = 28
    let filled = Int(clamped * Double(width))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    // One row of the terminal, which the next one can replace.
    let row = "\(label) \(bar) \(Int(clamped * 100)) % \(remark)".prefix(Console.width - 1)
    Console.write("\r\u{1B}[K" + row, to: STDERR_FILENO)
  }

  /// Clears the bar.
  func finish() {
    if isShown { Console.write("\r\u{1B}[K", to: STDERR_FILENO) }
  }
}
