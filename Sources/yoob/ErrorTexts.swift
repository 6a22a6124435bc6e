import Foundation
import VoiceAudio
import YoobFace

extension Error {
  /// What the user reads.
  var text: String {
    Program.namingQuoted((self as? any LocalizedError)?.errorDescription ?? "\(self)")
  }
}

// Errors of targets that do without Foundation; here their texts are what the user reads.
extension FaceError: LocalizedError {
  public var errorDescription: String? { message }
}

extension MouthError: LocalizedError {
  public var errorDescription: String? { message }
}

extension PuppetError: LocalizedError {
  public var errorDescription: String? { message }
}

extension RasterError: LocalizedError {
  public var errorDescription: String? { message }
}

extension WAVError: LocalizedError {
  public var errorDescription: String? { message }
}
