/// Access to what the provider sends. Names may be in camel case or in snake case (the rule of protobuf JSON).
struct GeminiMessage {
  private let reader: ServiceReader

  init(_ object: JSONObject) { reader = ServiceReader(object) }

  /// `name` is in snake case. An empty object counts as present.
  func object(_ name: String) -> GeminiMessage? { reader.value(name)?.object.map(GeminiMessage.init) }
  func array(_ name: String) -> [JSONValue] { reader.value(name)?.array ?? [] }
  func objects(_ name: String) -> [GeminiMessage] {
    array(name).compactMap { $0.object.map(GeminiMessage.init) }
  }
  func string(_ name: String) -> String? { reader.string(name) }
  func value(_ name: String) -> JSONValue? { reader.value(name) }
  func isTrue(_ name: String) -> Bool { reader.bool(name) == true }

  /// Seconds of a duration such as "9.5s", moved into a day, 0...86400; nil when it is none.
  func seconds(_ name: String) -> Double? {
    let text = reader.string(name).map { $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
    guard let number = text.map(Double.init) ?? reader.double(name), number.isFinite else { return nil }
    return min(86_400, max(0, number))
  }

  /// Samples a second of a MIME type such as "audio/pcm;rate=24000"; 24,000 where it does not say; nil where it
  /// is no PCM, or a rate that nobody plays.
  static func sampleRate(mimeType: String) -> Int? {
    let parts = mimeType.lowercased().split(separator: ";").map { $0.filter { !$0.isWhitespace } }
    guard let type = parts.first, type == "audio/pcm" || type == "audio/l16" else { return nil }
    guard let field = parts.dropFirst().first(where: { $0.hasPrefix("rate=") }) else { return 24_000 }
    guard let rate = Int(field.dropFirst(5)), (8000...48_000).contains(rate) else { return nil }
    return rate
  }
}
