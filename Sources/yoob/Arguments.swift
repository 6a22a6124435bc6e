/// A command line that cannot be understood; the program shows it with the command's usage and exits with 2.
struct UsageError: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

/// The words after a command's name, split into options, flags and the rest.
///
/// Accepts `--name value`, `--name=value` and flags, in any order; `--` ends the options, and a single `-` is a
/// plain argument. Unknown options, repeated ones that are no lists, and missing values are refused.
struct Arguments {
  private(set) var positional: [String] = []
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []

  /// Parses `words`; `options` take a value, `lists` too, once or more, and `flags` do not.
  init(
    _ words: [String], options: Set<String> = [], lists: Set<String> = [], flags known: Set<String> = []
  ) throws {
    var index = words.startIndex
    var onlyPositional = false
    while index < words.endIndex {
      let word = words[index]
      index += 1
      if onlyPositional || !word.hasPrefix("-") || word == "-" {
        positional.append(word)
        continue
      }
      if word == "--" {
        onlyPositional = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if known.contains(name) {
        guard parts.count == 1 else { throw UsageError("\(name) takes no value.") }
        flags.insert(name)
      } else if options.contains(name) || lists.contains(name) {
        guard values[name] == nil || lists.contains(name) else { throw UsageError("\(name) is given twice.") }
        if parts.count == 2 {
          values[name, default: []].append(String(parts[1]))
        } else {
          guard index < words.endIndex else { throw UsageError("\(name) needs a value.") }
          values[name, default: []].append(words[index])
          index += 1
        }
        if values[name]?.last == "" { throw UsageError("\(name) needs a value.") }
      } else {
        throw UsageError("Unknown option \(name).")
      }
    }
  }

  /// The value of an option, nil when it was not given.
  subscript(_ option: String) -> String? { values[option]?.last }

  /// The values of a list, in order.
  func all(_ list: String) -> [String] { values[list] ?? [] }

  /// Whether a flag was given.
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The whole number of an option inside `range`, or `fallback` when it was not given.
  func integer(_ option: String, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
    guard let text = self[option] else { return fallback }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text)”.")
    }
    return number
  }

  /// The word of an option out of `choices`, or `fallback` when it was not given.
  func choice(_ option: String, of choices: [String], default fallback: String) throws -> String {
    guard let text = self[option] else { return fallback }
    guard choices.contains(text) else {
      throw UsageError("\(option) is one of \(choices.joined(separator: ", ")), not “\(text)”.")
    }
    return text
  }
}
