/// Names a model of the catalogue and, for a text-to-speech model, a voice inside it.
public struct ModelRef: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Its id in the catalogue.
  public var id: String
  /// A voice inside it; nil is its default.
  public var voice: String?

  /// The model with this id.
  public init(id: String, voice: String? = nil) {
    self.id = id
    self.voice = voice
  }

  public init(stringLiteral value: String) { self.init(id: value) }
}
