/// A living face: sound goes in, positions and a draw list come out, for any time and frame rate.
///
/// One engine is one character. It is deterministic: the same seed and the same calls give the same
/// frames, on every platform. It has no clock; the caller says what time it is.
///
/// ```swift
/// let face = try FaceEngine(puppet: puppetBytes, mouth: mouthBytes, seed: 1)
/// face.beginUtterance()
/// samples.withUnsafeBufferPointer { face.appendAudio($0, sampleRate: 24_000) }
/// face.endUtterance()
/// face.advance(to: now, playhead: heardSeconds)
/// draw(face.positions, face.draws)
/// ```
public final class FaceEngine {
  /// The character.
  public let puppet: Puppet
  /// Pose of the last `advance`.
  public private(set) var pose = Pose()
  /// Distance of the inner lips in canvas units, 0 if the puppet has no lip landmarks.
  public private(set) var lipGap: Float = 0
  /// Distance of the corners of the mouth in canvas units, 0 without landmarks.
  public private(set) var lipWidth: Float = 0
  /// Loudness of the voice at the playhead, 0...1.
  public private(set) var voiceLevel: Float = 0

  private(set) var feed: SpeechFeed
  private(set) var motion: FaceMotion
  private var springs: Springs
  private var player = MouthPlayer()
  let deformer: Deformer
  let drawList: DrawList
  private let lips: LipLandmarks
  let visemeStore: UnsafeMutablePointer<Float>
  let uvStore: UnsafeMutablePointer<SIMD2<Float>>
  let indexStore: UnsafeMutablePointer<UInt16>
  private let deflections: UnsafeMutableBufferPointer<Float>
  private var before = MotionChannels(repeating: 0)
  private var after = MotionChannels(repeating: 0)
  private var tick = 0
  private var now = 0.0
  private var isStarted = false

  /// Longest stretch that is computed step by step; after a longer pause the face starts anew.
  private static let longestStretch = 1.0

  /// A face from the bytes of `puppet.bin` and `mouth.bin`.
  ///
  /// With no mouth bytes the lips follow known visemes only. Throws: `FaceError` with the reason.
  public init(puppet: [UInt8], mouth: [UInt8], seed: UInt64) throws(FaceError) {
    do { self.puppet = try PuppetDecoder.decode(puppet) } catch { throw .puppet(error) }
    do { feed = try SpeechFeed(mouth: mouth) } catch { throw .mouth(error) }
    motion = FaceMotion(seed: seed)
    springs = Springs(self.puppet, seed: seed)
    deformer = Deformer(self.puppet)
    drawList = DrawList(self.puppet)
    lips = LipLandmarks(self.puppet)
    visemeStore = .allocate(capacity: 15)
    visemeStore.initialize(repeating: 0, count: 15)
    visemeStore[0] = 1
    let count = max(1, self.puppet.vertices.count)
    uvStore = .allocate(capacity: count)
    uvStore.initialize(repeating: .zero, count: count)
    for (index, vertex) in self.puppet.vertices.enumerated() { uvStore[index] = SIMD2(vertex.u, vertex.v) }
    let indexCount = self.puppet.indices.count
    indexStore = .allocate(capacity: max(1, indexCount))
    for (index, vertex) in self.puppet.indices.enumerated() {
      (indexStore + index).initialize(to: vertex)
    }
    deflections = .allocate(capacity: self.puppet.springs.count)
    deflections.initialize(repeating: 0)
    drawList.update(morphWeights: deformer.morphWeights)
  }

  deinit {
    indexStore.deallocate()
    deflections.deallocate()
    visemeStore.deallocate()
    uvStore.deallocate()
  }

  // MARK: Sound

  /// Starts an utterance: playheads and frames count from zero again.
  public func beginUtterance() { feed.begin() }

  /// Takes the next samples of the utterance: mono, -1...1, at any rate in samples per second.
  public func appendAudio(_ samples: UnsafeBufferPointer<Float>, sampleRate: Int) {
    feed.append(samples, sampleRate: sampleRate)
  }

  /// Takes mouth shapes from known phones: 15 weights a frame of 10 ms in the order of `Viseme`, from
  /// frame `startFrame` of the utterance on. They win over what the network hears.
  public func appendVisemes(_ frames: UnsafeBufferPointer<Float>, startFrame: Int) {
    feed.append(visemes: frames, start: startFrame)
  }

  /// Takes the melody of the voice: two numbers a frame of 20 ms, from frame `startFrame` of the
  /// utterance on, whole clauses in each call.
  ///
  /// The first number is the fundamental frequency in Hz, 0 where unvoiced. The second is 1 in sounds
  /// that carry primary stress, 2 at the end of a question that is answered by yes or no, from its last
  /// stressed sound on, and else 0. Head and brows then mark the accents of the melody, for which they
  /// start ahead; without it they follow the loudness.
  public func appendProsody(_ frames: UnsafeBufferPointer<Float>, startFrame: Int) {
    feed.append(prosody: frames, start: startFrame)
  }

  /// The utterance has no more sound; what was appended still plays.
  public func endUtterance() { feed.end() }

  // MARK: Behaviour

