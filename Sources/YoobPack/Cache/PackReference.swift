/// One version of one character.
public struct PackReference: Sendable, Hashable, CustomStringConvertible {
  /// `^[a-z0-9][a-z0-9-]{0,63}$`.
  public let character: String
  /// Which version.
  public let version: PackVersion

  /// This version of this character.
  public init(character: String, version: PackVersion) {
    self.character = character
    self.version = version
  }

  public var description: String { "\(character) \(version)" }
}
