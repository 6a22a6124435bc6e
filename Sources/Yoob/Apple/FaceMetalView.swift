#if canImport(SwiftUI) && canImport(MetalKit)
  import CoreGraphics
  import Metal
  import MetalKit
  import SwiftUI
  import YoobFace

  /// The live face on a Metal layer, at the display's rate while it is not paused.
  @MainActor final class FaceMetalView: MTKView {
    private weak var stage: AvatarStage?
    private var renderer: MetalFaceRenderer?
    private var fit = FaceFit.fill

    /// A view on the machine's graphics device; without one it draws nothing.
    init(_ stage: AvatarStage) {
      self.stage = stage
      super.init(frame: .zero, device: MTLCreateSystemDefaultDevice())
      colorPixelFormat = MetalFaceRenderer.format
      clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 0)
      framebufferOnly = true
      enableSetNeedsDisplay = false
      isPaused = true
      #if canImport(UIKit)
        isOpaque = false
        backgroundColor = .clear
        isUserInteractionEnabled = false
      #else
        layer?.isOpaque = false
        colorspace = CGColorSpace(name: CGColorSpace.sRGB)
      #endif
    }

    required init(coder: NSCoder) {
      super.init(coder: coder)
      isPaused = true
    }

    /// Takes what SwiftUI knows of the view.
    func update(fit: FaceFit, isPaused: Bool) {
      self.fit = fit
      if self.isPaused != isPaused { self.isPaused = isPaused }
    }

    override func draw(_ rect: CGRect) {
      guard let stage, let face = stage.avatar.liveFace, !isPaused else { return }
      guard let device else { return fail("this device has no Metal") }
      do throws(YoobError) {
        if renderer?.face.id != face.id { renderer = try MetalFaceRenderer(face, device: device) }
        guard let renderer, let drawable = currentDrawable else { return }
        if try renderer.draw(into: drawable.texture, showing: drawable, fit: fit) {
          stage.drew(face)
        } else {
          stage.avatar.noteFrames(shown: 0, skipped: 1)
        }
      } catch {
        fail(error.localizedDescription)
      }
    }

    private func fail(_ reason: String) {
      isPaused = true
      renderer = nil
      stage?.graphicsFailed(reason)
    }
  }

  /// `FaceMetalView` in SwiftUI.
  struct MetalFace {
    let stage: AvatarStage
    let fit: FaceFit
    let isPaused: Bool

    @MainActor fileprivate func make() -> FaceMetalView {
      let view = FaceMetalView(stage)
      view.update(fit: fit, isPaused: isPaused)
      return view
    }
  }

  #if canImport(UIKit)
    extension MetalFace: UIViewRepresentable {
      func makeUIView(context: Context) -> FaceMetalView { make() }
      func updateUIView(_ view: FaceMetalView, context: Context) { view.update(fit: fit, isPaused: isPaused) }
      static func dismantleUIView(_ view: FaceMetalView, coordinator: ()) { view.isPaused = true }
    }
  #else
    extension MetalFace: NSViewRepresentable {
      func makeNSView(context: Context) -> FaceMetalView { make() }
      func updateNSView(_ view: FaceMetalView, context: Context) { view.update(fit: fit, isPaused: isPaused) }
      static func dismantleNSView(_ view: FaceMetalView, coordinator: ()) { view.isPaused = true }
    }
  #endif
#endif
