// What our code uses of MetalKit, as Apple documents it.
import CoreGraphics
import Foundation
import Metal
@_exported import QuartzCore

#if canImport(UIKit)
  import UIKit
  public typealias MTKViewParent = UIView
#else
  import AppKit
  public typealias MTKViewParent = NSView
#endif

@MainActor open class MTKView: MTKViewParent {
  public init(frame frameRect: CGRect, device: (any MTLDevice)?) { super.init(frame: frameRect) }
  public required init(coder: NSCoder) { super.init(frame: .zero) }
  open var device: (any MTLDevice)?
  open var currentDrawable: (any CAMetalDrawable)? { nil }
  open var framebufferOnly = true
  open var clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 1)
  open var colorPixelFormat = MTLPixelFormat.bgra8Unorm
  open var enableSetNeedsDisplay = false
  open var isPaused = false
  open var preferredFramesPerSecond = 60
  #if !canImport(UIKit)
    open var colorspace: CGColorSpace?
  #endif
}
