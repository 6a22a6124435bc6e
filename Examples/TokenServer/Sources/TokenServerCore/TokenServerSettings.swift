import YoobServer

/// What a token server hands out, to whom, and how much of it. Everything that costs money is decided here, not by
/// the client.
public struct TokenServerSettings: Sendable {
  /// A provider's address, without a slash at its end, and the key of the account; nil is a route that is off.
  public struct Provider: Sendable {
    public var base: String
    public var key: Secret?

    public init(base: String, key: Secret? = nil) {
      self.base = base
      self.key = key
    }
  }

  /// How the assistant speaks; what is nil is the client's choice.
  public struct Voice: Sendable {
    public var name: String?
    public var instructions: String?

    public init(name: String? = nil, instructions: String? = nil) {
      self.name = name
      self.instructions = instructions
    }
  }

  /// A LiveKit server.
  public struct LiveKit: Sendable {
    /// `wss`, or `ws` on this machine.
    public var url: String
    public var key: Secret
    public var secret: Secret
    /// Name of the agent that is sent to each room; nil leaves it to the server's own rule.
    public var agent: String?

    public init(url: String, key: Secret, secret: Secret, agent: String? = nil) {
      self.url = url
      self.key = key
      self.secret = secret
      self.agent = agent
    }
  }

  /// An address of this machine; others reach it only where users have tokens.
  public var host = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 3100
  /// Who may ask.
  public var authenticator: any Authenticator = NobodyAuthenticator()
  /// Websites whose pages may ask; pages of this server's own address on this machine may too.
  public var origins: [WebOrigin] = []
  /// Requests a minute for each user.
  public var rateLimit = 10
  /// Requests at a time, of all users.
  public var maximumRequests = 32
  /// Seconds that a provider may take to answer.
  public var providerSeconds = 15.0
  /// Characters that may be asked for; the first is the one where a request names none.
  public var characters = ["luna-anime"]

  /// The character service, and its voice service.
  public var yoob = Provider(base: "http://127.0.0.1:8787")
  public var voice = Voice()
  /// Seconds that a voice session may last.
  public var voiceSeconds = 1800

  public var openAI = Provider(base: "https://api.openai.com/v1")
  public var openAIModel = "gpt-realtime"
  public var openAIVoice = Voice()

  public var gemini = Provider(base: "https://generativelanguage.googleapis.com")
  /// Without "models/" before it.
  public var geminiModel = "gemini-3.8-live"
  public var geminiVoice = Voice()

  /// Nil is a route that is off.
  public var liveKit: LiveKit?

  public init() {}
}

/// Why a token server cannot start as it is told to.
public struct TokenServerSettingsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Says what to do; names variables, and shows no key.
  public let description: String

  init(_ description: String) { self.description = description }
}
