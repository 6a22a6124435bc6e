/// A key or token. It prints as dots, so that no log and no error can show it.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text itself, for a header field or a signature.
  public let text: String

  /// Nil for an empty text, and for one that no header field may hold.
  public init?(_ text: String?) {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.text = text
  }

  public var description: String { "…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
