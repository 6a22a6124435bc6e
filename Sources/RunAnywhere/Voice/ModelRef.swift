/// Names a model of the catalogue and, for a text-to-speech model, a voice inside it.
public struct ModelRef: Sendable, Hashable, ExpressibleByStringLiteral {
  public var id: String
  public var voice: String?

  public init(id: String, voice: String? = nil) {
    self.id = id
    self.voice = voice
  }

  public init(stringLiteral value: String) { self.init(id: value) }
}
