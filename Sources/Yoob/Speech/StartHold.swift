/// When waiting sound may be heard: the voice waits a moment for the face, and for enough sound to bridge
/// what the network is late by.
struct StartHold: Sendable, Equatable {
  /// What becomes of the face.
  enum Face: Sendable, Equatable { case absent, coming, ready }

  /// Seconds that wait before a start, and that each underrun adds, up to the most.
  static let cushion = 0.06
  static let step = 0.08
  static let mostCushion = 0.4
  /// Seconds after an underrun until a short rest is heard.
  static let restDelay = 0.12
  /// Seconds that must wait after an underrun.
  static let afterUnderrun = 0.16

  private(set) var underruns = 0

  /// Seconds that must wait before a start.
  var needed: Double { min(Self.mostCushion, Self.cushion + Self.step * Double(underruns)) }

  /// When an utterance may start, as things are; that time may have passed.
  func start(
    of utterance: SpeechLine.Utterance, face: Face, maxSyncDelay: Double
  ) -> Double {
    let latest = utterance.firstTime + max(0, maxSyncDelay)
    if utterance.isEnded { return utterance.firstTime }
    if face == .coming { return latest }
    if utterance.queued >= needed { return utterance.firstTime }
    return min(latest, utterance.firstTime + needed)
  }

  /// When an utterance that ran dry may go on; `since` is when the first sound after that came.
  func resumption(of utterance: SpeechLine.Utterance, since: Double) -> Double {
    if utterance.isEnded || utterance.queued >= max(Self.afterUnderrun, needed) { return since }
    return since + Self.restDelay
  }

  /// The sound ran dry in mid-utterance.
  mutating func noteUnderrun() { underruns = min(8, underruns + 1) }

  /// An utterance was heard without running dry.
  mutating func noteSmooth() { underruns = max(0, underruns - 1) }
}
