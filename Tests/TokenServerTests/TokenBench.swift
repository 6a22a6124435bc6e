import Foundation
import Testing
import YoobNet
import YoobWire

@testable import TokenServerCore

/// A token server whose provider is a script on this machine, and whose clock a test moves.
final class TokenBench: Sendable {
  static let token = "0123456789abcdef"
  static let keys = ["yk_live_secret", "sk-openai-secret", "gm-gemini-secret", "lk-livekit-secret"]

  /// Requests that the provider got.
  let asked = Locked<[HTTPRequest]>([])
  /// What the provider answers.
  let answer: Locked<@Sendable (HTTPRequest) async -> HTTPResponse>
  let lines = Locked<[String]>([])
  let now = Locked(1_780_000_000.0)
  let server: TokenServer
  let address: String
  private let provider: HTTPServer

  /// `change` adds to variables that set every route and the user "ada" with `token`.
  init(
    _ change: [String: String?] = [:], client: (any HTTPClient)? = nil, answering: HTTPResponse? = nil,
    adjust: @Sendable (inout TokenServerSettings, inout TokenServer.Environment) -> Void = { _, _ in }
  ) async throws {
    let (asked, lines, now) = (asked, lines, now)
    let given = answering
    answer = Locked { _ in given ?? .json("{}") }
    let answer = answer
    var configuration = HTTPServerConfiguration(port: 0)
    configuration.maximumBody = 1 << 20
    provider = HTTPServer(
      configuration,
      handlers: HTTPServerHandlers(respond: { request in
        asked.withLock { $0.append(request) }
        return await answer.withLock { $0 }(request)
      }))
    let base = "http://127.0.0.1:\(try await provider.start())"
    var variables: [String: String?] = [
      "YOOB_EXAMPLE_TOKEN": "ada:\(Self.token),bob:fedcba9876543210", "YOOB_CHARACTERS": "luna,sol",
      "YOOB_API_KEY": Self.keys[0], "YOOB_API_BASE": base, "OPENAI_API_KEY": Self.keys[1],
      "OPENAI_BASE_URL": base + "/v1", "GEMINI_API_KEY": Self.keys[2], "GEMINI_BASE_URL": base,
      "LIVEKIT_URL": "wss://rooms.example", "LIVEKIT_API_KEY": "API1", "LIVEKIT_API_SECRET": Self.keys[3],
      "YOOB_RATE_LIMIT": "1000",
    ]
    for (name, value) in change { variables[name] = value }
    var settings = try TokenServerSettings(environment: variables.compactMapValues { $0 })
    settings.port = 0
    var environment = TokenServer.Environment()
    environment.now = { now.withLock { $0 } }
    let count = Locked(0)
    environment.makeID = {
      count.withLock { count in
        count += 1
        return "id\(count)"
      }
    }
    environment.log = { line in lines.withLock { $0.append(line) } }
    adjust(&settings, &environment)
    server = try TokenServer(settings, client: client ?? SystemHTTPClient(), environment: environment)
    address = try await server.start()
  }

  /// The answer to a POST, of the user "ada" unless other fields are given.
  func post(
    _ path: String, _ body: String? = nil,
    _ headers: [(name: String, value: String)] = [("Authorization", "Bearer \(token)")],
    method: String = "POST"
  ) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(
      method: method, url: address + path, headers: headers, body: Array((body ?? "").utf8))
    if method != "POST" { request.body = nil }
    return try await SystemHTTPClient().send(request)
  }

  /// What the provider was asked last.
  func lastAsked() throws -> (request: HTTPRequest, body: JSONValue) {
    let request = try #require(asked.withLock { $0.last })
    return (request, try JSONValue(parsing: request.body))
  }

  func stop() async {
    await server.stop()
    await provider.stop()
  }
}

extension HTTPClientResponse {
  var json: JSONValue? { try? JSONValue(parsing: body) }
  var text: String { String(decoding: body, as: UTF8.self) }
}
