// What our code uses of UIKit, as Apple documents it.
@_exported import CoreGraphics
import Foundation
import QuartzCore

public class UIColor: NSObject {
  public class var clear: UIColor { UIColor() }
}

@MainActor open class UIView: NSObject {
  public init(frame: CGRect) {}
  public required init?(coder: NSCoder) { return nil }
  open var isOpaque = true
  open var backgroundColor: UIColor?
  open var isUserInteractionEnabled = true
  open var layer: CALayer { CALayer() }
  open func draw(_ rect: CGRect) {}
}
