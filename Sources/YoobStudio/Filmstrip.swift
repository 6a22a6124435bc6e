import YoobFace

/// Frames of speech side by side, 80 ms from one to the next.
public enum Filmstrip {
  /// Seconds from one picture to the next.
  public static let step = 0.08
  /// Pictures in a row.
  public static let columns = 10
  /// Most pictures of a strip; the rest of a longer recording is left out.
  public static let most = 120

  /// What the pictures of a strip of `duration` seconds show: their times.
  public static func labels(duration: Double) -> [[String]] {
    let count = min(most, max(1, Int((duration / step).rounded(.up))))
    return ContactSheet.rows(of: (0..<count).map { hundredths($0 * 8) }, columns: columns)
  }

  /// Draws the strip of a timeline, in pictures of `side` x `side` pixels; `progress` gets 0...1.
  public static func draw(
    _ timeline: FaceTimeline, face: FaceEngine, atlas: PixelImage, side: Int,
    progress: (Double) -> Void = { _ in }
  ) throws -> ContactSheet {
    let renderer = try FrameRenderer(
      puppet: face.puppet, atlas: atlas, width: side, height: side, framing: .face, background: .own)
    let player = FacePlayer(engine: face, timeline: timeline)
    let labels = labels(duration: timeline.duration)
    var sheet = ContactSheet(labels: labels, side: side)
    let count = labels.reduce(0) { $0 + $1.count }
    for number in 0..<count {
      player.advance(to: Double(number) * step)
      sheet.place(renderer.render(face), row: number / columns, column: number % columns)
      progress(Double(number + 1) / Double(count))
    }
    return sheet
  }

  private static func hundredths(_ value: Int) -> String {
    "\(value / 100).\(value % 100 < 10 ? "0" : "")\(value % 100) s"
  }
}
