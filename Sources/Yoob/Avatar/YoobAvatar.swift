import Foundation
import Observation
import VoiceIO
import YoobFace
import YoobPack

/// A character that speaks the sound it is given.
///
/// ```swift
/// let avatar = YoobAvatar(.local(folder))
/// try await avatar.prepare()
/// try avatar.speak(pcm: chunk, sampleRate: 24_000)  // mono PCM16, as it comes
/// avatar.endSpeech()
/// for await frame in try avatar.frames(width: 720, height: 1280) { show(frame.rgba) }
/// ```
///
/// A `VoiceSession` that has `avatar.sink` as its sink speaks through it.
@MainActor @Observable public final class YoobAvatar {
  /// Where the avatar stands.
  public internal(set) var phase = Phase.notPrepared
  /// The picture that stands for the character until it moves: the bytes of a PNG or JPEG.
  public internal(set) var posterData: [UInt8]?
  /// What the character says about itself, once it is known.
  public internal(set) var manifest: CharacterManifest?
  /// Loudness of the voice that is heard now: its peak over 40 ms, 0...1.
  public private(set) var voiceLevel: Float = 0
  /// Why the face could not be started, or no sound can be heard, until it can; each goes on without the other.
  public internal(set) var lastRendererError: String?
  /// What the avatar has done so far.
  public private(set) var stats = Stats()
  /// Whether the service of the session cannot be reached at the moment.
  public internal(set) var isHeartbeatDegraded = false
  /// What the character feels, by itself or by `setEmotion`.
  public private(set) var emotion = FaceEmotion.neutral
  /// Counts the moments of speech that were looked at; a picture of the speech is as new as this.
  private(set) var heardMoments = 0

  /// Called once when the session has ended; the avatar is `.stopped` with this error.
  @ObservationIgnored public var onSessionEnded: (@MainActor (YoobError) -> Void)?
  /// Called when an outage begins, with what happened.
  @ObservationIgnored public var onHeartbeatDegraded: (@MainActor (String) -> Void)?
  /// Called when an outage is over.
  @ObservationIgnored public var onHeartbeatRecovered: (@MainActor () -> Void)?
  /// Seconds that an outage may last before the session ends, 0...1800; counts from the next session on.
  @ObservationIgnored public var heartbeatOutageGraceSeconds: Int {
    didSet { heartbeatOutageGraceSeconds = min(1800, max(0, heartbeatOutageGraceSeconds)) }
  }

  /// The microphone of this avatar, which does not hear the avatar's own voice.
  @ObservationIgnored public let microphone: YoobMicrophone

  @ObservationIgnored let devices: AvatarDevices
  @ObservationIgnored private var soundFault: String?
  /// Called when the avatar is closed, or its session has ended.
  @ObservationIgnored var endings: [Int: @MainActor () -> Void] = [:]
  @ObservationIgnored var lastEnding = 0
  @ObservationIgnored var keeper: SessionKeeper?
  /// Whether the app was told of an outage, and not yet of its end.
  @ObservationIgnored var toldDegraded = false
  @ObservationIgnored let source: YoobSource
  @ObservationIgnored let version: String?
  @ObservationIgnored let clock: any PacingClock
  @ObservationIgnored nonisolated let voice: AvatarVoice
  @ObservationIgnored let visemeReaders = Broadcast<YoobViseme>()
  @ObservationIgnored let captionReaders = Broadcast<YoobCaption>()
  @ObservationIgnored private let watch: PlaybackWatch
  @ObservationIgnored var loaded: LoadedCharacter?
  @ObservationIgnored var preparing: Task<Result<LoadedCharacter, YoobError>, Never>?
  /// Counts preparations and closes; what was begun before the last one is void.
  @ObservationIgnored var opening = 0
  @ObservationIgnored var streams: [FrameStream] = []
  @ObservationIgnored var feeling: Task<Void, Never>?
  @ObservationIgnored var emotionIntensity: Float = 1
  @ObservationIgnored private var lastWords: FaceSink.Words?
  @ObservationIgnored let pictures = AvatarPictures()

