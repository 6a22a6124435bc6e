import Foundation

/// The lists of recordings that scripts write: one JSON object a line.
enum CorpusList {
  private static let longest = 86_400.0

  /// The lines of a list that has some; `maker` is the script that writes it, `isPossible` looks at the values.
  static func read<Line: Decodable>(
    _ list: URL, maker: String, isPossible: (Line) -> Bool = { _ in true }
  ) throws -> [Line] {
    guard let data = try? Data(contentsOf: list) else {
      throw FileFault("\(list.path) cannot be read. Run \(maker), or name its folder with --data.")
    }
    let lines = try data.split(separator: UInt8(ascii: "\n")).enumerated().map { index, bytes in
      guard let line = try? JSONDecoder().decode(Line.self, from: bytes), isPossible(line) else {
        throw FileFault("\(list.path) is damaged at entry \(index + 1). Run \(maker) again.")
      }
      return line
    }
    guard !lines.isEmpty else {
      throw FileFault("\(list.path) has no recordings. Run \(maker) again.")
    }
    return lines
  }

  /// Whether silences, in seconds, lie in order before the end of the last word.
  static func arePossible(_ pauses: [[Double]], before end: Double) -> Bool {
    guard (0...longest).contains(end), pauses.allSatisfy({ $0.count == 2 }) else { return false }
    let times: [Double] = [0] + pauses.flatMap { $0 } + [end]
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
