import Foundation
import Yoob

/// Examples/TokenServer as the app sees it. In your own app this is your backend, which knows its users.
struct TokenServer: Sendable {
  /// Where `swift run TokenServer` listens. A device needs your Mac's address and `https` instead.
  static let local = TokenServer(base: "http://127.0.0.1:3100")

  let base: String

  /// A session for one character.
  func session(_ character: String) async throws -> YoobCredentials {
    try YoobCredentials(json: await post("/yoob-session", ["character": character]))
  }

  /// A voice session: good for one connection, so it is asked for anew each time.
  func voiceSession() async throws -> YoobVoiceSession {
    try YoobVoiceSession(json: await post("/yoob-voice", [:]))
  }

  private func post(_ route: String, _ body: [String: String]) async throws -> Data {
    guard let url = URL(string: base + route) else { throw YoobError.network("\(base) is no address") }
    var request = URLRequest(url: url, timeoutInterval: 20)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    // Who the user is; set it in the scheme, as the server's YOOB_EXAMPLE_TOKEN has it after the colon.
    if let token = ProcessInfo.processInfo.environment["YOOB_EXAMPLE_TOKEN"] {
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    request.httpBody = try JSONEncoder().encode(body)
    do {
      // A refusal is JSON too, and is told by the types that read it.
      return try await URLSession.shared.data(for: request).0
    } catch {
      throw YoobError.network("the token server at \(base) does not answer; is it running?")
    }
  }
}
