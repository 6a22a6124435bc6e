import Foundation
import YoobNet
import YoobServer

/// A server that exchanges your keys for short-lived grants: your app asks it, and never sees a key.
/// ```swift
/// let settings = try TokenServerSettings(environment: ProcessInfo.processInfo.environment)
/// let server = try TokenServer(settings)
/// let address = try await server.start()   // "http://127.0.0.1:3100"
/// …
/// await server.stop()
/// ```
public final class TokenServer: Sendable {
  /// What the server takes from outside, for tests to replace.
  public struct Environment: Sendable {
    /// Seconds since 1970.
    public var now: @Sendable () -> Double = { Date().timeIntervalSince1970 }
    /// A name that nobody can guess.
    public var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
    /// Takes a line for each request; no line holds a key, a token, a body or an address that a client chose.
    public var log: @Sendable (String) -> Void = { _ in }
    /// Seconds that requests at work have once the server stops; those left are answered with 503.
    public var patience = TokenServer.patience

    public init() {}
  }

  /// Seconds that requests at work have once the server stops, unless `Environment` says otherwise.
  public static let patience = 5.0

  private let settings: TokenServerSettings
  private let environment: Environment
  private let service: TokenService
  private let server: Server

  /// Holds the listening server; it is made at the start, when the port is known.
  private actor Server {
    var running: HTTPServer?
    var origins: OriginPolicy?
    private(set) var isStopping = false

    func begin(_ server: HTTPServer, settings: TokenServerSettings) async throws -> Int {
      // A stop that comes meanwhile must find it.
      let before = running
      running = server
      let port: Int
      do { port = try await server.start() } catch {
        if running === server { running = before }
        throw error
      }
      origins = OriginPolicy(settings.origins, port: port)
      return port
    }

    func take() -> HTTPServer? {
      defer { running = nil }
      isStopping = true
      return running
    }
  }

  /// Throws `TokenServerSettingsError` for a server that would let everybody of other machines in.
  public init(
    _ settings: TokenServerSettings, client: any HTTPClient = SystemHTTPClient(),
    environment: Environment = Environment()
  ) throws(TokenServerSettingsError) {
    if settings.authenticator is AnonymousAuthenticator, !VoiceServer.isLoopback(settings.host) {
      throw TokenServerSettingsError(
        "YOOB_EXAMPLE_ALLOW_ANONYMOUS lets everybody in, so the server listens on this machine only, not on "
          + "\(settings.host). Set YOOB_EXAMPLE_TOKEN instead.")
    }
    self.settings = settings
    self.environment = environment
    service = TokenService(settings, client: client, environment: environment)
    server = Server()
  }

  /// Listens, and returns the address. Throws `NetError`. Once only.
  public func start() async throws -> String {
    var configuration = HTTPServerConfiguration(host: settings.host, port: settings.port)
    configuration.maximumBody = TokenService.maximumBody
    let http = HTTPServer(
      configuration,
      handlers: HTTPServerHandlers(
        respond: { [self] in await respond(to: $0) }, refuse: { [self] in await refuse($0, $1) }))
    let port = try await server.begin(http, settings: settings)
    return "http://\(settings.host.contains(":") ? "[\(settings.host)]" : settings.host):\(port)"
  }

  /// Takes no request any more, gives those at work the patience of the environment, answers those left with 503,
  /// and returns when all are out. Idempotent.
  public func stop() async { await server.take()?.stop(patience: environment.patience) }

  private func respond(to request: HTTPRequest) async -> HTTPResponse {
    let begin = ContinuousClock.now
    guard let origins = await server.origins else {
      return await refuse(
        HTTPRefusal(status: 503, code: "starting", message: "The server is starting. Try again in a moment."),
        request)
    }
    let answer = await service.respond(to: request, origins: origins)
    let isCancelled = Task.isCancelled
    // The server, which stops, has answered in its place, and that is in the log.
    if isCancelled, await server.isStopping { return answer.response }
    log(
      request, answer.response, milliseconds: Int((ContinuousClock.now - begin) / .milliseconds(1)),
      user: answer.user, note: isCancelled ? "the client has left" : answer.note)
    return answer.response
  }

  /// The answer to what the HTTP server does not let in, in the form of all others.
  private func refuse(_ refusal: HTTPRefusal, _ request: HTTPRequest?) async -> HTTPResponse {
    var response = Refusal(
      status: refusal.status, code: refusal.code, message: refusal.message,
      retryAfter: refusal.status == 503 ? 1 : nil
    ).response
    TokenService.finish(&response, to: request, origins: await server.origins)
    log(request, response, note: refusal.code)
    return response
  }

  /// Only known words are written: a client cannot forge a line, nor leave a secret in one.
  private func log(
    _ request: HTTPRequest?, _ response: HTTPResponse, milliseconds: Int? = nil, user: String? = nil,
    note: String? = nil
  ) {
    let time = Date(timeIntervalSince1970: environment.now()).formatted(.iso8601)
    let path = request.map { TokenRoute(rawValue: $0.path)?.rawValue ?? "(other)" } ?? "-"
    environment.log(
      "\(time) \(request?.method ?? "-") \(path) \(response.status) \(milliseconds.map(String.init) ?? "-") ms "
        + "user=\(user.map(Self.word) ?? "-")" + (note.map { ": " + $0 } ?? ""))
  }

  /// The user's name on one line.
  private static func word(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(64).map {
        $0.isASCII && (0x21...0x7E).contains($0.value) ? Character($0) : "?"
      })
  }
}
