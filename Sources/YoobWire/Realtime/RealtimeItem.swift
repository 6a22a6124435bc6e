/// One entry of a conversation.
public struct RealtimeItem: Sendable, Equatable {
  /// Who an entry is of.
  public enum Role: String, Sendable, Equatable {
    /// The person, the model, or the app that instructs it.
    case user, assistant, system
  }
  /// A part of an entry.
  public enum Content: Sendable, Equatable {
    /// What the user typed, or an instruction.
    case inputText(String)
    /// The user's speech; the transcript follows when it is known.
    case inputAudio(transcript: String?)
    /// What the assistant wrote.
    case outputText(String)
    /// The assistant's speech.
    case outputAudio(transcript: String)
  }

  /// Empty until the server names an item that came without an id.
  public var id: String
  /// Who it is of.
  public var role: Role
  /// "in_progress", "completed" or "incomplete".
  public var status: String
  /// Its parts, in order.
  public var content: [Content]
  /// Length of the sound that was sent for an assistant's item, in milliseconds.
  public var audioMs: Int = 0
  /// Words of an assistant's item, with their times.
  public var words: [SpeechWord] = []
  /// How much of an assistant's sound was heard, where it was cut, in milliseconds.
  public private(set) var heardMs: Int?

  /// The longest text of an item of a client, in bytes of UTF-8.
  static let maximumText = 64 << 10
  /// The longest id of an item of a client, in bytes of UTF-8.
  static let maximumID = 128
  private static let unprintable: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse,
  ]

  /// An entry of these parts.
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
        reader.place("type"),
        "This server takes items of type 'message', not '\(RealtimeFault.excerpt(type))'.")
    }
    let roleName = try reader.requiredString("role")
    guard let role = Role(rawValue: roleName) else {
      throw .invalid(
        reader.place("role"),
        "Invalid value: '\(RealtimeFault.excerpt(roleName))'. Supported values are: 'user' and 'assistant'.")
    }
    guard role != .system else {
      throw .notSupported(
        reader.place("role"),
        "This server takes messages of 'user' and 'assistant'; 'instructions' of the session tell the model the rest."
      )
    }
    id = try Self.id(reader)
    self.role = role
    status = "completed"
    content = []
    guard let parts = try reader.array("content") else { throw .missing(reader.place("content")) }
    for (index, part) in parts.enumerated() {
      let place = reader.place("content[\(index)]")
      guard let object = part.object else { throw .wrongType(place, expected: "an object") }
      content.append(try Self.content(RealtimeReader(object, path: place + "."), of: role))
    }
    guard text.utf8.count <= Self.maximumText else {
      throw .invalid(
        reader.place("content"), "The text of an item may have \(Self.maximumText) bytes at most.")
    }
  }

  /// The client's name for the item; empty where it gives none.
  private static func id(_ reader: RealtimeReader) throws(RealtimeFault) -> String {
    let place = reader.place("id")
    let id = try reader.string("id") ?? ""
    guard id.utf8.count <= maximumID else {
      throw RealtimeFault(
        code: "string_above_max_length",
        message: "Invalid '\(place)': string too long. Expected at most \(maximumID) bytes, but got "
          + "\(id.utf8.count).", param: place)
    }
    guard id != "root" else {
      throw .invalid(place, "Invalid '\(place)': 'root' is the place before the first item.")
    }
    guard id.unicodeScalars.allSatisfy({ !unprintable.contains($0.properties.generalCategory) }) else {
      throw .invalid(place, "Invalid '\(place)': expected letters, digits and signs that can be printed.")
    }
    return id
  }

  private static func content(
    _ reader: RealtimeReader, of role: Role
  ) throws(RealtimeFault) -> Content {
    switch (role, try reader.requiredString("type")) {
    case (.user, "input_text"): return .inputText(try reader.requiredString("text"))
    case (.assistant, "output_text"): return .outputText(try reader.requiredString("text"))
    case (_, let type):
      let known = role == .user ? "input_text" : "output_text"
      throw .invalid(
        reader.place("type"),
        "This server takes content of type '\(known)' from the \(role.rawValue), not '\(RealtimeFault.excerpt(type))'."
      )
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
