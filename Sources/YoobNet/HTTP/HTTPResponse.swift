/// The answer to a request.
public struct HTTPResponse: Sendable {
  /// What is sent after the header fields.
  public enum Body: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// `length` bytes of the file from `offset` on.
    case file(OpenFile, offset: Int, length: Int)

    /// In bytes.
    public var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, _, let length): length
      }
    }
  }

  /// 100...599.
  public var status: Int
  /// The header fields; `Content-Length` is added.
  public var headers: HTTPHeaders
  /// What is sent after them.
  public var body: Body

  /// An answer.
  public init(status: Int, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Text, with the type "text/plain" unless `type` says otherwise.
  public static func text(
    _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["content-type": type], body: .bytes(Array(text.utf8)))
  }

  /// A JSON document.
  public static func json(_ text: String, status: Int = 200) -> HTTPResponse {
    .text(text, status: status, type: "application/json")
  }
}
