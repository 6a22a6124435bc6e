import Observation
import YoobNet
import YoobWire

/// A spoken conversation with an avatar over Gemini Live.
///
/// ```swift
/// let conversation = YoobGeminiConversation(avatar: avatar) { try await myBackend.makeGeminiToken() }
/// try await conversation.start()
/// ```
/// A connection that the provider ends, or that is lost, is opened again in the same session.
@MainActor @Observable public final class YoobGeminiConversation {
  /// Where a conversation stands.
  public typealias State = YoobConversation.State

  @ObservationIgnored private let model: ConversationModel
  @ObservationIgnored private let options: Options
  @ObservationIgnored private let token: @Sendable () async throws -> String

  /// A conversation with ephemeral tokens (`auth_tokens/…`) that your backend makes; it is asked for one for every
  /// new connection. Anything else is taken for a key of the account, which belongs in no app that is shipped.
  public init(
    avatar: YoobAvatar, options: Options = Options(), token: @escaping @Sendable () async throws -> String
  ) {
    model = ConversationModel(avatar)
    self.options = options
    self.token = token
  }

  /// Where it stands.
  public var state: State { model.state }
  /// What the user said last, as far as it is understood.
  public var userTranscript: String { model.userTranscript }
  /// What was heard of the last reply.
  public var assistantTranscript: String { model.assistantTranscript }
  /// What went wrong last; the conversation is over only when `state` is `.ended`.
  public var lastError: YoobError? { model.lastError }
  /// How long the provider keeps the connection once it has announced its end, as "10s"; nil before, and when
  /// the next one is being opened, which happens by itself.
  public var goAwayTimeLeft: String? { model.goAwayTimeLeft }

  /// Opens the microphone and the conversation; see `YoobConversation.start(inputID:)`.
  public func start(inputID: String? = nil) async throws {
    try await model.start(inputID: inputID) { try parts() }
  }

  /// Says something in writing; it interrupts a reply. At most 64 KiB; without effect while nothing runs.
  public func send(text: String) { model.send(text: text) }

  /// Ends the conversation; see `YoobConversation.stop()`.
  public func stop() { model.stop() }

  /// As `stop()`, and returns when nothing of it runs any more.
  public func close() async { await model.close() }

  private func parts() throws(YoobError) -> ConversationModel.Parts {
    var client = GeminiClientOptions()
    client.model = options.model
    client.voice = options.voice
    client.systemInstruction = options.systemInstruction
    client.greet = options.greet
    if let greeting = options.greeting { client.greeting = greeting }
    client.inputTranscription = options.inputTranscription
    client.outputTranscription = options.outputTranscription
    client.activityDetection = options.activityDetection
    for tool in options.tools { client.tools.append(try tool.announced) }
    let devices = model.avatar.devices
    let (token, base) = (token, options.baseURL)
    let ports = ConversationPorts(
      voice: model.avatar.voice, clock: devices.clock, start: devices.start, connect: devices.connect,
      endpoint: {
        let token = try await token()
        let endpoint = GeminiEndpoint(
          base: base, credential: token.hasPrefix("auth_tokens/") ? .ephemeralToken(token) : .key(token))
        return WebSocketRequest(url: endpoint.url, headers: endpoint.headers.map { ($0.key, $0.value) })
      }, tools: options.tools)
    return (GeminiClientSession(options: client), ports)
  }

  /// What is asked of a conversation.
  public struct Options: Sendable {
    /// How turns are found in the sound: sensitivities `.high` or `.low`, and milliseconds.
    public typealias ActivityDetection = GeminiClientOptions.ActivityDetection

    /// The provider's model.
    public var model = "gemini-3.8-live"
    /// Name of a prebuilt voice; nil leaves the choice to the provider.
    public var voice: String?
    /// What the assistant is; nil is none.
    public var systemInstruction: String?
    /// Whether the assistant speaks first.
    public var greet = false
    /// What the model is asked for a greeting; nil is a short friendly one.
    public var greeting: String?
    /// Whether the provider writes down what the user says.
    public var inputTranscription = true
    /// Whether the provider writes down what the assistant says.
    public var outputTranscription = true
    /// How turns are found in the sound.
    public var activityDetection = ActivityDetection()
    /// What the assistant may ask the app to do.
    public var tools: [YoobTool] = []
    /// Where the provider is: `wss`, or `ws` on this machine.
    public var baseURL = GeminiEndpoint.google

    /// The defaults.
    public init() {}
  }
}
