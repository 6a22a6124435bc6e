import Foundation

public enum MTLPixelFormat: UInt, Sendable {
  case invalid = 0
  case rgba8Unorm = 70
  case bgra8Unorm = 80
}

public struct MTLResourceOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let storageModeShared = MTLResourceOptions([])
}

public enum MTLStorageMode: UInt, Sendable { case shared, managed, `private`, memoryless }
public enum MTLTextureType: UInt, Sendable {
  case type2D = 2
  case type2DMultisample = 4
}
public struct MTLTextureUsage: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let shaderRead = MTLTextureUsage(rawValue: 1)
  public static let renderTarget = MTLTextureUsage(rawValue: 4)
}

public class MTLTextureDescriptor: NSObject {
  public class func texture2DDescriptor(
    pixelFormat: MTLPixelFormat, width: Int, height: Int, mipmapped: Bool
  ) -> MTLTextureDescriptor { MTLTextureDescriptor() }
  public var textureType = MTLTextureType.type2D
  public var mipmapLevelCount = 1
  public var sampleCount = 1
  public var storageMode = MTLStorageMode.shared
  public var usage = MTLTextureUsage.shaderRead
}

public struct MTLRegion: Sendable {}
public func MTLRegionMake2D(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> MTLRegion { MTLRegion() }

public enum MTLSamplerMinMagFilter: UInt, Sendable { case nearest, linear }
public enum MTLSamplerMipFilter: UInt, Sendable { case notMipmapped, nearest, linear }
public class MTLSamplerDescriptor: NSObject {
  public var minFilter = MTLSamplerMinMagFilter.nearest
  public var magFilter = MTLSamplerMinMagFilter.nearest
  public var mipFilter = MTLSamplerMipFilter.notMipmapped
}

public enum MTLBlendFactor: UInt, Sendable {
  case zero, one, sourceColor, oneMinusSourceColor, sourceAlpha, oneMinusSourceAlpha, destinationColor,
    oneMinusDestinationColor, destinationAlpha, oneMinusDestinationAlpha
}
public enum MTLBlendOperation: UInt, Sendable { case add, subtract, reverseSubtract, min, max }
public struct MTLColorWriteMask: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let red = MTLColorWriteMask(rawValue: 8)
  public static let green = MTLColorWriteMask(rawValue: 4)
  public static let blue = MTLColorWriteMask(rawValue: 2)
  public static let alpha = MTLColorWriteMask(rawValue: 1)
}
public class MTLRenderPipelineColorAttachmentDescriptor: NSObject {
  public var pixelFormat = MTLPixelFormat.invalid
  public var isBlendingEnabled = false
  public var sourceRGBBlendFactor = MTLBlendFactor.one
  public var destinationRGBBlendFactor = MTLBlendFactor.zero
  public var rgbBlendOperation = MTLBlendOperation.add
  public var sourceAlphaBlendFactor = MTLBlendFactor.one
  public var destinationAlphaBlendFactor = MTLBlendFactor.zero
  public var alphaBlendOperation = MTLBlendOperation.add
  public var writeMask = MTLColorWriteMask([.red, .green, .blue, .alpha])
}
public class MTLRenderPipelineColorAttachmentDescriptorArray: NSObject {
  /// Apple's is implicitly unwrapped.
  public subscript(attachmentIndex: Int) -> MTLRenderPipelineColorAttachmentDescriptor? {
    get { nil }
    set {}
  }
}
public class MTLRenderPipelineDescriptor: NSObject {
  public var vertexFunction: (any MTLFunction)?
  public var fragmentFunction: (any MTLFunction)?
  public var rasterSampleCount = 1
  public var colorAttachments: MTLRenderPipelineColorAttachmentDescriptorArray { .init() }
}

public struct MTLClearColor: Sendable {
  public init(red: Double, green: Double, blue: Double, alpha: Double) {}
}
public enum MTLLoadAction: UInt, Sendable { case dontCare, load, clear }
public enum MTLStoreAction: UInt, Sendable {
  case dontCare, store, multisampleResolve, storeAndMultisampleResolve
}
public class MTLRenderPassColorAttachmentDescriptor: NSObject {
  public var texture: (any MTLTexture)?
  public var resolveTexture: (any MTLTexture)?
  public var loadAction = MTLLoadAction.dontCare
  public var storeAction = MTLStoreAction.dontCare
  public var clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 1)
}
public class MTLRenderPassColorAttachmentDescriptorArray: NSObject {
  /// Apple's is implicitly unwrapped.
  public subscript(attachmentIndex: Int) -> MTLRenderPassColorAttachmentDescriptor? {
    get { nil }
    set {}
  }
}
public class MTLRenderPassDescriptor: NSObject {
  public var colorAttachments: MTLRenderPassColorAttachmentDescriptorArray { .init() }
}
