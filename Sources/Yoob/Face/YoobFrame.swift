/// A picture of the character.
public struct YoobFrame: Sendable, Equatable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int
  /// Seconds on the avatar's clock.
  public var time: Double
  /// Seconds of the utterance that were heard; nil while nothing is said.
  public var playhead: Double?
  /// RGBA, 8 bits each, premultiplied alpha, rows from the top.
  public var rgba: [UInt8]
}
