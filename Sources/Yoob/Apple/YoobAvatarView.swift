#if canImport(SwiftUI)
  import CoreGraphics
  import SwiftUI
  import YoobFace

  /// An avatar on the screen: its poster first, which fades into the live face.
  ///
  /// ```swift
  /// YoobAvatarView(avatar)
  ///   .task { try? await avatar.prepare() }
  ///   .onDisappear { Task { await avatar.close() } }
  /// ```
  ///
  /// It draws while it can be seen: not while it is off the screen, and not while the app is in the background.
  /// Coming back to the front, the avatar's session beats at once. With Reduce Motion the head hardly moves, and
  /// only the lips follow the voice. Where Metal is missing or stops, the processor draws, and
  /// `lastRendererError` says why.
  public struct YoobAvatarView: View {
    private let avatar: YoobAvatar
    private let fit: FaceFit
    private let fade: Double
    private let speakingMotion: Bool

    /// A view of an avatar, which the app prepares and closes.
    ///
    /// - Parameters:
    ///   - contentMode: `.fill` fills the view and never cuts head and shoulders; `.fit` shows the whole canvas.
    ///   - fade: Seconds that the poster takes to give way to the live face; 0 is at once.
    ///   - speakingMotion: Whether head and brows mark what the voice stresses.
    public init(
      _ avatar: YoobAvatar, contentMode: ContentMode = .fill, fade: Double = 0.15, speakingMotion: Bool = true
    ) {
      self.avatar = avatar
      fit = contentMode == .fit ? .fit : .fill
      self.fade = max(0, fade)
      self.speakingMotion = speakingMotion
    }

    public var body: some View {
      // Another avatar is another view, with a stage of its own.
      AvatarStageView(avatar, fit: fit, fade: fade, speakingMotion: speakingMotion)
        .id(ObjectIdentifier(avatar))
    }
  }

  /// The pictures of one avatar's view, one over the other.
  private struct AvatarStageView: View {
    let avatar: YoobAvatar
    let fit: FaceFit
    let fade: Double
    let speakingMotion: Bool
    @State private var stage: AvatarStage
    @Environment(\.accessibilityReduceMotion) private var reduceMotion
    @Environment(\.scenePhase) private var scenePhase

    init(_ avatar: YoobAvatar, fit: FaceFit, fade: Double, speakingMotion: Bool) {
      self.avatar = avatar
      self.fit = fit
      self.fade = fade
      self.speakingMotion = speakingMotion
      _stage = State(initialValue: AvatarStage(avatar))
    }

    var body: some View {
      ZStack {
        if stage.hasFace { face }
        still.opacity(stage.showsPoster ? 1 : 0)
          .animation(fade > 0 ? .linear(duration: fade) : nil, value: stage.showsPoster)
      }
      .clipped()
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(Text(avatar.manifest?.displayName ?? ""))
      .accessibilityAddTraits(.isImage)
      .onAppear {
        stage.setOnScreen(true)
        stage.setInForeground(scenePhase != .background)
        setMotion()
      }
      .onDisappear { stage.setOnScreen(false) }
      .onChange(of: scenePhase) { _, phase in stage.setInForeground(phase != .background) }
      .onChange(of: reduceMotion) { _, _ in setMotion() }
      .onChange(of: speakingMotion) { _, _ in setMotion() }
    }

    @ViewBuilder private var face: some View {
      #if canImport(MetalKit)
        if stage.usesProcessor {
          ProcessorFace(stage: stage, fit: fit)
        } else {
          MetalFace(stage: stage, fit: fit, isPaused: stage.drawing != .graphics)
        }
      #else
        ProcessorFace(stage: stage, fit: fit)
      #endif
    }

    /// The poster, where the live face will be.
    private var still: some View {
      GeometryReader { space in
        if let poster = avatar.poster {
          let canvas = avatar.canvas()
          let place = canvas.layout(width: space.size.width, height: space.size.height, fit: fit).figure
          Image(decorative: poster, scale: 1).resizable()
            .frame(width: canvas.width * place.scale, height: canvas.height * place.scale)
            .offset(x: place.x, y: place.y)
        }
      }
    }

    private func setMotion() {
      avatar.reducesMotion = reduceMotion
      avatar.movesWithSpeech = speakingMotion && !reduceMotion
    }
  }
#endif
