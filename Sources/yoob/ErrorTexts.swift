import Foundation
import VoiceAudio
import YoobFace

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
