/// Where canvas unit (0, 0) lies in a view, and how large a unit is there.
public struct FacePlacement: Sendable, Equatable {
  /// Pixels from the left edge of the view.
  public var x: Double
  /// Pixels from the top edge of the view.
  public var y: Double
  /// Pixels to a canvas unit.
  public var scale: Double

  /// A place in pixels of the view, and pixels to a canvas unit.
  public init(x: Double, y: Double, scale: Double) {
    self.x = x
    self.y = y
    self.scale = scale
  }
}

/// Where a character and the scene behind it are drawn.
public struct FaceLayout: Sendable, Equatable {
  /// Where the character is drawn.
  public var figure: FacePlacement
  /// Where the scene behind it is drawn.
  public var scene: FacePlacement
  /// How much of the scene is drawn, 0...1.
  public var sceneOpacity: Float

  /// A layout of two places; `sceneOpacity` is 0...1.
  public init(figure: FacePlacement, scene: FacePlacement, sceneOpacity: Float = 1) {
    self.figure = figure
    self.scene = scene
    self.sceneOpacity = sceneOpacity
  }
}

/// How a character is fitted into a view of another shape.
public enum FaceFit: String, Sendable, CaseIterable {
  /// The view is filled, but head and shoulders are never cut: in a wide view the scene alone grows to the
  /// edges.
  case fill
  /// All of the canvas is seen.
  case fit
}
