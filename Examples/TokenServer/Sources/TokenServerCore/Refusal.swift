import YoobNet
import YoobWire

/// An answer that grants nothing.
struct Refusal: Error, Sendable, Equatable {
  var status: Int
  /// For programs.
  var code: String
  /// What went wrong and what to do, for people; never a key.
  var message: String
  /// Seconds after which another try may succeed.
  var retryAfter: Int?
  /// What whoever runs the server has to do; for the log, never in an answer.
  var note: String?

  /// `{"error": …, "code": …}`, as the service itself answers.
  var response: HTTPResponse {
    let body: JSONValue = ["error": .string(message), "code": .string(code)]
    var response = HTTPResponse.json(body.text, status: status)
    if let retryAfter { response.headers["retry-after"] = String(retryAfter) }
    return response
  }

  /// A route that is off: `variables` names what to set, and what it is.
  static func missing(_ variables: String) -> Refusal {
    Refusal(
      status: 503, code: "not_configured",
      message: "This server does not offer this. Its log says what is missing.",
      note: "set \(variables), in the server's environment and start it again")
  }
}
