// Formulas between dollar signs, as LaTeX writes them.
extension Markup {
  private static let commands: [String: String] = [
    "times": "times", "cdot": "times", "div": "divided by", "pm": "plus or minus", "leq": "is at most",
    "le": "is at most", "geq": "is at least", "ge": "is at least", "neq": "is not", "ne": "is not",
    "approx": "is about", "infty": "infinity", "sum": "the sum of", "int": "the integral of", "to": "to",
    "rightarrow": "to", "left": "", "right": "", "quad": "", "circ": "degrees", "partial": "d", "in": "in",
    "ldots": "", "cdots": "", "dots": "", "displaystyle": "", "lim": "the limit of", "log": "log",
    "ln": "l n",
  ]
  private static let signs: [Unicode.Scalar: String] = [
    "=": "equals", "+": "plus", "*": "times", "/": "over", "<": "is less than", ">": "is greater than",
    "-": "minus", "±": "plus or minus", "×": "times", "·": "times", "≤": "is at most", "≥": "is at least",
  ]

  /// Formulas become words.
  mutating func readFormulas() {
    for (open, close) in [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")] {
      var from = 0
      while let start = find(open, from: from) {
        let inside = start + open.unicodeScalars.count
        from = inside
        guard let end = find(close, from: inside), end > inside, end - inside < 400 else { continue }
        let inner = Array(marks[inside..<end])
        let after = end + close.unicodeScalars.count
        if open == "$" {
          let follows = after < marks.count ? marks[after].scalar : " "
          guard Self.isFormula(inner), follows.properties.numericType == nil else { continue }
        }
        let words = Self.words(of: inner)
        marks.replaceSubrange(start..<after, with: words)
        from = start + words.count
      }
    }
  }

  /// Whether what stands between two dollar signs is no money: "$x$", "$a = b$".
  private static func isFormula(_ inner: [Mark]) -> Bool {
    guard let first = inner.first?.scalar, let last = inner.last?.scalar, !first.properties.isWhitespace,
      !last.properties.isWhitespace, !inner.contains(where: { $0.scalar == "\n" })
    else { return false }
    let isMarked = inner.contains { "\\^_={}+".unicodeScalars.contains($0.scalar) }
    return isMarked || (inner.count <= 2 && first.properties.isAlphabetic)
  }

  private static func words(of inner: [Mark]) -> [Mark] {
    var formula = Formula(marks: inner[...])
    return marks(" ", inner[0].source) + formula.read() + marks(" ", inner[inner.count - 1].source)
  }

  private struct Formula {
    var marks: ArraySlice<Mark>
    var depth = 0

    mutating func read() -> [Mark] {
      var output: [Mark] = []
      while !marks.isEmpty { output += next() }
      return output
    }

    /// The words of the next sign, letter or group.
    private mutating func next() -> [Mark] {
      guard let mark = marks.popFirst() else { return [] }
      let source = mark.source
      switch mark.scalar {
      case "{":
        depth += 1
        defer { depth -= 1 }
        var output: [Mark] = []
        while let first = marks.first, first.scalar != "}", depth < 20 { output += next() }
        _ = marks.popFirst()
        return output
      case "}", "&": return Markup.marks(" ", source)
      case "^":
        switch marks.first?.scalar {
        case "2"?: return replaceNext(" squared ")
        case "3"?: return replaceNext(" cubed ")
        default:
          let power = next()
          let isDegree = power.map(\.scalar).filter { $0 != " " } == Array("degrees".unicodeScalars)
          return isDegree ? power : Markup.marks(" to the power of ", source) + power
        }
      case "_": return Markup.marks(" ", source) + next()
      case "\\": return command(source)
      default:
        guard let word = Markup.signs[mark.scalar] else { return [mark] }
        return Markup.marks(" " + word + " ", source)
      }
    }

    private mutating func replaceNext(_ text: String) -> [Mark] {
      Markup.marks(text, marks.popFirst()?.source ?? 0)
    }

    private mutating func command(_ source: Int) -> [Mark] {
      var name = ""
      while let letter = marks.first?.scalar, letter.isASCII, letter.properties.isAlphabetic {
        name.unicodeScalars.append(letter)
        marks.removeFirst()
      }
      switch name {
      case "":
        _ = marks.popFirst()
        return Markup.marks(" ", source)
      case "frac", "dfrac", "tfrac":
        let top = next()
        return top + Markup.marks(" over ", source) + next()
      case "sqrt": return Markup.marks(" the square root of ", source) + next()
      case "text", "mathrm", "mathbf", "mathit", "operatorname", "mathbb", "mathcal":
        return Markup.marks(" ", source) + next() + Markup.marks(" ", source)
      default: return Markup.marks(" " + (Markup.commands[name] ?? name) + " ", source)
      }
    }
  }
}