  /// What the character does while no voice sounds.
  public var state: FaceState {
    get { motion.state }
    set { motion.state = newValue }
  }

  /// The feeling that colours the face.
  public var emotion: FaceEmotion { motion.emotion }

  /// How strong the feeling is, 0...1.
  public var emotionIntensity: Float { motion.intensity }

  /// Changes the feeling, smoothly; `intensity` is clamped to 0...1.
  public func setEmotion(_ emotion: FaceEmotion, intensity: Float = 1) {
    motion.emotion = emotion
    motion.intensity = intensity.isFinite ? FaceMath.unit(intensity) : 0
  }

  /// Less movement, for people who ask for it; breath, blinks and lips stay.
  public var calm: Bool {
    get { motion.calm }
    set { motion.calm = newValue }
  }

  /// Whether head and brows mark what the voice stresses; without it only the lips follow it.
  public var movesWithSpeech = true

  /// Where the eyes go.
  public var gaze: FaceGaze {
    get { motion.gaze }
    set { motion.gaze = newValue }
  }

  /// Makes a gesture from the time of the last `advance` on.
  public func perform(_ gesture: FaceGesture) { motion.perform(gesture, at: now) }

  // MARK: Time

  /// Computes the face at `time` in seconds on the caller's clock.
  ///
  /// `playhead` is how many seconds of the utterance were heard at that time; nil while no voice sounds.
  /// Times that go back by less than a second, or are not finite, count as the last time.
  public func advance(to time: Double, playhead: Double?) {
    let heard = playhead.flatMap { $0.isFinite && $0 >= 0 && $0 < 1e7 ? $0 : nil }
    let time = time.isFinite && abs(time) < 1e9 ? time : now
    if !isStarted || time > now + Self.longestStretch || time < now - Self.longestStretch {
      restart(at: time, heard)
    }
    now = max(now, time)
    move(heard)
    player.advance(to: now, playhead: heard, feed: feed)
    compose()
    listen(heard)
    deformer.apply(pose, deflections: UnsafeBufferPointer(deflections))
    drawList.update(morphWeights: deformer.morphWeights)
    lips.measure(deformer.positions, gap: &lipGap, width: &lipWidth)
    if let heard { feed.track.discard(before: Int(heard * MouthTrack.rate) - 100) }
  }

  /// Shows a pose as it is, its strands hanging still; the next `advance` leaves it again.
  package func show(_ pose: Pose) {
    springs.settle(pose.head)
    for _ in 0..<Int(2 / Springs.step) { springs.advance(to: pose.head, time: 0, wind: 0) }
    self.pose = pose
    springs.read(1, into: deflections)
    deformer.apply(pose, deflections: UnsafeBufferPointer(deflections))
    drawList.update(morphWeights: deformer.morphWeights)
    lips.measure(deformer.positions, gap: &lipGap, width: &lipWidth)
  }

  private func restart(at time: Double, _ heard: Double?) {
    isStarted = true
    now = time
    tick = Int(FaceMath.floor(time * FaceMotion.rate))
    let speaking = isSpeaking(heard)
    let start = Double(tick) / FaceMotion.rate
    motion.restart(at: start, speaking: speaking)
    after = motion.step(to: start, speaking: speaking, stress: 0)
    before = after
    springs.settle(headPose(after))
    player.restart(at: time)
  }

  private func move(_ heard: Double?) {
    let wanted = Int(FaceMath.floor(now * FaceMotion.rate)) + 1
    while tick < wanted {
      tick += 1
      let time = Double(tick) / FaceMotion.rate
      let here = heard.map { $0 + time - now }
      // Taken in any case, so that none is left when they count again.
      let beat = here.flatMap { feed.takeBeat(at: $0) }
      before = after
      after = motion.step(
        to: time, speaking: isSpeaking(here),
        stress: movesWithSpeech ? here.map { feed.stress(at: $0) } ?? 0 : 0,
        beat: movesWithSpeech ? beat : nil)
      springs.advance(
        to: headPose(after), time: time, wind: 0.3 + 0.7 * FaceMath.unit(after[Channel.liveliness]))
    }
  }

  private func isSpeaking(_ heard: Double?) -> Bool {
    guard let heard else { return false }
    return MouthPlayer.covers(feed, heard)
  }

  private func headPose(_ c: MotionChannels) -> HeadPose {
    var pose = Pose()
    FaceMotion.writeHead(c, to: &pose.head)
    return pose.head
  }

  private func compose() {
    let part = FaceMath.unit(Float(now * FaceMotion.rate - Double(tick - 1)))
    pose = Pose()
    FaceMotion.write(
      before + (after - before) * part, blink: motion.blink(at: now), breath: motion.breath(at: now),
      to: &pose)
    player.write(at: now, to: &pose)
    springs.read(part, into: deflections)
  }

  private func listen(_ heard: Double?) {
    voiceLevel = heard.map { feed.track.level(at: $0) } ?? 0
    var weights = SIMD16<Float>(repeating: 0)
    weights[0] = 1
    if let heard, MouthPlayer.covers(feed, heard) { weights = feed.track.visemes(at: heard) }
    for lane in 0..<15 { visemeStore[lane] = weights[lane] }
  }
}
