/// What the preparation script's lines mean.
///
/// The script writes `[done/total] text`; downloads count bytes and say "downloading NAME", all
/// other steps count what they like. Its last line on failure is `error: …`.
struct PreparationOutput {
  enum Meaning: Equatable {
    case downloading(done: Int, total: Int)
    case working(percent: Double)
    case failed(String)
    /// A line without meaning for progress.
    case other
  }

  /// Keeps what came after the last line break; longer rests are cut.
  private var rest: [UInt8] = []
  static let lineLimit = 4096

  /// Takes the next bytes and returns what the lines completed by them mean.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Meaning] {
    var meanings: [Meaning] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        meanings.append(Self.meaning(of: String(decoding: rest, as: UTF8.self)))
        rest.removeAll(keepingCapacity: true)
      } else if rest.count < Self.lineLimit {
        rest.append(byte)
      }
    }
    return meanings
  }

  static func meaning(of line: String) -> Meaning {
    if line.hasPrefix("error: ") { return .failed(String(line.dropFirst(7))) }
    guard line.hasPrefix("["), let close = line.firstIndex(of: "]") else { return .other }
    let numbers = line[line.index(after: line.startIndex)..<close]
      .split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2, let done = Int(numbers[0]), let total = Int(numbers[1]), done >= 0, total > 0
    else { return .other }
    let text = line[line.index(after: close)...].drop { $0 == " " }
    if text.hasPrefix("download") { return .downloading(done: min(done, total), total: total) }
    return .working(percent: min(100, Double(done) / Double(total) * 100))
  }
}
