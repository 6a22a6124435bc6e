import VoiceIO
import YoobFace

/// A loaded character as a view draws it: the face of the moment, in step with what is heard.
struct LiveFace: Sendable {
  let character: LoadedCharacter
  private let voice: AvatarVoice
  private let clock: any PacingClock

  init(_ character: LoadedCharacter, voice: AvatarVoice, clock: any PacingClock) {
    self.character = character
    self.voice = voice
    self.clock = clock
  }

  /// Which face it is.
  var id: ObjectIdentifier { ObjectIdentifier(character.face) }

  /// Moves the face to now and reads it, with nobody between.
  func read<Result>(_ body: (FaceEngine) -> Result) -> Result {
    character.face.advance(to: clock.now, playhead: voice.facePlayhead, body)
  }
}

extension YoobAvatar {
  /// The face while it is alive. Who observes the avatar is told of changes.
  var liveFace: LiveFace? {
    switch phase {
    case .ready, .speaking: loaded.map { LiveFace($0, voice: voice, clock: clock) }
    default: nil
    }
  }
}
