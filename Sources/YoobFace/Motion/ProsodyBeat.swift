/// A movement of the head or the brows that a melody asks for.
struct ProsodyBeat: Equatable {
  enum Kind { case nod, brow }

  var kind: Kind
  /// Seconds of the utterance at which the movement is at its largest.
  var peak: Double
  /// 0...1.
  var strength: Float
  /// Seconds that brows stay up.
  var hold = 0.0

  /// When the movement starts, so that its peak meets the accent, as those of speakers' brows do (Kim,
  /// Cvejic and Davis 2014, Speech Communication 57).
  var start: Double { peak - (kind == .nod ? Self.nodAttack : Self.browAttack) }
  /// When it is over.
  var end: Double { peak + hold + (kind == .nod ? Self.nodAttack : Self.browAttack) }

  /// Seconds from the start of a nod to its lowest point, and from there to its end.
  static let nodAttack = 0.21
  /// Seconds in which brows go up, and in which they come down.
  static let browAttack = 0.25
  /// Seconds between the peaks of two nods at least.
  static let nodInterval = 0.9
  /// Seconds between two raises of the brows at least.
  static let browRest = 1.5
  /// Seconds that brows stay up at most.
  static let longestHold = 1.2
  /// Seconds by which a movement may come late.
  static let latest = 0.08
}
