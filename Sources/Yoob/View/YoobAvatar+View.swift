import VoiceIO
import YoobFace

extension YoobAvatar {
  /// Frames a second of `idleFrames`.
  public var idleFramesPerSecond: Double { manifest?.idle?.fps ?? 8 }

  /// Whether the face follows a voice that is heard now.
  public var isShowingSpeech: Bool {
    guard phase == .speaking, loaded != nil else { return false }
    _ = heardMoments
    return voice.facePlayhead != nil
  }

  /// Frames of a view, drawn by the processor.
  ///
  /// Throws `YoobError.renderer` while no face is alive, and for sizes that cannot be drawn.
  func viewFrames(width: Int, height: Int, fit: FaceFit, rate: Double) throws -> AsyncStream<YoobFrame> {
    guard let face = liveFace else {
      throw YoobError.renderer("no character is loaded; call prepare() first")
    }
    return try stream(
      FrameSource(face.character, width: width, height: height, fit: fit), rate: rate)
  }

  /// Where the poster lies in a view: the character's own measures, or the usual ones before it is loaded.
  func canvas() -> FaceCanvas {
    if let loaded { return FaceCanvas(loaded.puppet) }
    let (width, height) = (Double(manifest?.width ?? 1080), Double(manifest?.height ?? 1920))
    if let crop = manifest?.crop {
      return FaceCanvas(
        width: width, height: height, cropX: Double(crop.x), cropY: Double(crop.y),
        cropSize: Double(crop.size))
    }
    let crop = min(width, height) * 0.84
    return FaceCanvas(
      width: width, height: height, cropX: (width - crop) / 2, cropY: max(0, (height - crop) * 0.25),
      cropSize: crop)
  }
}
