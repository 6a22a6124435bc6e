/// Why a face could not be made.
public enum FaceError: Error, Sendable, Equatable {
  /// The puppet's bytes were refused.
  case puppet(PuppetError)
  /// The speech-to-mouth weights were refused.
  case mouth(MouthError)

  /// What is wrong and what to do about it.
  public var message: String {
    switch self {
    case .puppet(let error): error.message
    case .mouth(let error): error.message
    }
  }

  /// A number for interfaces that cannot carry text: 1...7 for the puppet, 11...14 for the mouth.
  public var code: Int {
    switch self {
    case .puppet(.notAPuppet): 1
    case .puppet(.unsupportedVersion): 2
    case .puppet(.wrongLength): 3
    case .puppet(.tooMany): 4
    case .puppet(.tooLarge): 5
    case .puppet(.notFinite): 6
    case .puppet(.outOfRange): 7
    case .mouth(.notWeights): 11
    case .mouth(.unsupportedVersion): 12
    case .mouth(.badShape): 13
    case .mouth(.damaged): 14
    }
  }
}
