/// What a word that is spelled one way and said two ways does in its sentence.
enum PartOfSpeech: String {
  case noun = "NOUN"
  case verb = "VERB"
  case adjective = "ADJ"
  case past = "VBD"
  case participle = "VBN"
  case determiner = "DT"
  case other = "DEFAULT"

  /// Keys to look for in a lexicon entry, best first.
  var keys: [String] {
    switch self {
    case .past: ["VBD", "VERB", "DEFAULT"]
    case .participle: ["VBN", "VERB", "DEFAULT"]
    default: [rawValue, "DEFAULT"]
    }
  }

  /// A guess from the neighbours (lowercase, nil at the ends of a clause).
  static func guess(_ word: String, previous: String?, next: String?, sentence: [String]) -> PartOfSpeech {
    switch word {
    case "that":
      return previous == nil || next == nil || beforeThat.contains(previous ?? "") ? .determiner : .other
    case "used":
      return next == "to" && !forms("be").contains(previous ?? "") ? .past : .other
    case "read":
      if sentence.contains(where: { ["yesterday", "ago", "last"].contains($0) }) { return .past }
      if ["he", "she", "it"].contains(previous ?? "") { return .past }
    default: break
    }
    guard let previous else {
      return next.map(objects.contains) == true ? .verb : .other
    }
    if forms("have").contains(previous) || previous.hasSuffix("'ve") { return .participle }
    if forms("be").contains(previous) || previous.hasSuffix("'s") || previous.hasSuffix("'re") {
      return word == "read" ? .participle : .adjective
    }
    if beforeVerbs.contains(previous) || previous.hasSuffix("n't") || previous.hasSuffix("'ll") {
      return .verb
    }
    if beforeNouns.contains(previous) { return .noun }
    if previous == "and" || previous == "or" { return next.map(objects.contains) == true ? .verb : .other }
    let isPlural = previous.count > 3 && previous.hasSuffix("s") && !previous.hasSuffix("ss")
    if isPlural, !word.hasSuffix("s") { return .verb }
    if next.map(objects.contains) == true, !word.hasSuffix("s") { return .verb }
    return .other
  }

  private static func forms(_ verb: String) -> Set<String> { verb == "be" ? be : have }
  private static let be: Set<String> = ["am", "is", "are", "was", "were", "be", "been", "being", "i'm"]
  private static let have: Set<String> = ["have", "has", "had", "having"]
  private static let beforeThat: Set<String> = [
    "is", "was", "like", "of", "at", "in", "do", "about", "and", "but", "for", "to", "with", "than",
  ]
  private static let beforeVerbs: Set<String> = [
    "to", "will", "would", "can", "could", "should", "shall", "may", "might", "must", "i", "you", "we",
    "they", "who", "please", "let's", "let", "cannot", "do", "does", "did", "always", "never",
  ]
  private static let beforeNouns: Set<String> = [
    "a", "an", "the", "this", "my", "your", "his", "her", "its", "our", "their", "some", "any", "no",
    "every", "each", "of", "in", "on", "for", "with", "at", "from", "by", "these", "those", "many",
  ]
  private static let objects: Set<String> = [
    "the", "a", "an", "my", "your", "it", "them", "me", "us", "him", "his", "her", "our", "their",
    "this", "that", "these", "those", "up", "down", "in", "here", "there",
  ]
}
