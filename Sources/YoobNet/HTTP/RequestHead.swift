/// The head of a request, and what it says of the bytes behind it.
struct RequestHead: Equatable {
  /// Without its body.
  var request: HTTPRequest
  /// Bytes of the body.
  var bodyLength = 0
  /// Whether the client waits to be told to send its body.
  var expectsContinue = false
  /// Whether the connection ends after the answer.
  var closes = false
  /// Whether a WebSocket is asked for.
  var wantsWebSocket = false
}
