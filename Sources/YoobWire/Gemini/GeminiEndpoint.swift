/// Where a Gemini Live session is opened, and with what it proves itself.
public struct GeminiEndpoint: Sendable, Equatable {
  /// What the client proves itself with.
  public enum Credential: Sendable, Equatable {
    /// A key of the account: for servers and for one's own machine only.
    case key(String)
    /// A token for one session, as `auth_tokens/…`.
    case ephemeralToken(String)
  }

  /// The provider's own service.
  public static let google = "wss://generativelanguage.googleapis.com"

  /// Starts with `wss://`, or with `ws://` on this machine.
  public let url: String
  /// Header fields of the handshake.
  public let headers: [String: String]

  /// An address at `base`. With `inURL` the credential is part of the address, for those who cannot set header
  /// fields; such an address must not be logged.
  public init(
    base: String = GeminiEndpoint.google, credential: Credential, version: String = "v1beta",
    inURL: Bool = false
  ) {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    let service = base + "/ws/google.ai.generativelanguage." + version + ".GenerativeService."
    switch credential {
    case .key(let key):
      url = service + "BidiGenerateContent" + (inURL ? "?key=" + VoiceURL.escaped(key) : "")
      headers = inURL ? [:] : ["x-goog-api-key": key]
    case .ephemeralToken(let token):
      url =
        service + "BidiGenerateContentConstrained"
        + (inURL ? "?access_token=" + VoiceURL.escaped(token) : "")
      headers = inURL ? [:] : ["Authorization": "Token " + token]
    }
  }
}
