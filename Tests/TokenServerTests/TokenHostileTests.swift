import Testing
import YoobNet
import YoobWire

@testable import TokenServerCore

@Suite("Hostile requests to a token server")
struct TokenHostileTests {
  /// SplitMix64.
  private struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  private static let seeds = [
    #"{"character":"luna"}"#, #"{"character":["*"]}"#, #"{"a":{"b":[1,2.5e300,null,true,"\u00e9\ud83d"]}}"#,
    String(repeating: "[", count: 5000), #"{"character":"luna","character":"*"}"#,
  ]

  @Test(
    "3000 damaged bodies and header fields are each answered, and no provider sees more than a listed character"
  )
  func fuzz() async throws {
    let bench = try await TokenBench(
      ["YOOB_RATE_LIMIT": "10000"], answering: .json(#"{"session_token":"s","download_token":"d"}"#))
    let origins = OriginPolicy([], port: 1)
    let service = try TokenService(
      TokenServerSettings(environment: [
        "YOOB_EXAMPLE_TOKEN": TokenBench.token, "YOOB_API_KEY": "k", "YOOB_CHARACTERS": "luna",
        "YOOB_RATE_LIMIT": "10000",
      ]), client: RecordingClient(), environment: TokenServer.Environment())
    var random = Random(state: 7)
    var statuses: Set<Int> = []
    for round in 0..<3000 {
      var body = Array(Self.seeds[round % Self.seeds.count].utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) where !body.isEmpty {
        let place = Int.random(in: 0..<body.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: body[place] = UInt8.random(in: 0...255, using: &random)
        case 1: body.remove(at: place)
        default: body.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      var request = HTTPRequest(method: "POST", path: "/yoob-session", body: body)
      request.headers["authorization"] = "Bearer \(TokenBench.token)"
      if round % 7 == 0 {
        let noise = String(
          decoding: (0..<40).map { _ in UInt8.random(in: 1...255, using: &random) }, as: UTF8.self)
        request.headers[["authorization", "origin", "cookie", "host"][round % 4]] = noise
      }
      let response = await service.respond(to: request, origins: origins).response
      statuses.insert(response.status)
      guard case .bytes(let bytes) = response.body else { continue }
      #expect((try? JSONValue(parsing: bytes))?.object != nil)
    }
    #expect(statuses.isSubset(of: [200, 400, 401, 403]))
    #expect(statuses.count == 4)
    await bench.stop()
  }

  /// A provider that checks what it gets.
  private struct RecordingClient: HTTPClient {
    func stream(
      _ request: HTTPClientRequest, onHead: @escaping @Sendable (Int, HTTPHeaders) -> Bool,
      receive: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws(NetError) {
      #expect(request.body == Array(#"{"characters":["luna"]}"#.utf8))
      _ = onHead(200, [:]) && receive(Array(#"{"session_token":"s","download_token":"d"}"#.utf8))
    }
  }

  @Test(
    "paths that only look like a route are none",
    arguments: ["/", "/yoob-session/", "/YOOB-SESSION", "/yoob-session%20", "/../yoob-session/x", "/healthz"])
  func paths(path: String) async throws {
    let bench = try await TokenBench()
    #expect([400, 403, 404].contains(try await bench.post(path).status))
    #expect(bench.asked.withLock { $0.isEmpty })
    await bench.stop()
  }
}
