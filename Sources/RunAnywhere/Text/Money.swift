/// Amounts of money as English words.
enum Money {
  struct Currency {
    var one: String
    var many: String
    var cent = "cent"
    var cents = "cents"
  }
  private static let currencies: [Character: Currency] = [
    "$": Currency(one: "dollar", many: "dollars"), "€": Currency(one: "euro", many: "euros"),
    "£": Currency(one: "pound", many: "pounds", cent: "penny", cents: "pence"),
    "¥": Currency(one: "yen", many: "yen", cent: "", cents: ""),
    "₹": Currency(one: "rupee", many: "rupees", cent: "", cents: ""),
    "₩": Currency(one: "won", many: "won", cent: "", cents: ""),
    "₽": Currency(one: "ruble", many: "rubles", cent: "", cents: ""),
  ]
  static let codes: [String: (one: [String], many: [String])] = [
    "USD": (["US", "dollar"], ["US", "dollars"]), "EUR": (["euro"], ["euros"]),
    "GBP": (["pound"], ["pounds"]),
    "JPY": (["yen"], ["yen"]), "CHF": (["Swiss", "franc"], ["Swiss", "francs"]),
    "CAD": (["Canadian", "dollar"], ["Canadian", "dollars"]),
    "AUD": (["Australian", "dollar"], ["Australian", "dollars"]), "INR": (["rupee"], ["rupees"]),
  ]
  static let magnitudes: Set<String> = ["hundred", "thousand", "million", "billion", "trillion"]
  private static let scales = [
    ("bn", "billion"), ("mn", "million"), ("k", "thousand"), ("K", "thousand"), ("m", "million"),
    ("M", "million"),
    ("B", "billion"), ("b", "billion"), ("T", "trillion"),
  ]

  /// The number in "$1.2", and its currency.
  static func amount(_ core: String) -> (words: [String], sign: Currency)? {
    guard let (isNegative, amount, sign) = split(core), let words = NumberWords.read(amount) else {
      return nil
    }
    return ((isNegative ? ["minus"] : []) + words, sign)
  }

  /// "five dollars and fifty cents" for "$5.50"; also "$1.2M", "50¢", "$5-$10".
  static func read(_ core: String) -> [String]? {
    if core.last == "¢", let words = NumberWords.read(String(core.dropLast())) {
      return words + [core == "1¢" ? "cent" : "cents"]
    }
    if let words = range(core) { return words }
    guard let (isNegative, whole, sign) = split(core) else { return nil }
    let lead = isNegative ? ["minus"] : []
    for (suffix, scale) in scales where whole.hasSuffix(suffix) {
      guard let words = NumberWords.read(String(whole.dropLast(suffix.count))) else { return nil }
      return lead + words + [scale, sign.many]
    }
    guard let words = NumberWords.read(whole) else { return nil }
    let parts = whole.split(separator: ".")
    if parts.count == 2, parts[1].count == 2, !sign.cents.isEmpty, let cents = Int(parts[1]),
      let notes = NumberWords.read(String(parts[0]))
    {
      let coins = NumberWords.cardinal(cents) + [cents == 1 ? sign.cent : sign.cents]
      if parts[0] == "0" { return lead + coins }
      return lead + notes + [parts[0] == "1" ? sign.one : sign.many] + (cents == 0 ? [] : ["and"] + coins)
    }
    return lead + words + [whole == "1" ? sign.one : sign.many]
  }

  /// The currency's sign, which stands first or last, and the rest.
  private static func split(_ core: String) -> (isNegative: Bool, amount: String, sign: Currency)? {
    var body = Substring(core)
    let isNegative = body.hasPrefix("-")
    if isNegative { body.removeFirst() }
    if body.hasPrefix("US$") { body.removeFirst(2) }
    if let sign = body.first.flatMap({ currencies[$0] }) {
      return (isNegative, String(body.dropFirst()), sign)
    }
    if let sign = body.last.flatMap({ currencies[$0] }) { return (isNegative, String(body.dropLast()), sign) }
    return nil
  }

  private static func range(_ core: String) -> [String]? {
    let parts = core.split(whereSeparator: { $0 == "-" || $0 == "–" }).map(String.init)
    guard parts.count == 2, !core.hasPrefix("-"), let first = core.first, currencies[first] != nil,
      let low = NumberWords.read(String(parts[0].dropFirst()))
    else { return nil }
    let high = parts[1].first.flatMap { currencies[$0] } == nil ? String(first) + parts[1] : parts[1]
    return read(high).map { low + ["to"] + $0 }
  }
}
