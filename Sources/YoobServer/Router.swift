import YoobNet
import YoobWire

/// The server's paths.
final class Router: Sendable {
  static let realtimePath = "/v1/realtime"

  private let configuration: VoiceServerConfiguration
  private let readiness: Readiness
  private let page: StaticFiles?
  private let characters: [String: StaticFiles]
  /// Nil until the port is known.
  private let requestGuard = Locked<RequestGuard?>(nil)

  init(_ configuration: VoiceServerConfiguration, readiness: Readiness) throws(VoiceServerError) {
    self.configuration = configuration
    self.readiness = readiness
    page = try Self.files(configuration.webRoot)
    var characters: [String: StaticFiles] = [:]
    for (id, root) in configuration.characters { characters[id] = try Self.files(root) }
    self.characters = characters
  }

  private static func files(_ root: String?) throws(VoiceServerError) -> StaticFiles? {
    guard let root else { return nil }
    guard let files = StaticFiles(root: root) else { throw .missingFolder(path: root) }
    return files
  }

  func guards(port: Int) {
    let configuration = configuration
    requestGuard.withLock {
      $0 = RequestGuard(
        host: configuration.host, port: port, isSecure: configuration.tls != nil,
        origins: configuration.origins)
    }
  }

  private func isForeign(_ request: HTTPRequest) -> Bool {
    requestGuard.withLock { $0?.allows(request) } != true
  }

  private static let foreign = HTTPResponse.text(
    "This server answers its own page, programs of this machine, and the websites named with --origin.\n",
    status: 403)

  /// The answer to a plain request.
  func respond(to request: HTTPRequest) async -> HTTPResponse {
    let isForeign = isForeign(request)
    var response = isForeign ? Self.foreign : await route(request)
    SecurityHeaders.add(to: &response)
    if !isForeign { share(&response, with: request.headers["origin"]) }
    return response
  }

  /// The answer to what the HTTP server does not let in.
  func answer(to refusal: HTTPRefusal) -> HTTPResponse {
    var response = refusal.response
    SecurityHeaders.add(to: &response)
    return response
  }

  /// Lets a page of an allowed website read the answer.
  private func share(_ response: inout HTTPResponse, with origin: String?) {
    guard !configuration.origins.isEmpty else { return }
    response.headers["vary"] = "Origin"
    guard let origin, configuration.origins.contains(where: { $0.text == origin.lowercased() }) else {
      return
    }
    response.headers["access-control-allow-origin"] = origin
  }

  private func route(_ request: HTTPRequest) async -> HTTPResponse {
    switch request.path {
    case "/healthz": return await health()
    case Self.realtimePath:
      var response = HTTPResponse.text("Connect here with a WebSocket.\n", status: 426)
      response.headers["upgrade"] = "websocket"
      return response
    case let path where path.hasPrefix("/characters/"):
      return character(request, path: path.dropFirst("/characters/".count))
    case let path:
      guard let page else { return .text("This server has no page.\n", status: 404) }
      return page.respond(to: request, path: path)
    }
  }

  private func character(_ request: HTTPRequest, path: Substring) -> HTTPResponse {
    let end = path.firstIndex(of: "/") ?? path.endIndex
    guard let files = characters[String(path[..<end])] else {
      return .text("There is no such character.\n", status: 404)
    }
    return files.respond(to: request, path: String(path[end...]))
  }

  private func health() async -> HTTPResponse {
    let status: JSONValue =
      switch await readiness.state {
      case .starting: ["status": "starting"]
      case .ready: ["status": "ready"]
      case .failed(let message): ["status": "failed", "message": .string(message)]
      }
    var response = HTTPResponse.json(status.text)
    response.headers["cache-control"] = "no-store"
    return response
  }

  /// Why the WebSocket is refused; nil to open it.
  func refusal(ofWebSocket request: HTTPRequest) -> HTTPResponse? {
    guard var response = reason(againstWebSocket: request) else { return nil }
    SecurityHeaders.add(to: &response)
    return response
  }

  private func reason(againstWebSocket request: HTTPRequest) -> HTTPResponse? {
    if isForeign(request) { return Self.foreign }
    guard request.path == Self.realtimePath else {
      return .text("There is no WebSocket at this path.\n", status: 404)
    }
    guard configuration.isDemo || configuration.accepts(Self.key(of: request)) else {
      return .text("The key is missing or not valid.\n", status: 401)
    }
    return nil
  }

  /// The client's key: browsers cannot set header fields, so they offer it as a subprotocol.
  static func key(of request: HTTPRequest) -> String? {
    if let field = request.headers["authorization"] {
      let parts = field.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "bearer" { return String(parts[1]) }
    }
    for name in request.offeredSubprotocols {
      for prefix in ["openai-insecure-api-key.", "yoob-voice-grant."] where name.hasPrefix(prefix) {
        return String(name.dropFirst(prefix.count))
      }
    }
    return nil
  }
}
