/// A JSON value. Objects keep the order of their members.
public enum JSONValue: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction and exponent that fits into 64 bits.
  case int(Int)
  /// Any other number.
  case double(Double)
  /// Text.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Named values.
  case object(JSONObject)

  /// Whether it is `null`.
  public var isNull: Bool { self == .null }

  /// The text; nil for other values.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The truth value; nil for other values.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The number as a whole one; nil for fractions, and beyond 64 bits.
  public var int: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// Any number.
  public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The values of an array; nil for other values.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members of an object; nil for other values.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of an object; nil when this is none or has no such member.
  public subscript(key: String) -> JSONValue? { object?[key] }
}

/// The members of a JSON object in their order. Of members with one name the last one counts.
public struct JSONObject: Sendable, Equatable {
  /// All members, each name as often as it was given.
  public private(set) var members: [(name: String, value: JSONValue)] = []

  /// No members.
  public init() {}

  /// These members in this order.
  public init(_ members: [(name: String, value: JSONValue)]) { self.members = members }

  /// Setting nil removes the member.
  public subscript(name: String) -> JSONValue? {
    get { members.last { $0.name == name }?.value }
    set {
      guard let newValue else { return members.removeAll { $0.name == name } }
      if let place = members.lastIndex(where: { $0.name == name }) {
        members[place].value = newValue
      } else {
        members.append((name, newValue))
      }
    }
  }

  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.members.elementsEqual(right.members) { $0.name == $1.name && $0.value == $1.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    members = elements.map { (name: $0.0, value: $0.1) }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (name: $0.0, value: $0.1) }))
  }
  public init(nilLiteral: ()) { self = .null }

  /// The text, or null.
  public init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}
