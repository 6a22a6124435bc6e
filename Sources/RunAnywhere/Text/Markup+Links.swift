// Links, tags and addresses.
extension Markup {
  /// `[text](address)`, `![text](address)` and `[text][name]` become their text, `[^1]` goes.
  mutating func resolveLinks() {
    var from = 0
    while let middle = find("](", from: from) {
      from = middle + 2
      // A clause may have been cut inside of the text.
      let open = marks[..<middle].lastIndex { $0.scalar == "[" }
      guard let close = endOfAddress(from: middle + 2) else { continue }
      let start = open.map { $0 > 0 && marks[$0 - 1].scalar == "!" ? $0 - 1 : $0 } ?? 0
      let text = Array(marks[(open.map { $0 + 1 } ?? 0)..<middle])
      marks.replaceSubrange(start...close, with: text)
      from = start + text.count
    }
    from = 0
    while let middle = find("][", from: from) {
      from = middle + 2
      guard let open = marks[..<middle].lastIndex(where: { $0.scalar == "[" }),
        let close = marks[from...].firstIndex(where: { $0.scalar == "]" }), close - from < 40
      else { continue }
      let text = Array(marks[(open + 1)..<middle])
      marks.replaceSubrange(open...close, with: text)
      from = open + text.count
    }
    while let open = find("[^", from: 0) {
      guard let close = marks[open...].firstIndex(where: { $0.scalar == "]" }), close - open < 20,
        !marks[open..<close].contains(where: { $0.scalar.properties.isWhitespace })
      else {
        marks.remove(at: open + 1)
        continue
      }
      marks.removeSubrange(open...close)
    }
  }

  /// The bracket that closes the address that begins at `start`; brackets inside of it are closed first.
  private func endOfAddress(from start: Int) -> Int? {
    var depth = 1
    for index in start..<marks.count {
      switch marks[index].scalar {
      case "(": depth += 1
      case ")":
        depth -= 1
        if depth == 0 { return index }
      case "\n": return nil
      default: break
      }
    }
    return nil
  }

  private static let breakingTags: Set<String> = [
    "br", "p", "div", "li", "ul", "ol", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "table",
  ]

  /// `<b>` goes, `<https://…>` keeps its inside, `a < b` stays, `<br>` parts words.
  mutating func removeTags() {
    while let open = find("<!--", from: 0) {
      marks.removeSubrange(open..<(find("-->", from: open + 4).map { $0 + 3 } ?? marks.count))
    }
    var from = 0
    while let open = marks[from...].firstIndex(where: { $0.scalar == "<" }) {
      from = open + 1
      guard let next = marks[from...].first?.scalar, next == "/" || next.properties.isAlphabetic,
        let close = marks[open...].firstIndex(where: { $0.scalar == ">" }), close - open < 200
      else { continue }
      let inner = Array(marks[(open + 1)..<close])
      let isAddress =
        inner.contains { $0.scalar == ":" || $0.scalar == "@" }
        && !inner.contains { $0.scalar == "\"" || $0.scalar == "=" || $0.scalar.properties.isWhitespace }
      let name = String(
        String.UnicodeScalarView(
          inner.map(\.scalar).drop { $0 == "/" }.prefix {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
          }))
      let space = Self.breakingTags.contains(name.lowercased()) ? Self.marks(" ", inner[0].source) : []
      marks.replaceSubrange(open...close, with: isAddress ? inner : space)
      from = open
    }
  }

  private static let entities = [
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&apos;": "'", "&#39;": "'", "&nbsp;": " ",
    "&mdash;": "—", "&ndash;": "–", "&hellip;": "…", "&deg;": "°", "&euro;": "€", "&copy;": "",
  ]

  mutating func resolveEntities() {
    guard marks.contains(where: { $0.scalar == "&" }) else { return }
    for (entity, text) in Self.entities {
      while let start = find(entity, from: 0) {
        let source = marks[start].source
        // "&amp;lt;" is resolved once: what it gives is text.
        marks.replaceSubrange(
          start..<(start + entity.unicodeScalars.count),
          with: text == "&" ? Self.marks(isEnglish ? " and " : " ", source) : Self.marks(text, source))
      }
    }
  }

  /// An address on the web is read as its host; one of mail with "at" and "dot".
  mutating func resolveAddresses() {
    var result: [Mark] = []
    var run: [Mark] = []
    for mark in marks + [Mark(scalar: " ", source: marks.last?.source ?? 0)] {
      if mark.scalar.properties.isWhitespace {
        result += address(run)
        run = []
        result.append(mark)
      } else {
        run.append(mark)
      }
    }
    marks = result.dropLast()
  }

  /// Ends of names that are addresses or files, not the end of a sentence without its space.
  private static let ends: Set<String> = [
    "com", "org", "net", "io", "edu", "gov", "uk", "de", "fr", "eu", "dev", "app", "ai", "info", "tv", "js",
    "ts",
    "py", "txt", "pdf", "md", "swift", "json", "csv", "html", "css", "exe", "zip", "jpg", "png", "mp3", "wav",
    "doc",
  ]

  private func address(_ run: [Mark]) -> [Mark] {
    guard run.count > 4, let source = run.first?.source else { return run }
    let text = String(String.UnicodeScalarView(run.map(\.scalar)))
    let lower = text.lowercased()
    var core = Substring(text)
    while let last = core.last, ".,;:!?)\"'*_]>".contains(last) { core.removeLast() }
    let tail = text.dropFirst(core.count).filter { ".,;:!?".contains($0) }
    while let first = core.first, "(\"'*_[<".contains(first) { core.removeFirst() }
    let dot = isEnglish ? " dot " : "."
    var spoken: String?
    if lower.contains("://") || lower.contains("www.") {
      let rest = core.range(of: "://").map { core[$0.upperBound...] } ?? core
      let name = rest.lowercased().hasPrefix("www.") ? rest.dropFirst(4) : rest
      spoken = name.prefix { !"/?#:".contains($0) }.split(separator: ".").joined(separator: dot)
    } else if let at = core.firstIndex(of: "@"), at > core.startIndex, core[at...].dropFirst().contains(".") {
      guard isEnglish else { return run }
      spoken = core.replacing("@", with: " at ").split(separator: ".").joined(separator: dot)
    } else if isEnglish {
      let name = core.prefix { $0 != "/" }
      let labels = name.split(separator: ".", omittingEmptySubsequences: false)
      let isName =
        labels.count > 1
        && labels.allSatisfy { label in
          !label.isEmpty
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        }
      if isName, name.contains(where: \.isLetter), Self.ends.contains(labels.last?.lowercased() ?? "") {
        spoken = labels.joined(separator: dot)
      }
    }
    guard let spoken, !spoken.isEmpty else { return run }
    return Self.marks(spoken + tail, source)
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
