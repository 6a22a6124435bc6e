#if canImport(CoreGraphics)
  import CoreGraphics
#endif

/// Pictures of an avatar that are made when they are asked for, and kept.
@MainActor final class AvatarPictures {
  #if canImport(CoreGraphics)
    /// The poster, and the bytes that it was made of.
    var poster: (bytes: [UInt8], image: CGImage)?
    /// Draws the frames of the speech, for one face.
    var speech: (face: ObjectIdentifier, source: FrameSource)?
  #endif

  nonisolated init() {}
}
