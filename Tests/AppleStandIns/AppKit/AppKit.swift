// What our code uses of AppKit, as Apple documents it.
@_exported import CoreGraphics
import Foundation
import QuartzCore

@MainActor open class NSView: NSObject {
  public init(frame frameRect: CGRect) {}
  public required init?(coder: NSCoder) { return nil }
  open var layer: CALayer?
  open func draw(_ dirtyRect: CGRect) {}
}
