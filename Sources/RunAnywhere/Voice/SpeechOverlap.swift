/// What somebody says while the agent speaks.
enum SpeechOverlap: Sendable, Equatable {
  /// Words for the agent.
  case words
  /// Signs that the user listens, such as "mm-hm" and "I see".
  case backchannel
  /// The agent's own words, come back from the loudspeaker.
  case echo

  /// The kind of `text`.
  /// - Parameters:
  ///   - spoken: What the loudspeaker said in the last seconds.
  ///   - isQuestion: Whether the agent was asking something, so that a "yes" is an answer.
  ///   - language: Language of the conversation, such as "en-US".
  init(of text: String, over spoken: String, isQuestion: Bool, language: String) {
    let words = Self.words(text)
    if Self.isEcho(words, of: Self.words(spoken)) {
      self = .echo
    } else if !isQuestion && Self.isBackchannel(words, language: language) {
      self = .backchannel
    } else {
      self = .words
    }
  }

  // MARK: Backchannels

  /// Signs of more words are written with a space. Sounds such as "mm-hm" are the same everywhere.
  private static let sounds: Set<String> = [
    "mm", "mmm", "mhm", "mmhm", "mmhmm", "hm", "hmm", "hmmm", "uh", "uhuh", "uhhuh", "huh", "ah", "aah",
    "aha", "ahh", "oh", "ooh", "wow", "ha", "haha", "ok", "okay",
  ]
  private static let signs: [String: Set<String>] = [
    "en": [
      "yeah", "yep", "yup", "yes", "right", "sure", "cool", "nice", "great", "good", "true", "really",
      "exactly", "absolutely", "definitely", "totally", "indeed", "interesting", "alright", "fine",
      "i see", "got it", "i know", "of course", "go on", "all right", "makes sense", "that makes sense",
      "no way", "oh my", "very good", "very nice", "um", "er",
    ],
    "de": [
      "ja", "jaja", "genau", "stimmt", "klar", "gut", "schön", "aha", "ach", "ach so", "achso", "echt",
      "wirklich", "verstehe", "ich verstehe", "alles klar", "na klar", "ähm", "äh",
    ],
    "fr": [
      "oui", "ouais", "daccord", "bien", "très bien", "exactement", "bien sûr", "je vois", "ah bon",
      "vraiment", "cest vrai", "euh",
    ],
    "es": [
      "sí", "si", "claro", "vale", "bueno", "bien", "muy bien", "ya", "ya veo", "ajá", "de verdad", "exacto",
      "por supuesto", "eh",
    ],
  ]
  private static let mostSigns = 4

  private static func isBackchannel(_ words: [String], language: String) -> Bool {
    let own = signs[String(language.lowercased().prefix { $0.isLetter })] ?? []
    var rest = words[...]
    var count = 0
    while !rest.isEmpty {
      let length = (1...min(3, rest.count)).last { length in
        let sign = rest.prefix(length).joined(separator: " ")
        return own.contains(sign) || (length == 1 && sounds.contains(sign))
      }
      guard let length else { return false }
      rest.removeFirst(length)
      count += 1
    }
    return (1...mostSigns).contains(count)
  }

  // MARK: Echo

  /// Fewer words are what a user may well repeat.
  private static let fewestEchoWords = 3

  /// Whether nearly all words stand in `spoken` in the same order, close together.
  private static func isEcho(_ words: [String], of spoken: [String]) -> Bool {
    guard words.count >= fewestEchoWords else { return false }
    let slack = 1 + words.count / 4
    let wanted = words.count - words.count / 5
    return spoken.indices.contains { start in
      var found = 0
      var place = start
      let end = min(spoken.count, start + words.count + slack)
      for word in words {
        guard let next = spoken[place..<end].firstIndex(of: word) else { continue }
        found += 1
        place = next + 1
      }
      return found >= wanted
    }
  }

  /// Lower case, without punctuation: "Mm-hm, I'm" is mmhm, im.
  private static func words(_ text: String) -> [String] {
    text.lowercased().split(whereSeparator: \.isWhitespace)
      .map { word in String(word.filter { $0.isLetter || $0.isNumber }) }.filter { !$0.isEmpty }
  }
}
