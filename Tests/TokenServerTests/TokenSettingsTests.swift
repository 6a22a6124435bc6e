import Testing

@testable import TokenServerCore

@Suite("A token server's variables")
struct TokenSettingsTests {
  @Test("without any everybody is refused, on this machine's port 3100")
  func defaults() throws {
    let settings = try TokenServerSettings(environment: [:])
    #expect(settings.authenticator is NobodyAuthenticator)
    #expect(settings.host == "127.0.0.1")
    #expect(settings.port == 3100)
    #expect(settings.rateLimit == 10)
    #expect(settings.yoob.base == "http://127.0.0.1:8787")
    #expect(settings.yoob.key == nil && settings.openAI.key == nil && settings.gemini.key == nil)
    #expect(settings.liveKit == nil)
  }

  @Test(
    "what cannot be used is refused by its name, and its value is not shown",
    arguments: [
      ("YOOB_CHARACTERS", "*"), ("YOOB_CHARACTERS", "luna,*"), ("YOOB_CHARACTERS", "Luna"),
      ("YOOB_CHARACTERS", "../luna"), ("YOOB_EXAMPLE_ORIGINS", "*"), ("YOOB_EXAMPLE_ORIGINS", "app.example"),
      ("YOOB_RATE_LIMIT", "0"), ("YOOB_RATE_LIMIT", "many"), ("YOOB_VOICE_MAX_SECONDS", "9"),
      ("YOOB_API_BASE", "http://elsewhere.example"), ("OPENAI_BASE_URL", "ftp://x"), ("GEMINI_BASE_URL", "x"),
      ("YOOB_API_KEY", "two words"), ("OPENAI_API_KEY", "sk-1\nInjected: x"), ("GEMINI_API_KEY", "sk-ü"),
      ("YOOB_EXAMPLE_TOKEN", "short"), ("YOOB_EXAMPLE_TOKEN", "a:0123456789abcdef,a:0123456789abcdeg"),
      ("YOOB_EXAMPLE_TOKEN", "a b:0123456789abcdef"), ("LIVEKIT_URL", "wss://x"),
      ("YOOB_VOICE_INSTRUCTIONS", String(repeating: "x", count: 8001)),
    ])
  func refused(name: String, value: String) throws {
    let error = #expect(throws: TokenServerSettingsError.self) {
      try TokenServerSettings(environment: [name: value])
    }
    #expect(error?.description.contains(name) == true)
    if name.hasSuffix("KEY") || name.hasSuffix("TOKEN") {
      #expect(error?.description.contains(value) == false)
    }
  }

  @Test("a LiveKit server on another machine must be reached by wss")
  func liveKitAddress() throws {
    func settings(_ url: String) throws(TokenServerSettingsError) -> TokenServerSettings {
      try .init(environment: ["LIVEKIT_URL": url, "LIVEKIT_API_KEY": "k", "LIVEKIT_API_SECRET": "s"])
    }
    #expect(try settings("wss://x.example").liveKit?.url == "wss://x.example")
    #expect(try settings("ws://127.0.0.1:7880").liveKit?.url == "ws://127.0.0.1:7880")
    for url in ["ws://x.example", "https://x.example", "x"] {
      #expect(throws: TokenServerSettingsError.self) { try settings(url) }
    }
  }

  @Test("tokens and anonymous users exclude each other")
  func both() {
    #expect(throws: TokenServerSettingsError.self) {
      try TokenServerSettings(environment: [
        "YOOB_EXAMPLE_TOKEN": "0123456789abcdef", "YOOB_EXAMPLE_ALLOW_ANONYMOUS": "1",
      ])
    }
  }

  @Test("the help names every variable and route, and the time that requests have when it stops")
  func help() {
    for route in TokenRoute.allCases { #expect(TokenServer.help.contains(route.rawValue)) }
    for (name, _) in TokenServerSettings.variables { #expect(TokenServer.help.contains(name)) }
    #expect(TokenServer.help.contains("requests at work have \(Int(TokenServer.patience)) s"))
  }
}
