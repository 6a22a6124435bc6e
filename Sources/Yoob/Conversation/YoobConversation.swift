import Foundation
import Observation
import YoobNet
import YoobWire

/// A spoken conversation with an avatar: the microphone is heard, and replies are spoken by the avatar, until
/// they end or the user interrupts.
///
/// ```swift
/// let conversation = YoobConversation(avatar: avatar) { try await myBackend.openVoiceSession() }
/// try await conversation.start()
/// …
/// conversation.stop()
/// ```
/// A connection that is lost is opened again, with a fresh session from your closure; what is being said goes
/// on meanwhile.
@MainActor @Observable public final class YoobConversation {
  /// Where a conversation stands.
  public enum State: String, Sendable, Equatable, CaseIterable {
    /// Not started.
    case idle
    /// It is being opened, or opened again.
    case connecting
    /// It is the user's turn.
    case listening
    /// A reply was asked for and is not heard yet.
    case thinking
    /// A reply sounds.
    case speaking
    /// Stopped, refused or lost; `lastError` tells why. It can be started again.
    case ended
  }

  @ObservationIgnored private let model: ConversationModel
  @ObservationIgnored private let options: Options
  @ObservationIgnored private let service: Service

  private enum Service {
    case hosted(@Sendable () async throws -> YoobVoiceSession)
    case provider(@Sendable () async throws -> String)
    case agent(AgentLine)
  }

  /// A conversation in a voice session that your backend opens (`POST /api/v1/voice/sessions`); it is asked again
  /// for every new connection.
  public init(
    avatar: YoobAvatar, options: Options = Options(),
    voiceSession: @escaping @Sendable () async throws -> YoobVoiceSession
  ) {
    model = ConversationModel(avatar)
    self.options = options
    service = .hosted(voiceSession)
  }

  /// A conversation with the provider itself, or another service of its protocol at `options.baseURL`, with
  /// client secrets that your backend makes; it is asked for one for every new connection.
  public init(
    avatar: YoobAvatar, options: Options = Options(),
    clientSecret: @escaping @Sendable () async throws -> String
  ) {
    model = ConversationModel(avatar)
    self.options = options
    service = .provider(clientSecret)
  }

  /// A conversation with an agent in this app, without any network. An agent is good for one conversation. Its
  /// own settings decide what `options` leave out; tools are the agent's own matter.
  public init(avatar: YoobAvatar, options: Options = Options(), agent: any SpeechAgent) {
    model = ConversationModel(avatar)
    self.options = options
    service = .agent(
      AgentLine(
        agent, settings: Self.agentSettings(options), clock: avatar.devices.clock,
        start: avatar.devices.start))
  }

  /// Where it stands.
  public var state: State { model.state }
  /// What the user said last, as far as it is understood.
  public var userTranscript: String { model.userTranscript }
  /// What was heard of the last reply.
  public var assistantTranscript: String { model.assistantTranscript }
  /// What went wrong last; the conversation is over only when `state` is `.ended`.
  public var lastError: YoobError? { model.lastError }

  /// Hosts that voice sessions may name when `Options.voiceHosts` is not set: those of `Yoob.configure`, else the
  /// host of its `apiBase`.
  public nonisolated static var defaultVoiceHosts: [String] {
    let settings = Yoob.settings.withLock { $0 }
    if let hosts = settings.voiceHosts { return hosts }
    return URLComponents(string: settings.apiBase)?.host.map { [$0] } ?? []
  }

  /// Opens the microphone, `inputID` of `avatar.microphone.inputs` or the chosen one, and the conversation.
  /// Returns when both are open; without effect while it runs. A character that is not prepared is prepared
  /// beside it, and the voice does not wait for the face; whether that failed is in `avatar.phase`. Its session goes
  /// on until `avatar.close()`, also where the conversation ends or does not begin.
  ///
  /// Throws `YoobError`: what your closure threw, a refusal of the service, of the microphone, or of a new session
  /// for an avatar whose session has ended; and `CancellationError` when it is stopped meanwhile.
  public func start(inputID: String? = nil) async throws {
    try await model.start(inputID: inputID) { try parts() }
  }

