import YoobWire

/// Environment variables; an empty one counts as not set.
struct EnvironmentReader: Sendable {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  subscript(name: String) -> String? {
    guard let text = variables[name], !text.isEmpty else { return nil }
    return text
  }

  /// What stands between commas, without white space around it.
  func list(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
      .map { text in String(text.reversed().drop { $0 == " " }.reversed()) }.filter { !$0.isEmpty }
  }

  func number(_ name: String, in range: ClosedRange<Int>) throws(TokenServerSettingsError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .init("\(name): write a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func secret(_ name: String) throws(TokenServerSettingsError) -> Secret? {
    guard let text = self[name] else { return nil }
    guard let secret = Secret(text) else {
      throw .init(
        "\(name) holds a character that no key has; copy the key again, without spaces and line ends.")
    }
    return secret
  }

  func provider(
    _ provider: TokenServerSettings.Provider, key: String, base: String
  ) throws(TokenServerSettingsError) -> TokenServerSettings.Provider {
    var provider = provider
    provider.key = try secret(key)
    if var text = self[base] {
      while text.hasSuffix("/") { text.removeLast() }
      guard VoiceURL.isSafeBase(text) else {
        throw .init("\(base): write https://HOST, or http://127.0.0.1:PORT for a service on this machine.")
      }
      provider.base = text
    }
    return provider
  }

  func voice(_ name: String, _ instructions: String) throws(TokenServerSettingsError)
    -> TokenServerSettings.Voice
  {
    let text = self[instructions]
    guard (text?.count ?? 0) <= TokenServerSettings.maximumInstructions else {
      throw .init(
        "\(instructions) is longer than \(TokenServerSettings.maximumInstructions) characters; shorten it.")
    }
    return .init(name: self[name], instructions: text)
  }
}