  /// An avatar of the character; nothing is loaded yet. With `version` no other one is shown. An outage of the
  /// session's service may last `heartbeatOutageGraceSeconds`, 0...1800.
  public convenience init(
    _ source: YoobSource, version: String? = nil, heartbeatOutageGraceSeconds: Int = 600
  ) {
    self.init(
      source, version: version, heartbeatOutageGraceSeconds: heartbeatOutageGraceSeconds, devices: .own())
  }

  package init(
    _ source: YoobSource, version: String? = nil, heartbeatOutageGraceSeconds: Int = 600,
    devices: AvatarDevices
  ) {
    self.source = source
    self.version = version
    self.heartbeatOutageGraceSeconds = min(1800, max(0, heartbeatOutageGraceSeconds))
    self.devices = devices
    microphone = YoobMicrophone(devices)
    clock = devices.clock
    let link = Relay<Change>()
    voice = AvatarVoice(devices, onBegin: { link.send(.began) }, onChange: { link.send(.changed) })
    watch = PlaybackWatch(clock: devices.clock) { link.send(.heard) }
    link.set { [weak self] change in Task { @MainActor in self?.take(change) } }
  }

  /// What the parts tell from their threads.
  private enum Change: Sendable { case began, changed, heard }

  /// The character's name for files and addresses, such as "luna-anime"; nil while it is not known.
  public var character: String? { manifest?.character }

  /// Width of the character by its height.
  public var aspectRatio: Double {
    manifest.map { Double($0.width) / Double(max(1, $0.height)) } ?? 9.0 / 16
  }

  /// The longest time that a voice is held back until the face can speak, 1.8 s by default.
  public var maxSyncDelay: Duration = .seconds(1.8) {
    didSet { voice.pump.maxSyncDelay = maxSyncDelay.seconds }
  }

  // MARK: Frames

  /// Frames of the character at a steady rate, for one reader; one that is late gets the newest. They end
  /// with `close()`.
  ///
  /// - Parameters:
  ///   - width: Columns, 1...4096.
  ///   - height: Rows, 1...4096.
  ///   - rate: Frames a second, 1...240.
  ///   - isSquareCrop: Head and shoulders instead of the whole canvas.
  ///   - isTransparent: Without the character's own background.
  ///
  /// Throws `YoobError.renderer` while no character is loaded, and for sizes that cannot be drawn.
  public func frames(
    width: Int, height: Int, rate: Double = 30, isSquareCrop: Bool = false, isTransparent: Bool = false
  ) throws -> AsyncStream<YoobFrame> {
    try stream(
      frameSource(width: width, height: height, isSquareCrop: isSquareCrop, isTransparent: isTransparent),
      rate: rate)
  }

  /// Frames of a source at a steady rate; they count as shown.
  func stream(_ source: FrameSource, rate: Double) throws -> AsyncStream<YoobFrame> {
    guard rate.isFinite, (1...240).contains(rate) else {
      throw YoobError.renderer("\(rate) frames a second are not between 1 and 240")
    }
    let voice = voice
    let (stream, frames) = FrameStream.make(
      rate: rate, clock: clock, draw: { source.frame(at: $0, playhead: voice.facePlayhead) },
      onFrames: { [weak self] shown, skipped in
        Task { @MainActor in self?.noteFrames(shown: shown, skipped: skipped) }
      })
    streams.removeAll { !$0.isRunning }
    streams.append(stream)
    stream.start()
    return frames
  }

  /// A view or a stream has shown frames, and left others out.
  func noteFrames(shown: Int, skipped: Int) {
    stats.framesShown += shown
    stats.framesSkipped += skipped
  }

