/// The body of a refusal of the Yoob API: `{error: text, code?}`.
public struct ServiceErrorBody: Sendable, Equatable {
  /// In small letters with `_`, such as "quota_exceeded"; nil when there is none.
  public let code: String?
  /// For people, at most 300 bytes.
  public let message: String

  /// Reads a body; nil when it is none of an error.
  public init?(json: [UInt8]) { self.init((try? JSONValue(parsing: json))?.object) }

  init?(_ object: JSONObject?) {
    guard let object else { return nil }
    let reader = ServiceReader(object)
    // Some servers put an object where the text belongs.
    let inner = reader.value("error")?.object.map(ServiceReader.init)
    let code = reader.string("code") ?? inner?.string("code") ?? reader.string("reason")
    let text = reader.string("error") ?? inner?.string("message") ?? reader.string("message")
    guard code != nil || text != nil else { return nil }
    self.code = code.map(Self.normalized)
    message = (text ?? code ?? "").trimmedPrefix(maximumBytes: ConversationFailure.maximumText)
  }

  static func normalized(_ code: String) -> String {
    String(code.prefix(100).lowercased().map { $0 == "-" ? "_" : $0 })
  }
}
