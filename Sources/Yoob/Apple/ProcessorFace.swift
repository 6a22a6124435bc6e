#if canImport(SwiftUI)
  import CoreGraphics
  import SwiftUI
  import YoobFace
  import YoobPicture

  /// The live face where there is no graphics device: frames that the processor draws.
  struct ProcessorFace: View {
    /// Frames a second.
    private static let rate = 25.0
    /// The longer side of a frame, in pixels.
    private static let longestSide = 960.0

    let stage: AvatarStage
    let fit: FaceFit
    @State private var image: CGImage?

    var body: some View {
      GeometryReader { space in
        ZStack {
          if let image { Image(decorative: image, scale: 1).resizable() }
        }
        .frame(width: space.size.width, height: space.size.height)
        .task(id: Wanted(size: space.size, isDrawing: stage.drawing == .processor)) {
          await draw(space.size)
        }
      }
    }

    /// What the frames depend on; with another one they begin anew.
    private struct Wanted: Equatable {
      let size: CGSize
      let isDrawing: Bool
    }

    private func draw(_ size: CGSize) async {
      guard stage.drawing == .processor, size.width >= 1, size.height >= 1,
        let face = stage.avatar.liveFace
      else { return }
      let factor = min(2, Self.longestSide / max(size.width, size.height))
      let width = max(1, Int(size.width * factor))
      let height = max(1, Int(size.height * factor))
      guard
        let frames = try? stage.avatar.viewFrames(
          width: width, height: height, fit: fit, rate: Self.rate)
      else { return }
      for await frame in frames {
        guard let next = CGImage.made(of: frame) else { continue }
        image = next
        stage.drew(face)
      }
    }
  }
#endif
