/// What the server hands out.
enum TokenRoute: String, CaseIterable, Sendable {
  case session = "/yoob-session"
  case voice = "/yoob-voice"
  case openAI = "/openai-secret"
  case gemini = "/gemini-token"
  case liveKit = "/livekit-token"
}
