/// Something that the assistant may ask the app to do.
///
/// ```swift
/// options.tools = [
///   YoobTool(name: "weather", description: "Tells the weather in a city.",
///     parameters: #"{"type": "object", "properties": {"city": {"type": "string"}}}"#
///   ) { arguments in try await weather(arguments) }  // JSON text in, JSON text out
/// ]
/// ```
public struct YoobTool: Sendable {
  /// Letters, digits, `_` and `-`, at most 64.
  public var name: String
  /// When to use it and what it does, for the assistant.
  public var description: String
  /// JSON schema of the arguments, an object, as text.
  public var parameters: String
  /// Seconds after which a call is given up.
  public var timeout: Double
  /// Gets the arguments and returns the result, both as JSON text. What it throws is told to the assistant. It
  /// is cancelled when the conversation ends, and when its result is no longer wanted.
  public var handler: @Sendable (_ arguments: String) async throws -> String

  /// A tool; `timeout` is in seconds.
  public init(
    name: String, description: String, parameters: String = #"{"type": "object", "properties": {}}"#,
    timeout: Double = 30, handler: @escaping @Sendable (_ arguments: String) async throws -> String
  ) {
    self.name = name
    self.description = description
    self.parameters = parameters
    self.timeout = timeout
    self.handler = handler
  }
}
