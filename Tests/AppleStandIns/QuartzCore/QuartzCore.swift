// What our code uses of Core Animation, as Apple documents it.
import CoreGraphics
import Metal

@MainActor open class CALayer: NSObject {
  open var isOpaque = false
}

public protocol CAMetalDrawable: MTLDrawable {
  var texture: any MTLTexture { get }
}
