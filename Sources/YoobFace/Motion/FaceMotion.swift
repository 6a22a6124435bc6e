/// The life of a face: a deterministic, continuous function of time for one seed and one history of inputs.
///
/// It is computed in steps of 1/240 s on a fixed grid and interpolated between them, so that 30 and 60
/// frames a second show the same movement.
struct FaceMotion {
  /// Steps per second.
  static let rate = 240.0

  var state: FaceState = .idle
  var emotion: FaceEmotion = .neutral
  /// 0...1.
  var intensity: Float = 1
  /// Less movement, for people who ask for it; breath, blinks and lips stay.
  var calm = false
  var gaze: FaceGaze = .automatic

  private var sway: Sway
  private var blinks: Blinks
  private var glances: Glances
  private var beats: Beats
  private var value = MotionChannels(repeating: 0)
  private var velocity = MotionChannels(repeating: 0)
  private var lastState: FaceState = .idle
  private var thinkingSide: Float = 1
  private var gesture: FaceGesture?
  private var gestureStart = -1000.0
  private let rates = Channel.rates
  private let mouthShare = Expression.mouthShare

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    sway = Sway(&random)
    blinks = Blinks(seed: seed, at: 0)
    glances = Glances(seed: seed, at: 0)
    beats = Beats(seed: seed)
    value[Channel.liveliness] = 1
  }

  /// Begins a gesture at a time; it replaces one that is under way.
  mutating func perform(_ gesture: FaceGesture, at time: Double) {
    self.gesture = gesture
    gestureStart = time
  }

  /// Starts a new stretch of time without a transition.
  mutating func restart(at time: Double, speaking: Bool) {
    blinks.restart(at: time)
    glances.restart(at: time)
    beats.restart(at: time)
    value = target(time, shown(speaking), speaking, SIMD2(0, 0))
    velocity = MotionChannels(repeating: 0)
  }

  /// Advances by one step to `time` and returns all channels, sway and nods included.
  mutating func step(
    to time: Double, speaking: Bool, stress: Float, beat: ProsodyBeat? = nil
  ) -> MotionChannels {
    let state = shown(speaking)
    if state != lastState {
      lastState = state
      glances.wake(at: time)
      thinkingSide = -thinkingSide
    }
    var jumped = false
    let look = glances.look(at: time, state: state, calm: calm, jumped: &jumped)
    if jumped { blinks.request(at: time) }
    blinks.advance(to: time)
    beats.advance(to: time, state: state, stress: stress, beat: beat, calm: calm)

    let h = Float(1 / Self.rate)
    let goal = target(time, state, speaking, look)
    velocity += (rates * rates * (goal - value) - 2 * rates * velocity) * h
    value += velocity * h
    return output(time)
  }

  /// How far the lids are shut by blinking, 0...1, left and right.
  func blink(at time: Double) -> SIMD2<Float> {
    let both = blinks.value(at: time)
    guard let gesture, gesture == .wink else { return SIMD2(both, both) }
    let t = Float(time - gestureStart)
    let length = Float(gesture.duration)
    guard t > 0, t < length else { return SIMD2(both, both) }
    let wink = FaceMath.smooth(min(t, length - t) / 0.1)
    return SIMD2(max(both, wink), both)
  }

  /// Breath at a time, -1...1.
  func breath(at time: Double) -> Float { sway.breath(at: time) }

  private func shown(_ speaking: Bool) -> FaceState { speaking ? .speaking : state }

  private func output(_ time: Double) -> MotionChannels {
    var out = value
    let wander = sway.head(at: time)
    let size = value[Channel.liveliness] * (1 + 0.6 * value[Channel.energy])
    out[Channel.yaw] += wander.x * 0.05 * size
    out[Channel.pitch] += wander.y * 0.028 * size
    out[Channel.roll] += wander.z * 0.03 * size
    out[Channel.shiftX] += wander.w * 5 * size
    out[Channel.pitch] -= beats.nod(at: time) * value[Channel.liveliness]
    out[Channel.browInnerUp] += beats.brow(at: time)
    out[Channel.browOuterUp] += beats.brow(at: time) * 0.8
    if let gesture { add(gesture, time, &out) }
    return out
  }

  private func add(_ gesture: FaceGesture, _ time: Double, _ out: inout MotionChannels) {
    let x = Float((time - gestureStart) / gesture.duration)
    guard x > 0, x < 1 else { return }
    // A calm head makes its gestures smaller.
    let envelope = Beats.bump(x) * (0.2 + 0.8 * value[Channel.liveliness])
    switch gesture {
    case .nod: out[Channel.pitch] -= 0.13 * envelope * (0.6 - 0.4 * FaceMath.sin(turns: Double(x) * 2 + 0.25))
    case .shake: out[Channel.yaw] += 0.17 * envelope * FaceMath.sin(turns: Double(x) * 2.5)
    case .tilt: out[Channel.roll] += 0.13 * envelope
    case .wink: out[Channel.roll] += 0.03 * envelope
    }
  }

  private func target(
    _ time: Double, _ state: FaceState, _ speaking: Bool, _ look: SIMD2<Float>
  ) -> MotionChannels {
    var goal = Expression.target(emotion) * intensity
    switch state {
    case .idle: break
    case .listening:
      goal[Channel.roll] += 0.05
      goal[Channel.pitch] -= 0.012
      goal[Channel.shiftY] += 3
      goal[Channel.browInnerUp] += 0.12
      goal[Channel.eyeWide] += 0.06
    case .thinking:
      goal[Channel.yaw] += 0.09 * thinkingSide
      goal[Channel.pitch] += 0.05
      goal[Channel.roll] += 0.035 * thinkingSide
      goal[Channel.browInnerUp] += 0.2
      goal[Channel.press] += 0.12
      goal[Channel.pucker] += 0.08
    case .speaking: goal[Channel.energy] = 1
    }
    if speaking {
      goal *= mouthShare
      goal[Channel.speaking] = 1
    }
    goal[Channel.liveliness] = calm ? 0.12 : 1
    let eyes = eyes(look, state)
    goal[Channel.gazeX] = eyes.x
    goal[Channel.gazeY] = eyes.y
    // The head goes a part of the way with the eyes.
    let part: Float = calm ? 0.3 : 1
    goal[Channel.yaw] += eyes.x * 0.1 * part
    goal[Channel.pitch] += eyes.y * 0.05 * part
    return goal
  }

  private func eyes(_ look: SIMD2<Float>, _ state: FaceState) -> SIMD2<Float> {
    switch gaze {
    case .automatic: look
    case .viewer: (look - glances.target)
    case .away: SIMD2(0.55, -0.1) + (look - glances.target)
    case .point(let x, let y): SIMD2(FaceMath.clamp(x, 1), FaceMath.clamp(y, 1))
    }
  }
}
