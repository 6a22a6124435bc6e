import Foundation

/// What this program is called where people read of it.
enum Program {
  /// The words that start it: `./run` tells its own by `YOOB_COMMAND`, since `yoob` is not on PATH then.
  static let name: String = {
    let told = ProcessInfo.processInfo.environment["YOOB_COMMAND"] ?? ""
    return told.isEmpty ? "yoob" : told
  }()

  /// A text with the commands in backticks, as libraries name them, as they are typed here.
  static func namingQuoted(_ text: String) -> String {
    text.replacingOccurrences(of: "`yoob ", with: "`\(name) ")
  }

  /// A text of this program, such as a usage, with the commands as they are typed here.
  static func naming(_ text: String) -> String {
    guard name != "yoob" else { return text }
    return (CommandLineTool.commands.map(\.name) + ["COMMAND"]).reduce(text) {
      $0.replacingOccurrences(of: "yoob \($1)", with: "\(name) \($1)")
    }
  }
}
