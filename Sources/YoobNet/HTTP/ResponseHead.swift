/// Writes the head of an answer (RFC 9112, section 4).
enum ResponseHead {
  static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// `closes` tells the client that no other request is read.
  static func bytes(of response: HTTPResponse, closes: Bool) -> [UInt8] {
    var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\nserver: yoob\r\n"
    for (name, value) in response.headers.fields
    where isSafe(name) && isSafe(value) && name != "content-length" && name != "connection" {
      text += "\(name): \(value)\r\n"
    }
    if response.status != 304, response.status != 204 { text += "content-length: \(response.body.count)\r\n" }
    if closes { text += "connection: close\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// A field with a line's end in it would be two.
  private static func isSafe(_ text: String) -> Bool { !text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301, 302, 303, 307, 308: "Redirect"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Other"
    }
  }
}
