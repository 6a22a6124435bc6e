#if canImport(CoreGraphics)
  import CoreGraphics
  import YoobPicture

  extension YoobAvatar {
    /// The picture that stands for the character until it moves; nil while its bytes are not here.
    public var poster: CGImage? {
      guard let bytes = posterData else { return nil }
      if let known = pictures.poster, known.bytes == bytes { return known.image }
      guard let image = CGImage.decoded(bytes) else { return nil }
      pictures.poster = (bytes, image)
      return image
    }

    /// Frames that are shown in turn while the character is silent: none, since the idle motion of these
    /// characters is drawn.
    public var idleFrames: [CGImage] { [] }

    /// The face as it is while a voice is heard, drawn by the processor when it is asked for, half the
    /// canvas in size; else nil. Observers are told of each new one.
    ///
    /// For views of your own; `YoobAvatarView` draws on the graphics device instead.
    public var speechFrame: CGImage? {
      guard isShowingSpeech, let face = liveFace else { return nil }
      if pictures.speech?.face != face.id {
        let canvas = canvas()
        let source = try? FrameSource(
          face.character, width: max(1, Int(canvas.width / 2)), height: max(1, Int(canvas.height / 2)),
          fit: .fit)
        pictures.speech = source.map { (face.id, $0) }
      }
      return pictures.speech.flatMap { speech in
        CGImage.made(of: speech.source.frame(at: clock.now, playhead: voice.facePlayhead))
      }
    }
  }

  extension CGImage {
    /// A frame as an image.
    static func made(of frame: YoobFrame) -> CGImage? {
      made(premultiplied: frame.rgba, width: frame.width, height: frame.height)
    }
  }
#endif
