import YoobWire

extension YoobConversation {
  /// How the end of the user's turn is found: `.serverVAD(silenceMS:threshold:prefixPaddingMS:)` by silence
  /// (milliseconds, and 0...1), `.semantic(eagerness:)` by what was said.
  public typealias TurnDetection = RealtimeClientOptions.TurnDetection
  /// How soon a semantic detection takes the turn: `.low`, `.medium`, `.high` or `.auto`.
  public typealias Eagerness = RealtimeClientOptions.Eagerness
  /// Where the microphone is: `.nearField` at the head, `.farField` in the room.
  public typealias NoiseReduction = RealtimeClientOptions.NoiseReduction

  /// What is asked of a conversation. In a voice session the server decides the model, speed, turn detection, noise
  /// reduction and transcription, and `voice` and `instructions` count where the backend left them out.
  public struct Options: Sendable {
    /// The provider's model.
    public var model = "gpt-realtime"
    /// Name of a voice; nil leaves the choice to the service.
    public var voice: String?
    /// What the assistant is, at most 8000 characters; nil leaves it to the service.
    public var instructions: String?
    /// Speed of the voice, 0.25...1.5.
    public var speed = 1.08
    /// How the end of the user's turn is found.
    public var turnDetection: TurnDetection = .serverVAD(
      silenceMS: 450, threshold: 0.5, prefixPaddingMS: 300)
    /// How noise is taken out of what the microphone hears; nil is off.
    public var noiseReduction: NoiseReduction? = .farField
    /// The model that writes down what the user says; nil is off.
    public var transcriptionModel: String? = "gpt-4o-mini-transcribe"
    /// Whether the assistant speaks first.
    public var greet = false
    /// Hosts that voice sessions may name; `*.example.org` stands for subdomains.
    public var voiceHosts: [String] = YoobConversation.defaultVoiceHosts
    /// What the assistant may ask the app to do.
    public var tools: [YoobTool] = []
    /// Where the provider is: `wss`, or `ws` on this machine.
    public var baseURL = RealtimeEndpoint.openAI

    /// The defaults.
    public init() {}
  }
}
