import VoiceAudio

/// Text of many kinds: words, numbers, markup, emoji, tags, any scalars.
func randomText(using random: inout SplitMix64, pieces: Int) -> String {
  let stock = [
    "hello", "Dr.", "3.14", "e.g.", "U.S.", "a.m.", "**bold**", "_it_", "`code`", "```swift\nlet x = 1\n```",
    "\n", "\n\n", "- item", "1. first", "| a | b |", "|---|---|", "😀", "👩‍👩‍👧", "🇫🇷", "https://a.b/c?d=e",
    "me@x.org", "$3.50", "25%", "7:30", "1st", "1999", "<think>", "</think>", "<thi", "<b>", "</b>",
    "[t](http://x.y)",
    "—", "…", "...", "?!", "\"", "(", ")", ",", ".", "!", "é", "e\u{301}", "日本語。", "\u{200B}", "\r\n",
    "\u{0}",
    "and", "but", "word,", "end.", "Really?", "Yes!", "<", ">", "*", "#", "## Head", "~5", "½", "٣",
  ]
  var text = ""
  for _ in 0..<pieces {
    if Int.random(in: 0..<8, using: &random) == 0 {
      let value = UInt32.random(in: 0...0x1FFFF, using: &random)
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    } else {
      text += stock[Int.random(in: 0..<stock.count, using: &random)]
    }
    if Bool.random(using: &random) { text += " " }
  }
  return text
}

/// The text cut at random scalars.
func randomCuts(of text: String, using random: inout SplitMix64) -> [String] {
  var parts: [String.UnicodeScalarView] = [String.UnicodeScalarView()]
  for scalar in text.unicodeScalars {
    if Int.random(in: 0..<3, using: &random) == 0 { parts.append(String.UnicodeScalarView()) }
    parts[parts.count - 1].append(scalar)
  }
  return parts.map(String.init)
}
