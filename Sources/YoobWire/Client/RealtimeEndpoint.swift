/// Where a Realtime session is opened, and with what it proves itself.
public struct RealtimeEndpoint: Sendable, Equatable {
  /// Starts with `wss://`, or with `ws://` on this machine.
  public let url: String
  /// Header fields of the handshake.
  public let headers: [String: String]
  /// Offered in the handshake, in this order.
  public let subprotocols: [String]

  /// The provider's own service.
  public static let openAI = "wss://api.openai.com/v1"

  /// A session of `model` at `base`, such as `openAI`, with a client secret (`ek_…`) or a key.
  public init(base: String = RealtimeEndpoint.openAI, model: String, secret: String) {
    var base = base
    while base.hasSuffix("/") { base.removeLast() }
    url = base + "/realtime?model=" + VoiceURL.escaped(model)
    headers = ["Authorization": "Bearer " + secret]
    subprotocols = ["realtime"]
  }

  /// A session of a Yoob voice server. Throws `voiceSession` with code 0 where the address is none of `hosts`.
  public init(grant: VoiceGrant, hosts: [String]) throws(ConversationFailure) {
    guard VoiceURL.isAllowed(grant.url, hosts: hosts) else {
      throw .voiceSession(
        code: 0,
        message: "The voice session names an address that is not allowed. "
          + "Add its host to voiceHosts if it is yours.")
    }
    url = grant.url
    headers = ["Authorization": "Bearer " + grant.voiceToken]
    subprotocols = ["realtime"]
  }
}
