import VoiceIO
import YoobFace

/// Draws a character's frames with the processor, one at a time.
final class FrameSource: Sendable {
  private struct State {
    let rasterizer: CPURasterizer
    var pose = FacePose()
  }
  private let character: LoadedCharacter
  private let state: Guarded<State>

  /// Throws `YoobError.renderer` for a size that cannot be drawn.
  init(
    _ character: LoadedCharacter, width: Int, height: Int, isSquareCrop: Bool, isTransparent: Bool
  ) throws(YoobError) {
    self.character = character
    do {
      let rasterizer = try CPURasterizer(
        puppet: character.puppet, atlas: character.atlas, width: width, height: height,
        viewport: isSquareCrop ? .squareCrop : .canvas)
      if isTransparent { rasterizer.drawsBackground = false }
      state = Guarded(State(rasterizer: rasterizer))
    } catch {
      throw .renderer("a frame of \(width) x \(height) cannot be drawn: \(error)")
    }
  }

  /// Frames of a view in which character and scene lie as `fit` says.
  ///
  /// Throws `YoobError.renderer` for a size that cannot be drawn.
  init(_ character: LoadedCharacter, width: Int, height: Int, fit: FaceFit) throws(YoobError) {
    self.character = character
    let layout = FaceCanvas(character.puppet).layout(
      width: Double(width), height: Double(height), fit: fit)
    do {
      state = Guarded(
        State(
          rasterizer: try CPURasterizer(
            puppet: character.puppet, atlas: character.atlas, width: width, height: height, layout: layout)))
    } catch {
      throw .renderer("a frame of \(width) x \(height) cannot be drawn: \(error)")
    }
  }

  /// The character at a time in seconds, with so many seconds of the utterance heard.
  func frame(at time: Double, playhead: Double?) -> YoobFrame {
    state.withLock { state in
      // The face is shared with the sound, which must not wait for the drawing.
      character.face.advance(to: time, playhead: playhead) { state.pose.take($0) }
      state.pose.draw(with: state.rasterizer)
      return YoobFrame(
        width: state.rasterizer.width, height: state.rasterizer.height, time: time, playhead: playhead,
        rgba: Array(state.rasterizer.pixels))
    }
  }
}
