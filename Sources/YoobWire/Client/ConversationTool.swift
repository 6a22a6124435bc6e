/// Something that the model may ask the app to do.
public struct ConversationTool: Sendable, Equatable {
  /// Letters, digits, `_` and `-`, at most 64.
  public var name: String
  /// When to use it and what it does, for the model.
  public var description: String
  /// JSON schema of the arguments, an object.
  public var parameters: JSONValue

  /// A tool; without `parameters` it takes none.
  public init(
    name: String, description: String,
    parameters: JSONValue = ["type": "object", "properties": [:]]
  ) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }

  /// Tools that a session announces, at most.
  static let maximumCount = 128
}
