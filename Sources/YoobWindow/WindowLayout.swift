/// Where a character's picture stands in a window, and which picture is asked for.
///
/// A window as tall as the character shows all of it. One that is squarer shows less of the lower part, one
/// that is slimmer less of the sides, down to what a face needs; above that the top row goes on. One that is
/// wider than tall shows head and shoulders, and the outermost columns go on to its edges.
struct WindowLayout: Equatable {
  /// Which part of the character a picture shows.
  enum Framing: Sendable, Equatable { case canvas, square }

  /// The picture that fills a window best.
  struct Demand: Sendable, Equatable {
    var framing: Framing
    /// Pixels, 1...4096.
    var width: Int
    var height: Int
  }

  /// A rectangle in pixels of the window, which may reach beyond it.
  struct Rectangle: Sendable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// The same place for a picture of so many pixels, pixel by pixel where it has that size but for a fraction.
    func fitted(to columns: Int, _ rows: Int) -> Rectangle {
      guard abs(width - Double(columns)) < 1, abs(height - Double(rows)) < 1 else { return self }
      return Rectangle(x: x.rounded(), y: y.rounded(), width: Double(columns), height: Double(rows))
    }
  }

  /// Pixels that one frame may have: larger windows show it enlarged. 720 x 1280.
  static let mostPixels = 921_600.0
  /// The share of the character's width that is always shown.
  static let leastWidth = 0.72
  /// The share of the missing height that is missing at the top: hair and sky, where the rest is dress.
  static let shareAbove = 0.2

  /// Pixels of the window.
  var width: Double
  var height: Double
  /// Width of the character by its height.
  var aspect: Double

  /// A window of so many pixels.
  init(width: Int, height: Int, aspect: Double) {
    self.width = Double(max(1, width))
    self.height = Double(max(1, height))
    self.aspect = aspect.isFinite && aspect > 0 ? aspect : 1
  }

  /// Which part of the character fits the window.
  var framing: Framing { width > height && aspect < 1 ? .square : .canvas }

  /// The picture to ask for.
  var demand: Demand {
    let place = place(framing)
    let scale = min(1, (Self.mostPixels / (place.width * place.height)).squareRoot())
    func side(_ pixels: Double) -> Int { min(4096, max(16, Int((pixels * scale).rounded()))) }
    return Demand(framing: framing, width: side(place.width), height: side(place.height))
  }

  /// Where a picture of that part stands.
  func place(_ framing: Framing) -> Rectangle {
    switch framing {
    case .square:
      let side = min(width, height)
      return Rectangle(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
    case .canvas: return placeCanvas()
    }
  }

  private func placeCanvas() -> Rectangle {
    let window = width / height
    if window > max(1, aspect) {  // the sides go on
      let shown = height * aspect
      return Rectangle(x: (width - shown) / 2, y: 0, width: shown, height: height)
    }
    if window >= aspect {  // the lower part is left out
      let shown = width / aspect
      return Rectangle(x: 0, y: (height - shown) * Self.shareAbove, width: width, height: shown)
    }
    // The sides are left out, and beyond that the top goes on.
    let shown = min(height * aspect, width / Self.leastWidth)
    let tall = shown / aspect
    return Rectangle(x: (width - shown) / 2, y: height - tall, width: shown, height: tall)
  }

  /// The largest size with the proportions of `wanted` that fits a desktop of `room`, with air around it.
  static func fit(_ wanted: (width: Int, height: Int), room: (width: Int, height: Int)) -> (
    width: Int, height: Int
  ) {
    let scale = min(
      1, 0.9 * Double(room.width) / Double(max(1, wanted.width)),
      0.9 * Double(room.height) / Double(max(1, wanted.height)))
    return (
      max(1, Int((Double(wanted.width) * scale).rounded())),
      max(1, Int((Double(wanted.height) * scale).rounded()))
    )
  }
}
