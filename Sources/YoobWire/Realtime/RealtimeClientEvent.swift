/// What a client of the Realtime protocol asks for.
public enum RealtimeClientEvent: Sendable, Equatable {
  /// The session's new settings, not yet judged.
  case sessionUpdate(JSONObject)
  /// Mono PCM16, little-endian.
  case audioAppend([UInt8])
  /// The sound so far is the user's turn.
  case audioCommit
  /// The sound since the last turn is forgotten.
  case audioClear
  /// An entry after the one of `previousID`; nil is the end.
  case itemCreate(RealtimeItem, previousID: String?)
  /// The entry is asked for.
  case itemRetrieve(id: String)
  /// The entry is taken out: nobody heard it.
  case itemDelete(id: String)
  /// Only so many milliseconds of the assistant's entry were heard.
  case itemTruncate(id: String, contentIndex: Int, audioEndMs: Int)
  /// A reply is asked for.
  case responseCreate(RealtimeResponseRequest)
  /// The reply is no longer wanted; nil is the one that is active.
  case responseCancel(responseID: String?)

  /// Reads the event that `object` describes. Members that the protocol does not know are ignored.
  public init(_ object: JSONObject) throws(RealtimeFault) {
    let reader = RealtimeReader(object)
    let type = try reader.requiredString("type")
    switch type {
    case "session.update":
      self = .sessionUpdate(try reader.requiredObject("session").object)
    case "input_audio_buffer.append":
      self = .audioAppend(try Self.audio(try reader.requiredString("audio")))
    case "input_audio_buffer.commit": self = .audioCommit
    case "input_audio_buffer.clear": self = .audioClear
    case "conversation.item.create":
      self = .itemCreate(
        try RealtimeItem(try reader.requiredObject("item")),
        previousID: try reader.string("previous_item_id"))
    case "conversation.item.retrieve":
      self = .itemRetrieve(id: try reader.requiredString("item_id"))
    case "conversation.item.delete":
      self = .itemDelete(id: try reader.requiredString("item_id"))
    case "conversation.item.truncate":
      let id = try reader.requiredString("item_id")
      let index = try reader.int("content_index", in: 0...Int.max) ?? 0
      guard let end = try reader.int("audio_end_ms", in: 0...Int.max) else {
        throw .missing("audio_end_ms")
      }
      self = .itemTruncate(id: id, contentIndex: index, audioEndMs: end)
    case "response.create":
      self = .responseCreate(try RealtimeResponseRequest(try reader.object("response")))
    case "response.cancel":
      self = .responseCancel(responseID: try reader.string("response_id"))
    case "output_audio_buffer.clear":
      throw RealtimeFault(
        code: "not_supported", message: "This server does not support '\(type)'.", param: "type")
    default:
      throw .invalid(
        "type", "Invalid value: '\(RealtimeFault.excerpt(type))'. No client event has this type.")
    }
  }

  private static func audio(_ text: String) throws(RealtimeFault) -> [UInt8] {
    guard let bytes = Base64.decode(text) else {
      throw .invalid("audio", "Invalid 'audio': expected base64-encoded audio bytes.")
    }
    guard bytes.count % 2 == 0 else {
      throw .invalid("audio", "Invalid 'audio': PCM16 needs an even number of bytes.")
    }
    return bytes
  }
}

/// What a `response.create` asks for.
public struct RealtimeResponseRequest: Sendable, Equatable {
  /// What to say; nil leaves it to the session's instructions.
  public var instructions: String?
  /// Echoed in every event that describes the response.
  public var metadata: JSONValue = .null
  /// Whether the answer is text only; nil takes the session's setting.
  public var isTextOnly: Bool?
  /// Nil keeps the session's.
  public var tokenLimit: RealtimeTokenLimit?

  /// A reply by the session's own settings.
  public init() {}

  init(_ reader: RealtimeReader?) throws(RealtimeFault) {
    guard let reader else { return }
    instructions = try reader.string("instructions")
    if reader.present("max_output_tokens")?.isNull == false {
      tokenLimit = try RealtimeSettings.tokenLimit(reader)
    }
    _ = try RealtimeSettings.toolChoice(reader)
    if reader.present("input") != nil {
      throw .notSupported(
        reader.place("input"),
        "This server answers the conversation: add a message with 'conversation.item.create'.")
    }
    if let object = try reader.object("metadata") { metadata = .object(object.object) }
    if let modalities = try reader.strings("output_modalities") {
      isTextOnly = try RealtimeSettings.isTextOnly(
        modalities, place: reader.place("output_modalities"))
    }
    if let conversation = try reader.string("conversation"), conversation != "auto" {
      throw .invalid(
        reader.place("conversation"), "This server answers inside the conversation only: 'auto'.")
    }
  }
}
