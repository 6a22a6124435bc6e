import Foundation
import VoiceIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lines that come in on standard input while a conversation goes on.
///
/// On a terminal the keys are read one by one, so that what is typed can be drawn below the captions;
/// from a pipe or a file whole lines are read. The end of a pipe ends nothing; Ctrl-D on an empty line
/// of a terminal is `end`.
final class TypedLines: Sendable {
  enum Input: Sendable, Equatable {
    case line(String)
    /// A line that is longer than `LineEditor.longest` bytes.
    case tooLong
    case end
  }

  /// At most 256 wait to be taken; later ones are dropped.
  let inputs: AsyncStream<Input>
  private let send: AsyncStream<Input>.Continuation
  private let wake: Int32
  private let isTerminal: Bool
  private let isEdited: Bool

  /// Begins to read. With `drawsKeys` the keys of a terminal are not echoed by it: `onEdit` is told what
  /// has been typed so far.
  init(drawsKeys: Bool, onEdit: @escaping @Sendable (String) -> Void) {
    (inputs, send) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(256))
    isTerminal = isatty(STDIN_FILENO) == 1
    var ends: [Int32] = [-1, -1]
    // A program in the background leaves the terminal to the one in front.
    let isMine = !isTerminal || tcgetpgrp(STDIN_FILENO) == getpgrp()
    guard isMine, pipe(&ends) == 0 else {
      wake = -1
      isEdited = false
      send.finish()
      return
    }
    wake = ends[1]
    // Sent to the background later, it is refused instead of stopped.
    if isTerminal { signal(SIGTTIN, SIG_IGN) }
    isEdited = isTerminal && drawsKeys && TerminalMode.readKeys()
    let (send, stop, isTerminal, isEdited) = (send, ends[0], isTerminal, isEdited)
    Thread.detachNewThread {
      Self.read(send, until: stop, isTerminal: isTerminal, isEdited: isEdited, onEdit: onEdit)
    }
  }

  /// Ends the reading and gives the terminal back as it was. Idempotent.
  func close() {
    send.finish()
    guard wake >= 0 else { return }
    if isEdited { TerminalMode.restore() }
    _ = Console.write("x", to: wake)
  }

  private static func read(
    _ send: AsyncStream<Input>.Continuation, until stop: Int32, isTerminal: Bool, isEdited: Bool,
    onEdit: @Sendable (String) -> Void
  ) {
    var editor = LineEditor()
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var sources = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&sources, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        break
      }
      if sources[1].revents != 0 { return }
      let count = Int(systemRead(STDIN_FILENO, &buffer, buffer.count))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        if !line.isEmpty { give(&line, send) }
        if isTerminal && count == 0 { send.yield(.end) }
        break
      }
      for byte in buffer[..<count] {
        if isEdited {
          switch editor.take(byte) {
          case .changed: onEdit(editor.text)
          case .line(let text):
            onEdit("")
            send.yield(.line(text))
          case .end: send.yield(.end)
          case nil: break
          }
        } else if byte == UInt8(ascii: "\n") {
          give(&line, send)
        } else if line.count <= LineEditor.longest {
          line.append(byte)
        }
      }
    }
    send.finish()
  }

  private static func give(_ line: inout [UInt8], _ send: AsyncStream<Input>.Continuation) {
    let isWhole = line.count <= LineEditor.longest
    send.yield(isWhole ? .line(String(decoding: line, as: UTF8.self)) : .tooLong)
    line = []
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
    return Glibc.read(descriptor, buffer, count)
  #else
    return Darwin.read(descriptor, buffer, count)
  #endif
}

/// How the terminal on standard input hands over what is typed.
enum TerminalMode {
  private static let saved = Guarded<termios?>(nil)

  /// Hands over each key at once and echoes none; Ctrl-C still interrupts, Ctrl-Z does nothing. False
  /// when the terminal does not take it.
  static func readKeys() -> Bool {
    saved.withLock { saved in
      var mode = termios()
      guard saved == nil, tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
      let before = mode
      mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
        characters[Int(VSUSP)] = 0
      }
      guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return false }
      saved = before
      return true
    }
  }

  /// As it was before `readKeys`. Idempotent.
  static func restore() {
    saved.withLock { saved in
      guard var mode = saved else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &mode)
      saved = nil
    }
  }
}
