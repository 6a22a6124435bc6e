import YoobServer
import YoobWire

extension TokenServerSettings {
  /// Names and meanings of the variables, for the help.
  static let variables: [(name: String, meaning: String)] = [
    (
      "YOOB_EXAMPLE_TOKEN",
      "who may ask: TOKEN, or USER:TOKEN,USER:TOKEN; without it everybody is refused (401)"
    ),
    ("YOOB_EXAMPLE_ALLOW_ANONYMOUS", "1 lets everybody of this machine in, as one user"),
    ("YOOB_EXAMPLE_ORIGINS", "websites whose pages may ask, as https://app.example,http://localhost:5173"),
    ("YOOB_RATE_LIMIT", "requests a minute for each user (10)"),
    ("YOOB_CHARACTERS", "characters that may be asked for, by commas (luna-anime)"),
    ("YOOB_API_KEY", "for /yoob-session and /yoob-voice"),
    ("YOOB_API_BASE", "address of that service (http://127.0.0.1:8787)"),
    ("YOOB_VOICE", "the voice of /yoob-voice; without it the client's choice"),
    ("YOOB_VOICE_INSTRUCTIONS", "what the assistant is; without it the client's choice"),
    ("YOOB_VOICE_MAX_SECONDS", "longest call (1800)"),
    ("OPENAI_API_KEY", "for /openai-secret"),
    ("OPENAI_BASE_URL", "(https://api.openai.com/v1)"),
    ("OPENAI_MODEL", "(gpt-realtime)"),
    ("OPENAI_VOICE", "as YOOB_VOICE"),
    ("OPENAI_INSTRUCTIONS", "as YOOB_VOICE_INSTRUCTIONS"),
    ("GEMINI_API_KEY", "for /gemini-token"),
    ("GEMINI_BASE_URL", "(https://generativelanguage.googleapis.com)"),
    ("GEMINI_MODEL", "(gemini-3.8-live)"),
    ("GEMINI_VOICE", "as YOOB_VOICE"),
    ("GEMINI_INSTRUCTIONS", "as YOOB_VOICE_INSTRUCTIONS"),
    ("LIVEKIT_URL", "for /livekit-token: wss://…, with the two that follow"),
    ("LIVEKIT_API_KEY", "name of the key"),
    ("LIVEKIT_API_SECRET", "what tokens are signed with"),
    ("LIVEKIT_AGENT", "agent that is sent to each room"),
  ]

  /// Longest instructions that the services take, in characters.
  static let maximumInstructions = 8000

  /// Reads settings from environment variables; an empty one counts as not set. Throws where one cannot be used.
  public init(environment: [String: String]) throws(TokenServerSettingsError) {
    self.init()
    let reader = EnvironmentReader(environment)
    authenticator = try Self.authenticator(reader)
    for text in reader.list("YOOB_EXAMPLE_ORIGINS") {
      guard let origin = WebOrigin(text) else {
        throw .init(
          "YOOB_EXAMPLE_ORIGINS: \"\(text)\" is no origin; write each as https://app.example, without *.")
      }
      origins.append(origin)
    }
    rateLimit = try reader.number("YOOB_RATE_LIMIT", in: 1...10_000) ?? rateLimit
    characters = try Self.characters(reader) ?? characters

    yoob = try reader.provider(yoob, key: "YOOB_API_KEY", base: "YOOB_API_BASE")
    voice = try reader.voice("YOOB_VOICE", "YOOB_VOICE_INSTRUCTIONS")
    voiceSeconds = try reader.number("YOOB_VOICE_MAX_SECONDS", in: 10...86_400) ?? voiceSeconds
    openAI = try reader.provider(openAI, key: "OPENAI_API_KEY", base: "OPENAI_BASE_URL")
    openAIModel = reader["OPENAI_MODEL"] ?? openAIModel
    openAIVoice = try reader.voice("OPENAI_VOICE", "OPENAI_INSTRUCTIONS")
    gemini = try reader.provider(gemini, key: "GEMINI_API_KEY", base: "GEMINI_BASE_URL")
    if let model = reader["GEMINI_MODEL"] {
      geminiModel = model.hasPrefix("models/") ? String(model.dropFirst(7)) : model
    }
    geminiVoice = try reader.voice("GEMINI_VOICE", "GEMINI_INSTRUCTIONS")
    liveKit = try Self.liveKit(reader)
  }

  private static func authenticator(
    _ reader: EnvironmentReader
  ) throws(TokenServerSettingsError) -> any Authenticator {
    let entries = reader.list("YOOB_EXAMPLE_TOKEN")
    let allowsAnonymous = reader["YOOB_EXAMPLE_ALLOW_ANONYMOUS"] == "1"
    guard !entries.isEmpty else { return allowsAnonymous ? AnonymousAuthenticator() : NobodyAuthenticator() }
    guard !allowsAnonymous else {
      throw .init("Set YOOB_EXAMPLE_TOKEN or YOOB_EXAMPLE_ALLOW_ANONYMOUS, not both.")
    }
    var tokens: [(user: String, token: Secret)] = []
    for entry in entries {
      let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
      let user = parts.count > 1 ? parts[0] : "user"
      guard let text = parts.last, let token = Secret(text), token.text.utf8.count >= 16,
        isName(user), !tokens.contains(where: { $0.user == user })
      else {
        throw .init(
          "YOOB_EXAMPLE_TOKEN: write TOKEN, or USER:TOKEN,USER:TOKEN with users of letters and digits, each once, "
            + "and tokens of 16 characters or more, as `openssl rand -hex 16` makes.")
      }
      tokens.append((user, token))
    }
    do { return try BearerAuthenticator(tokens) } catch { throw .init("\(error)") }
  }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2D, 0x2E, 0x5F, 0x40].contains(byte)
      }
  }

  private static func characters(_ reader: EnvironmentReader) throws(TokenServerSettingsError) -> [String]? {
    let names = reader.list("YOOB_CHARACTERS")
    for name in names where !isCharacter(name) {
      throw .init(
        "YOOB_CHARACTERS: \"\(name)\" is no character; write the ids that your screens show, as luna-anime. "
          + "A session is for one of them, never for *.")
    }
    return names.isEmpty ? nil : names
  }

  /// `^[a-z0-9][a-z0-9-]{0,63}$`
  static func isCharacter(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
      && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }

  private static func liveKit(_ reader: EnvironmentReader) throws(TokenServerSettingsError) -> LiveKit? {
    let names = ["LIVEKIT_URL", "LIVEKIT_API_KEY", "LIVEKIT_API_SECRET"]
    guard names.contains(where: { reader[$0] != nil }) else { return nil }
    guard let url = reader["LIVEKIT_URL"], let key = try reader.secret("LIVEKIT_API_KEY"),
      let secret = try reader.secret("LIVEKIT_API_SECRET")
    else { throw .init("Set \(names.joined(separator: ", ")), or none of them.") }
    let asWeb = url.hasPrefix("wss://") || url.hasPrefix("ws://") ? "http" + url.dropFirst(2) : ""
    guard VoiceURL.isSafeBase(asWeb) else {
      throw .init("LIVEKIT_URL: write wss://HOST, or ws://127.0.0.1:PORT for a server on this machine.")
    }
    return LiveKit(url: url, key: key, secret: secret, agent: reader["LIVEKIT_AGENT"])
  }
}
