/// Where a transcript of what was heard stands in the text that was to be said.
package enum HeardWords {
  /// The words of a text in small letters, without punctuation.
  package static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in text.lowercased() + " " {
      if character.isLetter || character.isNumber {
        word.append(character)
      } else if character != "'" && character != "’" && !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    return words
  }

  /// How many words of `text` the beginning has that is nearest to `transcript` by the number of
  /// letters to be changed; of several the shortest. Letters, since a word cut in half is written as
  /// another one.
  package static func prefix(of text: [String], heard transcript: [String]) -> Int {
    let heard = Array(transcript.joined(separator: " "))
    let whole = Array(text.joined(separator: " "))
    var ends: [Int: Int] = [0: 0]  // letters at the end of a word: words
    var letters = 0
    for (index, word) in text.enumerated() {
      letters += word.count + (index > 0 ? 1 : 0)
      ends[letters] = index + 1
    }
    var row = Array(0...heard.count)
    var best = (count: 0, distance: row[heard.count])
    for (index, letter) in whole.enumerated() {
      var previous = row[0]
      row[0] = index + 1
      for (place, other) in heard.enumerated() {
        let changed = min(row[place + 1] + 1, row[place] + 1, previous + (letter == other ? 0 : 1))
        previous = row[place + 1]
        row[place + 1] = changed
      }
      if let count = ends[index + 1], row[heard.count] < best.distance {
        best = (count, row[heard.count])
      }
    }
    return best.count
  }
}
