import YoobNet
import YoobWire

/// A request to a provider, and what of its answer the client gets.
struct UpstreamPlan: Sendable {
  /// For messages, such as "The voice service".
  var provider: String
  var url: String
  /// The field that holds the server's key.
  var keyField: (name: String, value: String)
  var body: JSONValue
  /// Members that an answer must have, texts all.
  var required: [String]
  /// Members that are passed on; nil passes all.
  var passed: [String]?
  /// Whether refusals name a code of the service that clients know.
  var passesCode = false

  var request: HTTPClientRequest {
    var request = HTTPClientRequest(
      method: "POST", url: url,
      headers: [("Content-Type", "application/json"), ("Accept", "application/json"), keyField],
      body: Array(body.text.utf8))
    request.connectTimeout = 5
    request.idleTimeout = 10
    request.maxBodyBytes = 256 << 10
    return request
  }

  /// What the client is answered.
  func response(to answer: HTTPClientResponse) throws(Refusal) -> HTTPResponse {
    guard (200..<300).contains(answer.status) else { throw refusal(of: answer) }
    guard let object = (try? JSONValue(parsing: answer.body))?.object,
      required.allSatisfy({ object[$0]?.string?.isEmpty == false })
    else { throw failure("it answered with something else than was asked for") }
    guard let passed else { return .json(JSONValue.object(object).text, status: answer.status) }
    let members = passed.compactMap { name in object[name].map { (name: name, value: $0) } }
    return .json(JSONValue.object(JSONObject(members)).text, status: answer.status)
  }

  /// No answer that could be passed on.
  func failure(_ reason: String) -> Refusal {
    Refusal(status: 502, code: "upstream_failed", message: "\(provider) failed: \(reason). Try again later.")
  }

  /// A provider's own words are not passed on: they may hold a part of the key.
  private func refusal(of answer: HTTPClientResponse) -> Refusal {
    guard (400..<600).contains(answer.status) else {
      return failure("it answered with status \(answer.status)")
    }
    let object = (try? JSONValue(parsing: answer.body))?.object
    let code = passesCode ? object?["code"]?.string.flatMap(Self.known) : nil
    let message =
      switch answer.status {
      case 401, 403: "\(provider) refused this server's key. Whoever runs the server must check it."
      case 402: "\(provider) says that the account has no credit left. Add credit, then start again."
      case 429: "\(provider) has too many requests. Wait a moment, then try again."
      case 500...: "\(provider) failed with status \(answer.status). Try again later."
      default:
        "\(provider) refused the request with status \(answer.status). Whoever runs the server must check its settings."
      }
    let wait = answer.headers["retry-after"].flatMap { Int($0) }.flatMap {
      (0...86_400).contains($0) ? $0 : nil
    }
    return Refusal(
      status: answer.status, code: code ?? "upstream_refused", message: message, retryAfter: wait)
  }

  /// The code, where it is one.
  private static func known(_ code: String) -> String? {
    let isCode = code.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F || $0 == 0x2D }
    return isCode && (1...64).contains(code.utf8.count) ? code : nil
  }
}
