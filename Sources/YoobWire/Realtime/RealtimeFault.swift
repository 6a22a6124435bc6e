/// Something that the other side did wrong, or that went wrong here, as the protocol reports it.
/// The connection stays open.
public struct RealtimeFault: Error, Sendable, Equatable {
  /// "invalid_request_error" or "server_error".
  public var type: String
  /// A word for programs, such as "cannot_update_voice".
  public var code: String?
  /// What is wrong and what to do, for people.
  public var message: String
  /// Place of the wrong value, such as "session.audio.output.speed".
  public var param: String?

  /// A fault of the client, unless another type is given.
  public init(
    type: String = "invalid_request_error", code: String?, message: String, param: String? = nil
  ) {
    self.type = type
    self.code = code
    self.message = message
    self.param = param
  }

  /// The beginning of what the client wrote, short enough for a message.
  static func excerpt(_ text: String) -> String { text.trimmedPrefix(maximumBytes: 128) }

  static func missing(_ param: String) -> RealtimeFault {
    RealtimeFault(
      code: "missing_required_parameter", message: "Missing required parameter: '\(param)'.",
      param: param)
  }

  static func wrongType(_ param: String, expected: String) -> RealtimeFault {
    RealtimeFault(
      code: "invalid_type", message: "Invalid type for '\(param)': expected \(expected).",
      param: param)
  }

  /// What the protocol knows and this server does not do: `message` says what to send instead.
  static func notSupported(_ param: String, _ message: String) -> RealtimeFault {
    RealtimeFault(code: "not_supported", message: message, param: param)
  }

  static func invalid(_ param: String, _ message: String) -> RealtimeFault {
    RealtimeFault(code: "invalid_value", message: message, param: param)
  }
}

/// Typed access to the members of a client's object, with faults that name the place.
struct RealtimeReader {
  let object: JSONObject
  /// Place of the object in the event, with a final dot; empty for the event itself.
  let path: String

  init(_ object: JSONObject, path: String = "") {
    self.object = object
    self.path = path
  }

  func place(_ name: String) -> String { path + name }

  /// The member, unless it is missing; null counts as present.
  func present(_ name: String) -> JSONValue? { object[name] }

  /// The member, unless it is missing or null.
  private func value(_ name: String) -> JSONValue? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  func string(_ name: String) throws(RealtimeFault) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw .wrongType(place(name), expected: "a string") }
    return text
  }

  func requiredString(_ name: String) throws(RealtimeFault) -> String {
    guard let text = try string(name) else { throw .missing(place(name)) }
    return text
  }

  func bool(_ name: String) throws(RealtimeFault) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw .wrongType(place(name), expected: "a boolean") }
    return flag
  }

  func int(_ name: String, in range: ClosedRange<Int>) throws(RealtimeFault) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.int else { throw .wrongType(place(name), expected: "an integer") }
    guard range.contains(number) else {
      throw .invalid(
        place(name),
        "Invalid value for '\(place(name))': expected \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func double(_ name: String, in range: ClosedRange<Double>) throws(RealtimeFault) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.double else { throw .wrongType(place(name), expected: "a number") }
    guard range.contains(number) else {
      throw .invalid(
        place(name),
        "Invalid value for '\(place(name))': expected \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  func array(_ name: String) throws(RealtimeFault) -> [JSONValue]? {
    guard let value = value(name) else { return nil }
    guard let elements = value.array else { throw .wrongType(place(name), expected: "an array") }
    return elements
  }

  func strings(_ name: String) throws(RealtimeFault) -> [String]? {
    guard let elements = try array(name) else { return nil }
    var texts: [String] = []
    for element in elements {
      guard let text = element.string else {
        throw .wrongType(place(name), expected: "an array of strings")
      }
      texts.append(text)
    }
    return texts
  }

  func object(_ name: String) throws(RealtimeFault) -> RealtimeReader? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw .wrongType(place(name), expected: "an object") }
    return RealtimeReader(object, path: place(name) + ".")
  }

  func requiredObject(_ name: String) throws(RealtimeFault) -> RealtimeReader {
    guard let reader = try object(name) else { throw .missing(place(name)) }
    return reader
  }
}
