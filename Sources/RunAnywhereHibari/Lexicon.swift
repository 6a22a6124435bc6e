import Foundation
import RunAnywhere

/// Phones of known words.
struct Lexicon: Sendable {
  private let file: LexiconFile

  init(_ file: LexiconFile) { self.file = file }

  /// Opens the lexicons of a voice. The first time they are merged into `lexicon.bin` beside them,
  /// or in memory where that place cannot be written.
  init(_ files: ModelFiles) throws {
    let better = try files.url(named: "lexicon_us_gold.json.gz")
    let other = try files.url(named: "lexicon_us_silver.json.gz")
    var stamp: UInt64 = 0
    for url in [better, other] {
      // A gzip file ends with checksum and size of its content.
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      let size = try handle.seekToEnd()
      try handle.seek(toOffset: size - min(size, 8))
      for byte in try handle.readToEnd() ?? Data() { stamp = (stamp ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    let merged = files.folder.appendingPathComponent("lexicon.bin")
    if let data = try? Data(contentsOf: merged, options: .alwaysMapped),
      let file = LexiconFile(data, stamp: stamp)
    {
      self.file = file
      return
    }
    let entries = try [better, other].map { url in
      do {
        return try LexiconSource.entries(Gzip.inflate(Data(contentsOf: url)))
      } catch {
        throw files.damaged(url.lastPathComponent, reason: error.localizedDescription, underlying: error)
      }
    }
    let data = LexiconFile.build(better: entries[0], other: entries[1], stamp: stamp)
    let isWritten = (try? data.write(to: merged, options: .atomic)) != nil
    let mapped = isWritten ? try? Data(contentsOf: merged, options: .alwaysMapped) : nil
    guard let file = LexiconFile(mapped ?? data, stamp: stamp) else {
      throw files.damaged(better.lastPathComponent, reason: "it holds no words")
    }
    self.file = file
  }

  /// What a lexicon says of a word, by part of speech; the key "DEFAULT" is always there.
  struct Entry {
    fileprivate let text: String

    /// Phones under the first of `keys` that the entry has.
    func phones(_ keys: [String]) -> Phones {
      guard text.last == "\n" else { return Array(text.unicodeScalars) }
      var variants: [Substring: Substring] = [:]
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: "\t", maxSplits: 1)
        if parts.count == 2 { variants[parts[0]] = parts[1] }
      }
      let value = (keys + ["DEFAULT"]).lazy.compactMap { variants[Substring($0)] }.first
      return value.map { Array($0.unicodeScalars) } ?? []
    }
  }

  /// The entry of a word: as it is spelled, else with its first letter in the other case; from the
  /// better lexicon when it has either.
  func entry(_ word: String) -> Entry? {
    let exact = file.value(of: word)
    if let exact, exact.tier == 0 { return Entry(text: exact.value) }
    let other = Self.otherCase(word).flatMap { file.value(of: $0) }
    if let other, other.tier == 0 || exact == nil { return Entry(text: other.value) }
    return exact.map { Entry(text: $0.value) }
  }

  private static func otherCase(_ word: String) -> String? {
    guard let first = word.first else { return nil }
    let lower = word.lowercased()
    let capital = first.uppercased() + lower.dropFirst()
    if word == lower { return capital == word ? nil : capital }
    return word == capital ? lower : nil
  }
}
