import Observation

/// What one view of an avatar shows, and whether it draws: the poster until the face was drawn, nothing while it
/// cannot be seen, and the processor's frames where the graphics device has failed.
@MainActor @Observable final class AvatarStage {
  /// Who draws the live face.
  enum Drawing: Sendable, Equatable {
    /// Nobody: there is no face yet, or it cannot be seen.
    case none
    /// The graphics device.
    case graphics
    /// The processor.
    case processor
  }

  @ObservationIgnored let avatar: YoobAvatar
  /// The face that was drawn at least once.
  private var drawnFace: ObjectIdentifier?
  private var isOnScreen = false
  private var isInForeground = true
  /// Whether the graphics device is missing or gone.
  private(set) var usesProcessor = false

  init(_ avatar: YoobAvatar) { self.avatar = avatar }

  /// Who draws now.
  var drawing: Drawing {
    guard isOnScreen, isInForeground, avatar.liveFace != nil else { return .none }
    return usesProcessor ? .processor : .graphics
  }

  /// Whether the live face is in the view, drawing or standing still.
  var hasFace: Bool { avatar.liveFace != nil }

  /// Whether the poster covers the live face.
  var showsPoster: Bool {
    guard let face = avatar.liveFace else { return true }
    return face.id != drawnFace
  }

  /// The view came on the screen, or left it.
  func setOnScreen(_ isOnScreen: Bool) { self.isOnScreen = isOnScreen }

  /// The app came to the front, or went to the background. Coming back, the session beats at once.
  func setInForeground(_ isInForeground: Bool) {
    let isBack = isInForeground && !self.isInForeground
    self.isInForeground = isInForeground
    guard isBack else { return }
    let avatar = avatar
    Task { await avatar.refreshSession() }
  }

  /// A frame of this face was shown.
  func drew(_ face: LiveFace) {
    avatar.noteFrames(shown: 1, skipped: 0)
    if drawnFace != face.id { drawnFace = face.id }
  }

  /// The graphics device is missing or gone: the processor draws from now on.
  func graphicsFailed(_ reason: String) {
    guard !usesProcessor else { return }
    usesProcessor = true
    avatar.lastRendererError =
      YoobError.renderer("\(reason); the processor draws, with fewer frames").localizedDescription
  }
}
