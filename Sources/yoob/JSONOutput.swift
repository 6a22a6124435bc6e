import Foundation

/// `--json` output: one document on standard output.
enum JSONOutput {
  static func write(_ value: some Encodable) throws {
    Console.out(try JSONText.pretty(value))
  }
}

/// JSON as commands print it: keys in a stable order, slashes as they are.
enum JSONText {
  static func pretty<Value: Encodable>(_ value: Value) throws -> String {
    try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  static func line<Value: Encodable>(_ value: Value) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text<Value: Encodable>(
    _ value: Value, _ format: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = format
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
