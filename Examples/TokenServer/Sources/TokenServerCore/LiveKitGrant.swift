import YoobCrypto
import YoobWire

/// The right to join one room of a LiveKit server, as a JSON Web Token (RFC 7519) signed with HS256 (RFC 7515).
struct LiveKitGrant: Sendable {
  /// Seconds in which the room must be joined.
  static let seconds = 60

  var key: Secret
  var secret: Secret
  var room: String
  var identity: String
  /// Name of the agent that is sent to the room; nil leaves it to the server's own rule.
  var agent: String?

  /// The token for a grant that begins at `now`, in seconds since 1970.
  func token(at now: Double) throws(CryptoError) -> String {
    let start = Int(now)
    var claims: JSONObject = [
      "iss": .string(key.text), "sub": .string(identity), "jti": .string(room), "nbf": .int(start),
      "exp": .int(start + Self.seconds),
      "video": [
        "roomJoin": true, "room": .string(room), "canPublish": true, "canPublishSources": ["microphone"],
        "canPublishData": false, "canSubscribe": true,
      ],
    ]
    if let agent { claims["roomConfig"] = ["agents": [["agentName": .string(agent)]]] }
    return try Self.sign(.object(claims), secret: secret)
  }

  /// A signed token.
  static func sign(_ claims: JSONValue, secret: Secret) throws(CryptoError) -> String {
    let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
    let input = base64URL(Array(header.text.utf8)) + "." + base64URL(Array(claims.text.utf8))
    let code = try HMACSHA256.code(for: Array(input.utf8), key: Array(secret.text.utf8))
    return input + "." + base64URL(code)
  }

  /// Base64 for addresses, without padding (RFC 4648, section 5).
  private static func base64URL(_ bytes: [UInt8]) -> String {
    String(
      Base64.encode(bytes).compactMap { letter -> Character? in
        switch letter {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: letter
        }
      })
  }
}
