import YoobFace

/// All that a face can do, as pictures: visemes, emotions, states, gestures and turns of the head.
///
/// Every picture comes from the engine and the renderer of films; one face gives the same sheet always.
public struct CharacterSheet: Sendable {
  /// One picture.
  struct Shot: Sendable {
    let label: String
    /// Whether only the face is shown.
    var isClose = false
    /// Brings the face there, from a time on its clock that it has not seen.
    let pose: @Sendable (FaceEngine, Double) -> Void
  }

  static let rows: [[Shot]] =
    [
      Viseme.allCases.prefix(8).map(viseme), Viseme.allCases.dropFirst(8).map(viseme),
      FaceEmotion.allCases.map { emotion($0) }, FaceEmotion.allCases.map { emotion($0, speaking: .aa) },
      FaceEmotion.allCases.map { emotion($0, speaking: .PP) },
      [
        Shot(label: "is listening") { hold($0, from: $1, state: .listening) },
        Shot(label: "is thinking") { hold($0, from: $1, state: .thinking) },
        Shot(label: "is speaking") { hold($0, from: $1, state: .speaking, viseme: .E) },
        Shot(label: "blink", pose: blink),
      ] + FaceGesture.allCases.map(gesture),
      [-20, -10, 10, 20].map { turn("yaw", $0) } + [-15, 15].map { turn("pitch", $0) }
        + [-10, 10].map { turn("roll", $0) },
    ]

  /// What the pictures of a sheet show, row by row.
  public static var labels: [[String]] { rows.map { $0.map(\.label) } }

  /// Draws the sheet of a face, in pictures of `side` x `side` pixels; `progress` gets 0...1.
  public static func draw(
    _ face: FaceEngine, atlas: PixelImage, side: Int, progress: (Double) -> Void = { _ in }
  ) throws -> ContactSheet {
    let wide = try FrameRenderer(
      puppet: face.puppet, atlas: atlas, width: side, height: side, framing: .headAndShoulders,
      background: .own)
    let close = try FrameRenderer(
      puppet: face.puppet, atlas: atlas, width: side, height: side, framing: .face, background: .own)
    var sheet = ContactSheet(labels: labels, side: side)
    let count = rows.reduce(0) { $0 + $1.count }
    var number = 0
    for (row, shots) in rows.enumerated() {
      for (column, shot) in shots.enumerated() {
        number += 1
        shot.pose(face, Double(number) * 100)
        sheet.place((shot.isClose ? close : wide).render(face), row: row, column: column)
        progress(Double(number) / Double(count))
      }
    }
    return sheet
  }

  private static func viseme(_ viseme: Viseme) -> Shot {
    Shot(label: "\(viseme.name)", isClose: true) { hold($0, from: $1, state: .speaking, viseme: viseme) }
  }

  private static func emotion(_ emotion: FaceEmotion, speaking viseme: Viseme? = nil) -> Shot {
    let label = viseme.map { "\(emotion), saying \($0.name)" } ?? "\(emotion)"
    return Shot(label: label, isClose: true) { face, start in
      hold(face, from: start, emotion: emotion, viseme: viseme)
    }
  }

  private static func gesture(_ gesture: FaceGesture) -> Shot {
    Shot(label: "\(gesture)") { face, start in
      // The first time finds the moment of the largest movement, the second stops there.
      var largest: Float = 0
      var moment = 0
      let frames = Int(gesture.duration * 60)
      begin(gesture, face, start)
      let rest = face.pose
      for frame in 1...frames {
        face.advance(to: start + Double(frame) / 60, playhead: nil)
        let head = face.pose.head
        let wink = face.pose.morphs[.eyeBlinkLeft] - face.pose.morphs[.eyeBlinkRight]
        let size =
          abs(head.yaw - rest.head.yaw) + abs(head.pitch - rest.head.pitch)
          + abs(head.roll - rest.head.roll) + abs(wink)
        if size > largest { (largest, moment) = (size, frame) }
      }
      begin(gesture, face, start + 50)
      for frame in 0..<moment { face.advance(to: start + 50 + Double(frame + 1) / 60, playhead: nil) }
    }
  }

  private static func begin(_ gesture: FaceGesture, _ face: FaceEngine, _ start: Double) {
    quiet(face, .idle, .neutral)
    // A calm face makes small gestures.
    face.calm = false
    face.advance(to: start, playhead: nil)
    face.perform(gesture)
  }

  private static func turn(_ name: String, _ degrees: Float) -> Shot {
    Shot(label: "\(name) \(degrees > 0 ? "+" : "−")\(Int(abs(degrees)))°") { face, _ in
      let angle = degrees * .pi / 180
      var pose = Pose()
      switch name {
      case "yaw": pose.head.yaw = angle
      case "pitch": pose.head.pitch = angle
      default: pose.head.roll = angle
      }
      // The eyes stay with the viewer, as they do in `FaceEngine`: half a radian is all they can do.
      for (look, weight) in [
        (Morph.eyeLookInLeft, 2 * pose.head.yaw), (.eyeLookOutRight, 2 * pose.head.yaw),
        (.eyeLookOutLeft, -2 * pose.head.yaw), (.eyeLookInRight, -2 * pose.head.yaw),
        (.eyeLookUpLeft, -2 * pose.head.pitch), (.eyeLookUpRight, -2 * pose.head.pitch),
        (.eyeLookDownLeft, 2 * pose.head.pitch), (.eyeLookDownRight, 2 * pose.head.pitch),
      ] { pose.morphs[look] = max(0, weight) }
      face.show(pose)
    }
  }

  private static func quiet(_ face: FaceEngine, _ state: FaceState, _ emotion: FaceEmotion) {
    face.calm = true
    face.state = state
    face.setEmotion(emotion)
    face.gaze = state == .thinking ? .automatic : .viewer
  }

  /// Plays until everything has come to rest and no blink has begun yet.
  private static func hold(
    _ face: FaceEngine, from start: Double, state: FaceState = .idle, emotion: FaceEmotion = .neutral,
    viseme: Viseme? = nil
  ) {
    quiet(face, state, emotion)
    face.advance(to: start, playhead: nil)
    face.beginUtterance()
    if let viseme {
      let frames = (0..<200 * 15).map { $0 % 15 == viseme.rawValue ? Float(1) : 0 }
      frames.withUnsafeBufferPointer { face.appendVisemes($0, startFrame: 0) }
    }
    for frame in 1...45 {
      let seconds = Double(frame) / 60
      face.advance(to: start + seconds, playhead: viseme == nil ? nil : seconds)
    }
  }

  /// Plays to the first moment at which the lids are shut.
  private static let blink: @Sendable (FaceEngine, Double) -> Void = { face, start in
    quiet(face, .idle, .neutral)
    for step in 0..<1200 {
      face.advance(to: start + Double(step) / 120, playhead: nil)
      if face.pose.morphs[.eyeBlinkLeft] > 0.999 { return }
    }
  }
}
