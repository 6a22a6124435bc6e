/// The header fields of a message, in their order. Names are compared without case.
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// All fields, their names in small letters.
  public private(set) var fields: [(name: String, value: String)] = []

  /// No fields.
  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { (name: $0.0.lowercased(), value: $0.1) }
  }

  /// The first field of the name. Setting replaces every field of the name; nil removes them.
  public subscript(name: String) -> String? {
    get {
      let name = name.lowercased()
      return fields.first { $0.name == name }?.value
    }
    set {
      let name = name.lowercased()
      fields.removeAll { $0.name == name }
      if let newValue { fields.append((name, newValue)) }
    }
  }

  /// Adds a field behind the others, those of the same name among them.
  public mutating func add(name: String, value: String) { fields.append((name.lowercased(), value)) }

  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }
}