  func frameSource(
    width: Int, height: Int, isSquareCrop: Bool, isTransparent: Bool
  ) throws(YoobError) -> FrameSource {
    guard let character = loaded else { throw .renderer("no character is loaded; call prepare() first") }
    return try FrameSource(
      character, width: width, height: height, isSquareCrop: isSquareCrop, isTransparent: isTransparent)
  }

  // MARK: Behaviour

  /// Changes the feeling, smoothly.
  ///
  /// - Parameters:
  ///   - emotion: What the face shows.
  ///   - intensity: 0...1.
  ///   - duration: Seconds until the face is neutral again; nil keeps the feeling.
  public func setEmotion(_ emotion: FaceEmotion, intensity: Float = 1, duration: Double? = nil) {
    self.emotion = emotion
    emotionIntensity = intensity
    feeling?.cancel()
    feeling = nil
    loaded?.face.change { $0.setEmotion(emotion, intensity: intensity) }
    guard let duration, duration.isFinite else { return }
    let clock = clock
    feeling = Task { [weak self] in
      await clock.sleep(for: max(0, duration))
      if !Task.isCancelled { self?.setEmotion(.neutral) }
    }
  }

  /// Where the eyes go.
  public var gaze: FaceGaze = .automatic {
    didSet { loaded?.face.change { [gaze] in $0.gaze = gaze } }
  }

  /// Less movement, for people who ask for it: the head hardly drifts; blinks, breath and lips stay. A view
  /// sets it from the system's Reduce Motion.
  public var reducesMotion = false {
    didSet { loaded?.face.change { [reducesMotion] in $0.calm = reducesMotion } }
  }

  /// Whether head and brows mark what the voice stresses; without it only the lips follow it.
  public var movesWithSpeech = true {
    didSet { loaded?.face.change { [movesWithSpeech] in $0.movesWithSpeech = movesWithSpeech } }
  }

  /// What the character does while no voice sounds, as a conversation tells it.
  public var attention: FaceState = .idle {
    didSet { loaded?.face.change { [attention] in $0.state = attention } }
  }

  /// Makes a gesture; returns when it has ended, at once while no face is there.
  public func perform(_ gesture: FaceGesture) async {
    guard let character = loaded else { return }
    character.face.change { $0.perform(gesture) }
    await clock.sleep(for: gesture.duration)
  }

  // MARK: What is heard

  /// An utterance began to be heard.
  func noteUtterance() { stats.utterances += 1 }

  /// Phase and level follow what is said.
  func speechChanged() {
    let isBusy = voice.isBusy
    let fault = devices.outputFault()
    if fault != soundFault {
      soundFault = fault
      lastRendererError = fault
    }
    switch phase {
    case .ready where isBusy: phase = .speaking
    case .speaking where !isBusy: phase = .ready
    default: break
    }
    watch.run(isBusy)
    guard !isBusy else { return }
    voiceLevel = 0
    if let words = lastWords { tell(words, isFinal: true) }
    lastWords = nil
  }

  private func take(_ change: Change) {
    switch change {
    case .began:
      noteUtterance()
      speechChanged()
    case .changed: speechChanged()
    case .heard: listen()
    }
  }

  private func listen() {
    voice.endForgotten()
    guard voice.isBusy else { return }
    let moment = voice.moment
    if voiceLevel != moment.level { voiceLevel = moment.level }
    heardMoments &+= 1
    if visemeReaders.hasReaders, let viseme = voice.viseme { visemeReaders.send(viseme) }
    guard let words = moment.words, words != lastWords else { return }
    if let before = lastWords, before.utterance != words.utterance { tell(before, isFinal: true) }
    lastWords = words
    if !words.words.isEmpty { tell(words, isFinal: false) }
  }

  private func tell(_ words: FaceSink.Words, isFinal: Bool) {
    captionReaders.send(
      YoobCaption(
        role: .assistant, text: words.words.map(\.text).joined(separator: " "), words: words.words,
        isFinal: isFinal))
  }
}

extension Duration {
  /// Seconds, with their fraction.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
