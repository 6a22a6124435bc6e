import YoobNet
import YoobWire

/// What a voice server serves, to whom, and within which limits.
public struct VoiceServerConfiguration: Sendable {
  /// An IP address of this machine, or "localhost".
  public var host = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 8787
  /// Certificate and key; nil serves without TLS.
  public var tls: HTTPServerConfiguration.TLS?
  /// Folder of the page, with index.html; nil serves none.
  public var webRoot: String?
  /// Folders of the characters' packs, by id; each is served under /characters/ID/.
  public var characters: [String: String] = [:]
  /// Websites beside the server's own whose pages may talk to it.
  public var origins: [WebOrigin] = []
  /// Accepts any key, on loopback only.
  public var isDemo = false
  /// Whether a client with this key may talk; outside of the demo. The key is nil when none came.
  public var accepts: @Sendable (_ key: String?) -> Bool = { _ in false }
  /// Conversations at a time.
  public var maximumConversations = 1
  /// Seconds without a word of either side after which a conversation ends.
  public var idleLimit = 900
  /// Seconds that a conversation may last.
  public var timeLimit = 3600
  /// Name of the model that is told to clients that ask for none.
  public var model = "luna"
  /// The character's instructions, until a client gives its own.
  public var instructions = ""
  /// The voice, until a client chooses another.
  public var voice = ""

  /// The defaults.
  public init() {}
}

/// Why a voice server cannot start.
public enum VoiceServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The demo was asked to listen for other machines.
  case demoNeedsLoopback(host: String)
  /// There is no folder at this path.
  case missingFolder(path: String)

  public var description: String {
    switch self {
    case .demoNeedsLoopback(let host):
      "the demo accepts any key, so it listens on this machine only, not on \(host); leave --host "
        + "out, or leave --demo out and use a key"
    case .missingFolder(let path): "there is no folder \(path)"
    }
  }
}

/// Makes the agent of a conversation. It may take its time; when it throws, the client is told.
public typealias SpeechAgentFactory =
  @Sendable (SpeechAgentConfiguration) async throws -> any SpeechAgent
