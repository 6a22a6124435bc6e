/// Why the server answers a request itself, before its handler or instead of it.
public struct HTTPRefusal: Error, Sendable, Equatable {
  /// 400...599.
  public var status: Int
  /// For programs, such as "bad_request".
  public var code: String
  /// What went wrong and what to do, for people: one or two sentences, which quote nothing of the request.
  public var message: String

  /// A refusal.
  public init(status: Int, code: String, message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  /// The message as text.
  public var response: HTTPResponse { .text(message + "\n", status: status) }
}

extension HTTPRefusal {
  static func malformed(_ reason: String) -> HTTPRefusal {
    HTTPRefusal(status: 400, code: "bad_request", message: "The request is no HTTP/1.1: \(reason)")
  }

  static func longPath(limit: Int) -> HTTPRefusal {
    HTTPRefusal(
      status: 414, code: "path_too_long",
      message: "The path is too long: a request's header may have \(limit) bytes.")
  }

  static func longHeader(limit: Int) -> HTTPRefusal {
    HTTPRefusal(
      status: 431, code: "header_too_large",
      message: "The header is too long: a request's header may have \(limit) bytes.")
  }

  static func largeBody(limit: Int) -> HTTPRefusal {
    HTTPRefusal(status: 413, code: "too_large", message: "A request's body may have \(limit) bytes.")
  }

  static func slow(_ part: String, seconds: Double) -> HTTPRefusal {
    HTTPRefusal(
      status: 408, code: "request_timeout",
      message: "The request's \(part) took longer than \(Int(seconds.rounded(.up))) s. Send it again at once."
    )
  }

  static let noLength = HTTPRefusal(
    status: 411, code: "length_required", message: "Send a body with its Content-Length.")

  static let badExpectation = HTTPRefusal(
    status: 417, code: "expectation_failed", message: "Expect nothing but 100-continue.")

  static let unknownMethod = HTTPRefusal(
    status: 501, code: "method_unknown", message: "The method is unknown to this server.")

  static let otherVersion = HTTPRefusal(
    status: 505, code: "version_not_supported", message: "This server speaks HTTP/1.1.")

  static let otherWebSocket = HTTPRefusal(
    status: 426, code: "websocket_version", message: "This server speaks version 13 of WebSockets.")

  static let crowded = HTTPRefusal(
    status: 503, code: "busy", message: "Too many connections at once. Try again in a moment.")

  static let stopping = HTTPRefusal(
    status: 503, code: "stopping", message: "The server is stopping. Try again in a moment.")
}
