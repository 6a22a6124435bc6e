import YoobNet
import YoobWire

/// Answers requests: each duty of a token server in its order, and then the provider.
actor TokenService {
  /// Largest body of a request, in bytes.
  static let maximumBody = 16 << 10

  private let settings: TokenServerSettings
  private let client: any HTTPClient
  private let environment: TokenServer.Environment
  private var limiter: RateLimiter
  /// Requests at work.
  private var working = 0

  init(_ settings: TokenServerSettings, client: any HTTPClient, environment: TokenServer.Environment) {
    self.settings = settings
    self.client = client
    self.environment = environment
    limiter = RateLimiter(limit: settings.rateLimit)
  }

  /// An answer, and what the log says of it.
  struct Answer: Sendable {
    var response: HTTPResponse
    /// Who asked, where that is known.
    var user: String?
    /// What whoever runs the server has to do.
    var note: String?
  }

  /// The answer to a request.
  func respond(to request: HTTPRequest, origins: OriginPolicy) async -> Answer {
    var user: String?
    var note: String?
    var response: HTTPResponse
    do {
      response = try await grant(request, origins: origins, user: &user)
    } catch {
      note = error.note
      response = error.response
      if error.status == 405 { response.headers["allow"] = "POST" }
      if error.status == 401, error.code == "unauthorized" { response.headers["www-authenticate"] = "Bearer" }
    }
    Self.finish(&response, to: request, origins: origins)
    return Answer(response: response, user: user, note: note)
  }

  /// Adds what every answer has.
  static func finish(_ response: inout HTTPResponse, to request: HTTPRequest?, origins: OriginPolicy?) {
    response.headers["cache-control"] = "no-store"
    response.headers["x-content-type-options"] = "nosniff"
    response.headers["referrer-policy"] = "no-referrer"
    if let request { origins?.share(&response, with: request) }
  }

  private func grant(
    _ request: HTTPRequest, origins: OriginPolicy, user: inout String?
  ) async throws(Refusal) -> HTTPResponse {
    guard let route = TokenRoute(rawValue: request.path) else {
      throw Refusal(status: 404, code: "not_found", message: "There is nothing at this path.")
    }
    guard origins.allows(request) else {
      throw Refusal(
        status: 403, code: "foreign_origin",
        message: "This website may not ask. Add its origin to YOOB_EXAMPLE_ORIGINS, if it is yours.")
    }
    if request.method == "OPTIONS", request.headers["origin"] != nil { return OriginPolicy.preflight }
    guard request.method == "POST" else {
      throw Refusal(status: 405, code: "method_not_allowed", message: "Ask with POST.")
    }
    guard request.body.count <= Self.maximumBody else {
      throw Refusal(
        status: 413, code: "too_large", message: "A request may have \(Self.maximumBody) bytes.")
    }
    guard let name = await settings.authenticator.user(of: request) else {
      throw Refusal(
        status: 401, code: "unauthorized",
        message: "Sign in first: send Authorization: Bearer with the token that this server knows. Without "
          + "YOOB_EXAMPLE_TOKEN, or YOOB_EXAMPLE_ALLOW_ANONYMOUS=1 on your own machine, it refuses everybody."
      )
    }
    user = name
    if let wait = limiter.take(name, at: environment.now()) {
      throw Refusal(
        status: 429, code: "rate_limited",
        message: "More than \(settings.rateLimit) requests in a minute. Wait a moment, then try again.",
        retryAfter: max(1, Int(wait.rounded(.up))))
    }
    let asked = try Self.body(of: request)
    guard working < settings.maximumRequests else {
      throw Refusal(
        status: 503, code: "busy", message: "Too many requests at once. Try again in a moment.", retryAfter: 1
      )
    }
    working += 1
    defer { working -= 1 }
    switch route {
    case .session:
      let character = try character(asked)
      return try await ask(.session(settings, character: character))
    case .voice: return try await ask(.voice(settings))
    case .openAI: return try await ask(.openAI(settings))
    case .gemini: return try await ask(.gemini(settings, now: environment.now()))
    case .liveKit: return try liveKit(user: name)
    }
  }

  /// The members of the body; an empty body has none.
  private static func body(of request: HTTPRequest) throws(Refusal) -> JSONObject {
    guard !request.body.isEmpty else { return [:] }
    guard let object = (try? JSONValue(parsing: request.body))?.object else {
      throw Refusal(
        status: 400, code: "invalid_body",
        message: "Send a JSON object, as {\"character\": \"luna-anime\"}, or nothing.")
    }
    return object
  }

  private func character(_ asked: JSONObject) throws(Refusal) -> String {
    guard let value = asked["character"], !value.isNull else {
      guard let first = settings.characters.first else {
        throw .missing("YOOB_CHARACTERS, the characters that may be asked for")
      }
      return first
    }
    guard let name = value.string, settings.characters.contains(name) else {
      throw Refusal(
        status: 403, code: "character_not_allowed",
        message: "This character is not offered here. Ask for one of the server's list, YOOB_CHARACTERS.")
    }
    return name
  }

  private func ask(_ plan: UpstreamPlan) async throws(Refusal) -> HTTPResponse {
    var request = plan.request
    request.totalTimeout = settings.providerSeconds
    let answer: HTTPClientResponse
    do throws(NetError) { answer = try await client.send(request) } catch {
      // The address names a host only; a reason of the network may show more of it.
      switch error {
      case .timedOut: throw plan.failure("it took too long")
      case .tooLarge: throw plan.failure("its answer is too large")
      case .tls: throw plan.failure("its certificate cannot be trusted")
      case .nameNotFound, .refused: throw plan.failure("nobody answers at its address")
      default: throw plan.failure("the connection was lost")
      }
    }
    return try plan.response(to: answer)
  }

  private func liveKit(user: String) throws(Refusal) -> HTTPResponse {
    guard let liveKit = settings.liveKit else {
      throw .missing(
        "LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET, address and key of your LiveKit server")
    }
    // A room and a name of its own for each grant: who uses it twice meets only himself.
    let room = "yoob-" + environment.makeID()
    let grant = LiveKitGrant(
      key: liveKit.key, secret: liveKit.secret, room: room, identity: user + "-" + environment.makeID(),
      agent: liveKit.agent)
    do {
      let token = try grant.token(at: environment.now())
      let body: JSONValue = ["url": .string(liveKit.url), "token": .string(token), "room": .string(room)]
      return .json(body.text)
    } catch {
      throw Refusal(status: 500, code: "internal", message: "The token cannot be signed. Try again.")
    }
  }
}
