import Foundation
import YoobWire

/// The bodies that the server sends: nothing of the client is in them but the character's checked name.
extension UpstreamPlan {
  /// Opens a session for one character.
  static func session(_ settings: TokenServerSettings, character: String) throws(Refusal) -> UpstreamPlan {
    guard let key = settings.yoob.key else {
      throw .missing("YOOB_API_KEY, the key for the service at YOOB_API_BASE")
    }
    return UpstreamPlan(
      provider: "The character service", url: settings.yoob.base + "/api/v1/avatar/sessions",
      keyField: ("Authorization", "Bearer \(key.text)"), body: ["characters": [.string(character)]],
      required: ["session_token", "download_token"], passesCode: true)
  }

  /// Opens a voice session.
  static func voice(_ settings: TokenServerSettings) throws(Refusal) -> UpstreamPlan {
    guard let key = settings.yoob.key else {
      throw .missing("YOOB_API_KEY, the key for the service at YOOB_API_BASE")
    }
    var body: JSONObject = [:]
    if let voice = settings.voice.name { body["voice"] = .string(voice) }
    if let instructions = settings.voice.instructions { body["instructions"] = .string(instructions) }
    body["max_seconds"] = .int(settings.voiceSeconds)
    return UpstreamPlan(
      provider: "The voice service", url: settings.yoob.base + "/api/v1/voice/sessions",
      keyField: ("Authorization", "Bearer \(key.text)"), body: .object(body),
      required: ["voice_token", "url"], passesCode: true)
  }

  /// Seconds within which a secret must be used.
  static let secretSeconds = 60

  /// Makes a client secret. The answer's session, with the instructions in it, stays here.
  static func openAI(_ settings: TokenServerSettings) throws(Refusal) -> UpstreamPlan {
    guard let key = settings.openAI.key else {
      throw .missing("OPENAI_API_KEY, the key of your OpenAI account")
    }
    var session: JSONObject = ["type": "realtime", "model": .string(settings.openAIModel)]
    if let instructions = settings.openAIVoice.instructions {
      session["instructions"] = .string(instructions)
    }
    if let voice = settings.openAIVoice.name { session["audio"] = ["output": ["voice": .string(voice)]] }
    return UpstreamPlan(
      provider: "OpenAI", url: settings.openAI.base + "/realtime/client_secrets",
      keyField: ("Authorization", "Bearer \(key.text)"),
      body: [
        "expires_after": ["anchor": "created_at", "seconds": .int(secretSeconds)],
        "session": .object(session),
      ],
      required: ["value"], passed: ["value", "expires_at"])
  }

  /// Seconds in which a token's connection may begin, and after which it says no more.
  static let geminiStartSeconds = 60.0
  static let geminiSeconds = 1800.0

  /// Makes a token for one connection. What the server sets is locked; the rest of the setup is the client's, so
  /// that it can resume its session.
  static func gemini(_ settings: TokenServerSettings, now: Double) throws(Refusal) -> UpstreamPlan {
    guard let key = settings.gemini.key else {
      throw .missing("GEMINI_API_KEY, the key of your Gemini account")
    }
    var generation: JSONObject = ["responseModalities": ["AUDIO"]]
    var setup: JSONObject = ["model": .string("models/" + settings.geminiModel)]
    var locked = ["model", "generationConfig.responseModalities"]
    if let voice = settings.geminiVoice.name {
      generation["speechConfig"] = ["voiceConfig": ["prebuiltVoiceConfig": ["voiceName": .string(voice)]]]
      locked.append("generationConfig.speechConfig")
    }
    setup["generationConfig"] = .object(generation)
    if let instructions = settings.geminiVoice.instructions {
      setup["systemInstruction"] = ["parts": [["text": .string(instructions)]], "role": "user"]
      locked += ["systemInstruction.parts", "systemInstruction.role"]
    }
    func time(after seconds: Double) -> JSONValue {
      .string(Date(timeIntervalSince1970: now + seconds).formatted(.iso8601))
    }
    return UpstreamPlan(
      provider: "Gemini", url: settings.gemini.base + "/v1alpha/auth_tokens",
      keyField: ("x-goog-api-key", key.text),
      body: [
        "uses": 1, "expireTime": time(after: geminiSeconds),
        "newSessionExpireTime": time(after: geminiStartSeconds), "bidiGenerateContentSetup": .object(setup),
        "fieldMask": .string(locked.joined(separator: ",")),
      ],
      required: ["name"], passed: ["name", "expireTime", "newSessionExpireTime"])
  }
}
