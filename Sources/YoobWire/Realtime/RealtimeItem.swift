/// One entry of a conversation.
public struct RealtimeItem: Sendable, Equatable {
  public enum Role: String, Sendable, Equatable { case user, assistant, system }
  public enum Content: Sendable, Equatable {
    case inputText(String)
    /// The user's speech; the transcript follows when it is known.
    case inputAudio(transcript: String?)
    case outputText(String)
    case outputAudio(transcript: String)
  }

  /// Empty until the server names an item that came without an id.
  public var id: String
  public var role: Role
  public var status: String
  public var content: [Content]
  /// Length of the sound that was sent for an assistant's item, in milliseconds.
  public var audioMs: Int = 0
  /// Words of an assistant's item, with their times.
  public var words: [SpeechWord] = []
  /// How much of an assistant's sound was heard, where it was cut, in milliseconds.
  public private(set) var heardMs: Int?

  /// The longest text of an item of a client, in bytes of UTF-8.
  static let maximumText = 64 << 10

  public init(id: String, role: Role, status: String, content: [Content]) {
    self.id = id
    self.role = role
    self.status = status
    self.content = content
  }

  /// Reads an item that a client wants to add.
  init(_ reader: RealtimeReader) throws(RealtimeFault) {
    let type = try reader.requiredString("type")
    guard type == "message" else {
      throw .invalid(
        reader.place("type"), "This server takes items of type 'message', not '\(type.prefix(100))'.")
    }
    let roleName = try reader.requiredString("role")
    guard let role = Role(rawValue: roleName) else {
      throw .invalid(reader.place("role"), "Invalid role: expected 'user', 'assistant' or 'system'.")
    }
    guard role == .user else {
      throw .notSupported(
        reader.place("role"),
        "This server takes messages of the 'user' only; 'instructions' of the session tell the model the rest."
      )
    }
    id = try reader.string("id") ?? ""
    guard id.utf8.count <= 128, id != "root" else {
      throw .invalid(reader.place("id"), "Invalid item id: expected at most 128 bytes, and not 'root'.")
    }
    self.role = role
    status = "completed"
    content = []
    guard let parts = try reader.array("content") else { throw .missing(reader.place("content")) }
    for (index, part) in parts.enumerated() {
      let place = reader.place("content[\(index)]")
      guard let object = part.object else { throw .wrongType(place, expected: "an object") }
      content.append(try Self.content(RealtimeReader(object, path: place + ".")))
    }
    guard text.utf8.count <= Self.maximumText else {
      throw .invalid(
        reader.place("content"), "The text of an item may have \(Self.maximumText) bytes at most.")
    }
  }

  private static func content(_ reader: RealtimeReader) throws(RealtimeFault) -> Content {
    switch try reader.requiredString("type") {
    case "input_text": return .inputText(try reader.requiredString("text"))
    case let type:
      throw .invalid(
        reader.place("type"),
        "This server takes content of type 'input_text', not '\(type.prefix(100))'.")
    }
  }

  /// What was written in the item, without sound.
  public var text: String {
    content.map { part in
      switch part {
      case .inputText(let text), .outputText(let text), .outputAudio(let text): text
      case .inputAudio(let transcript): transcript ?? ""
      }
    }.joined(separator: "\n")
  }

  /// Keeps what was heard of an assistant's speech by `ms`: a word counts from its half on. Without
  /// the words' times all is kept, unless nothing was heard. What comes later is cut with `trim()`.
  mutating func truncate(atMs ms: Int) {
    heardMs = min(ms, heardMs ?? ms)
    trim()
  }

  /// Cuts text and words that came after a truncation.
  mutating func trim() {
    guard let heardMs, heardMs <= 0 || !words.isEmpty else { return }
    words = Array(
      words.prefix { heardMs > $0.startMs && 2 * (heardMs - $0.startMs) >= $0.endMs - $0.startMs })
    let heard = words.map(\.text).joined(separator: " ")
    content = content.map { part in
      if case .outputAudio = part { .outputAudio(transcript: heard) } else { part }
    }
  }

  var json: JSONValue {
    [
      "id": .string(id), "object": "realtime.item", "type": "message", "status": .string(status),
      "role": .string(role.rawValue), "content": .array(content.map(\.json)),
    ]
  }
}

extension RealtimeItem.Content {
  var json: JSONValue {
    switch self {
    case .inputText(let text): ["type": "input_text", "text": .string(text)]
    case .inputAudio(let transcript): ["type": "input_audio", "transcript": JSONValue(transcript)]
    case .outputText(let text): ["type": "output_text", "text": .string(text)]
    case .outputAudio(let transcript): ["type": "output_audio", "transcript": .string(transcript)]
    }
  }
}
