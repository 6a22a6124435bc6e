import Foundation

/// `--json` output: one document on standard output.
enum JSONOutput {
  static func write(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    Console.out(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
