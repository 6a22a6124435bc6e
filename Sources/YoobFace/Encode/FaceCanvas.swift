/// Size of a character's canvas and its square of head and shoulders, in canvas units.
public struct FaceCanvas: Sendable, Equatable {
  /// Canvas units from left to right, above 0.
  public var width: Double
  /// Canvas units from top to bottom, above 0.
  public var height: Double
  /// Left edge of the square, in canvas units.
  public var cropX: Double
  /// Top edge of the square, in canvas units.
  public var cropY: Double
  /// Length of a side of the square, in canvas units.
  public var cropSize: Double

  /// A canvas of these measures, in canvas units.
  public init(width: Double, height: Double, cropX: Double, cropY: Double, cropSize: Double) {
    self.width = width
    self.height = height
    self.cropX = cropX
    self.cropY = cropY
    self.cropSize = cropSize
  }

  /// The canvas of a puppet.
  public init(_ puppet: Puppet) {
    self.init(
      width: Double(puppet.canvasWidth), height: Double(puppet.canvasHeight), cropX: Double(puppet.cropX),
      cropY: Double(puppet.cropY), cropSize: Double(puppet.cropSize))
  }

  /// Share of the square's width that the face itself needs.
  private static let faceShare = 0.55

  /// Where the character lies in a view of so many pixels. With `isSquareCrop` the square of head and shoulders
  /// stands for the whole canvas.
  public func layout(
    width viewWidth: Double, height viewHeight: Double, fit: FaceFit = .fill, isSquareCrop: Bool = false
  ) -> FaceLayout {
    let view = (width: max(1, viewWidth), height: max(1, viewHeight))
    let box =
      isSquareCrop
      ? (x: cropX, y: cropY, width: cropSize, height: cropSize)
      : (x: 0.0, y: 0.0, width: width, height: height)
    let ratios = (view.width / box.width, view.height / box.height)
    let smallest = min(ratios.0, ratios.1)
    if fit == .fit {
      let figure = place(view, smallest, box.x + box.width / 2, box.y + box.height / 2)
      return FaceLayout(figure: figure, scene: figure)
    }
    let largest = min(view.height, view.width / Self.faceShare) / cropSize
    let scale = min(max(ratios.0, ratios.1), max(largest, smallest))
    let covering = max(view.width / width, view.height / height)
    let focus = (x: cropX + cropSize / 2, y: cropY + cropSize / 2)
    return FaceLayout(
      figure: place(view, scale, focus.x, focus.y),
      scene: place(view, max(scale, covering), focus.x, focus.y))
  }

  /// Centres a point in the view, moved so that the canvas covers the view where it can.
  private func place(
    _ view: (width: Double, height: Double), _ scale: Double, _ x: Double, _ y: Double
  ) -> FacePlacement {
    func along(_ viewSize: Double, _ size: Double, _ middle: Double) -> Double {
      let free = viewSize - size * scale
      let wanted = viewSize / 2 - middle * scale
      return free >= 0 ? min(free, max(0, wanted)) : max(free, min(0, wanted))
    }
    return FacePlacement(x: along(view.width, width, x), y: along(view.height, height, y), scale: scale)
  }
}
