import Foundation
import RunAnywhere
import RunAnywhereOnnx

/// The network that says words no lexicon has.
final class UnknownWords: Sendable {
  private struct Alphabet: Decodable {
    var `in`: [String]
    var out: [String]
    var maxlen: Int
  }

  private let session: OrtSession
  private let letters: [Unicode.Scalar: Int64]
  private let phones: [Unicode.Scalar]
  private let longest: Int

  init(_ files: ModelFiles) throws {
    let model = try files.url(named: "oov.onnx")
    let table = try files.url(named: "oov.json")
    do {
      let alphabet = try JSONDecoder().decode(Alphabet.self, from: Data(contentsOf: table))
      var letters: [Unicode.Scalar: Int64] = [:]
      for (index, letter) in alphabet.in.enumerated() {
        if let scalar = letter.unicodeScalars.first { letters[scalar] = Int64(index + 1) }
      }
      self.letters = letters
      phones = alphabet.out.compactMap { $0.unicodeScalars.first }
      longest = max(1, alphabet.maxlen)
    } catch {
      throw files.damaged(table.lastPathComponent, reason: "it is no table of letters", underlying: error)
    }
    do {
      session = try OrtSession(model: Data(contentsOf: model))
    } catch {
      throw files.damaged(model.lastPathComponent, reason: error.localizedDescription, underlying: error)
    }
  }

  /// Whether the network has seen the letter, or one that differs in its marks only.
  func knows(_ letter: Character) -> Bool {
    let plain = String(letter).folding(options: .diacriticInsensitive, locale: Locale(identifier: "en_US"))
    return [String(letter), plain].contains { $0.unicodeScalars.allSatisfy { letters[$0] != nil } }
  }

  /// Phones of a word, empty when it has no letter that the network knows.
  func phones(of word: String) -> Phones {
    let ids = word.unicodeScalars.compactMap { letters[$0] }
    var result: Phones = []
    var rest = ids[...]
    while !rest.isEmpty {
      result += read(Array(rest.prefix(longest)))
      rest = rest.dropFirst(longest)
    }
    return result
  }

  private func read(_ ids: [Int64]) -> Phones {
    guard
      let outputs = try? session.run([("chars", .int64(ids, shape: [1, ids.count]))], outputs: ["ids"]),
      let symbols = try? outputs.int64s(0)
    else { return [] }
    // One symbol a slot: runs of one symbol count once, 0 is the blank between them.
    var result: Phones = []
    var previous: Int64 = 0
    for symbol in symbols {
      if symbol != previous, symbol > 0, symbol <= phones.count { result.append(phones[Int(symbol) - 1]) }
      previous = symbol
    }
    return result
  }
}
