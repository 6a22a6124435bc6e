import Foundation

/// The lists of recordings that scripts write: one JSON object a line.
enum CorpusList {
  /// The lines of a list that has some; `maker` is the script that writes it.
  static func read<Line: Decodable>(_ list: URL, maker: String) throws -> [Line] {
    guard let data = try? Data(contentsOf: list) else {
      throw FileFault("\(list.path) cannot be read. Run \(maker), or name its folder with --data.")
    }
    let lines: [Line]
    do {
      lines = try data.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Line.self, from: $0)
      }
    } catch {
      throw FileFault("\(list.path) is damaged. Run \(maker) again.")
    }
    guard !lines.isEmpty else {
      throw FileFault("\(list.path) has no recordings. Run \(maker) again.")
    }
    return lines
  }
}