  /// Says something in writing; it interrupts a reply. At most 64 KiB; without effect while nothing runs.
  public func send(text: String) { model.send(text: text) }

  /// Ends the conversation and stops the microphone, where the conversation has opened it. The character stays on
  /// the screen, and its session goes on until `avatar.close()`. Idempotent.
  public func stop() { model.stop() }

  /// As `stop()`, and returns when nothing of it runs any more.
  public func close() async { await model.close() }

  // MARK: How it is reached

  private func parts() throws(YoobError) -> ConversationModel.Parts {
    let devices = model.avatar.devices
    let voice = model.avatar.voice
    var client = RealtimeClientOptions()
    client.greet = options.greet
    client.voice = options.voice
    client.instructions = options.instructions
    for tool in options.tools { client.tools.append(try tool.announced) }
    var ports = ConversationPorts(
      voice: voice, clock: devices.clock, start: devices.start, connect: devices.connect,
      endpoint: { throw CancellationError() }, tools: options.tools)
    switch service {
    case .hosted(let voiceSession):
      client.isHosted = true
      client.include = Self.extensions(canHold: voice.sink.canPause)
      let hosts = options.voiceHosts
      ports.endpoint = {
        let endpoint = try RealtimeEndpoint(grant: try await voiceSession().grant.withModel, hosts: hosts)
        return WebSocketRequest(endpoint)
      }
    case .provider(let clientSecret):
      client.model = options.model
      client.speed = options.speed
      client.turnDetection = options.turnDetection
      client.noiseReduction = options.noiseReduction
      client.transcriptionModel = options.transcriptionModel
      let (base, model) = (options.baseURL, options.model)
      ports.endpoint = {
        WebSocketRequest(RealtimeEndpoint(base: base, model: model, secret: try await clientSecret()))
      }
    case .agent(let line):
      client.isHosted = true
      client.tools = []
      client.include = Self.extensions(canHold: voice.sink.canPause)
      ports.tools = []
      ports.endpoint = {
        try await line.open()
        return WebSocketRequest(url: "")
      }
      ports.connect = { _ async throws(NetError) in try await line.connect() }
      ports.afterStop = { await line.waitUntilClosed() }
    }
    return (RealtimeClientSession(options: client), ports)
  }

  /// What a Yoob voice server and an agent are asked to tell beyond the protocol.
  private static func extensions(canHold: Bool) -> [String] {
    ["yoob.words", "yoob.partials"] + (canHold ? ["yoob.hold"] : [])
  }

  private static func agentSettings(_ options: Options) -> RealtimeSettings {
    var settings = RealtimeSettings(
      model: "local", instructions: options.instructions ?? "", voice: options.voice ?? "")
    settings.speed = options.speed.isFinite ? min(1.5, max(0.25, options.speed)) : 1.08
    if options.transcriptionModel == nil { settings.transcription = .null }
    switch options.turnDetection {
    case .serverVAD(let silence, let threshold, let padding):
      settings.turnDetection?.silenceMs = max(0, silence)
      settings.turnDetection?.threshold = min(1, max(0, threshold))
      settings.turnDetection?.prefixPaddingMs = max(0, padding)
    case .semantic(let eagerness):
      settings.turnDetection?.type = "semantic_vad"
      settings.turnDetection?.eagerness = eagerness.rawValue
    }
    return settings
  }
}

extension WebSocketRequest {
  init(_ endpoint: RealtimeEndpoint) {
    self.init(
      url: endpoint.url, headers: endpoint.headers.map { ($0.key, $0.value) },
      subprotocols: endpoint.subprotocols)
  }
}

extension VoiceGrant {
  /// The address names the model, where it does not yet.
  fileprivate var withModel: VoiceGrant {
    guard let model, !url.contains("?model="), !url.contains("&model="), !url.contains("#") else {
      return self
    }
    var grant = self
    grant.url += (url.contains("?") ? "&" : "?") + "model=" + VoiceURL.escaped(model)
    return grant
  }
}
