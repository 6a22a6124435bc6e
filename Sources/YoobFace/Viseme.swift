/// The 15 visemes in the order that every interface of this project uses.
public enum Viseme: Int, Sendable, CaseIterable {
  /// Silence, then the shapes of p, f, th, t, k, ch, s, n and r, then those of vowels.
  case sil, PP, FF, TH, DD, kk, CH, SS, nn, RR, aa, E, ih, oh, ou

  /// Name as written in files and events.
  public var name: StaticString {
    switch self {
    case .sil: "sil"
    case .PP: "PP"
    case .FF: "FF"
    case .TH: "TH"
    case .DD: "DD"
    case .kk: "kk"
    case .CH: "CH"
    case .SS: "SS"
    case .nn: "nn"
    case .RR: "RR"
    case .aa: "aa"
    case .E: "E"
    case .ih: "ih"
    case .oh: "oh"
    case .ou: "ou"
    }
  }
}

/// Weights of the 15 visemes for one instant; they sum to 1.
public struct VisemeFrame: Sendable, Equatable {
  /// 15 weights in the order of `Viseme`, 0...1.
  public var weights: [Float]

  /// A frame of 15 weights that sum to 1.
  public init(weights: [Float]) { self.weights = weights }

  /// The mouth of silence.
  public static let silence = VisemeFrame(weights: [1] + [Float](repeating: 0, count: 14))
  /// Frames per second of every viseme track; frame k describes the sound at k × 10 ms.
  public static let rate = 100
}
