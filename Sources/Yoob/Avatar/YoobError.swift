import Foundation

/// What went wrong, in words that may be shown to the user.
public enum YoobError: Error, Sendable, Equatable, LocalizedError {
  /// The credentials were refused or have run out, or the key behind them was revoked.
  case unauthorized
  /// The workspace has no credit, or has reached its cap.
  case outOfCredit
  /// The network failed. `prepare()` goes on where a download stopped.
  case network(String)
  /// A file of the character is not the one that was signed; it was thrown away.
  case invalidAssets(String)
  /// This device, or this version of the SDK, cannot show the character.
  case unsupported(String)
  /// The sound cannot be taken: half a sample, a rate out of range, or another rate in mid-utterance.
  case invalidAudio(String)
  /// The face or the sound device stopped. Sound goes on where it can.
  case renderer(String)
  /// The user, or the system, does not let the app use the microphone.
  case permissionDenied(String)
  /// The session is over: the reason is a word such as "unreachable" or "sandbox-limit".
  case sessionEnded(String)
  /// The voice service ended or refused the call; `code` is the socket's, 0 for an unusable session.
  case voiceSession(code: Int, message: String)

  /// One or two sentences for the user.
  public var errorDescription: String? {
    switch self {
    case .unauthorized: "The session was refused. Sign in again, or ask the app's maker for access."
    case .outOfCredit: "There is no credit left for this character. Please try again later."
    case .network(let detail):
      "The connection failed: \(detail.withoutFullStop). Check the network and try again."
    case .invalidAssets(let detail):
      "The character's files are not usable: \(detail.withoutFullStop)."
    case .unsupported(let detail): "The character cannot be shown here: \(detail.withoutFullStop)."
    case .invalidAudio(let detail): "The sound cannot be played: \(detail.withoutFullStop)."
    case .renderer(let detail):
      detail.withoutFullStop.prefix(1).uppercased() + detail.withoutFullStop.dropFirst() + "."
    case .permissionDenied(let detail): "The microphone may not be used: \(detail.withoutFullStop)."
    case .sessionEnded(let reason): "The session has ended (\(reason)). Start it again to go on."
    case .voiceSession(let code, let message): code == 0 ? message : "\(message) (\(code))"
    }
  }
}

extension String {
  /// For a sentence that goes on.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
