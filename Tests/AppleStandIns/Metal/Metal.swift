// What our code uses of Metal, as Apple documents it.
import Foundation

public func MTLCreateSystemDefaultDevice() -> (any MTLDevice)? { nil }

public protocol MTLDevice: NSObjectProtocol, Sendable {
  func makeCommandQueue() -> (any MTLCommandQueue)?
  func makeBuffer(length: Int, options: MTLResourceOptions) -> (any MTLBuffer)?
  func makeBuffer(bytes pointer: UnsafeRawPointer, length: Int, options: MTLResourceOptions)
    -> (any MTLBuffer)?
  func makeTexture(descriptor: MTLTextureDescriptor) -> (any MTLTexture)?
  func makeSamplerState(descriptor: MTLSamplerDescriptor) -> (any MTLSamplerState)?
  func makeLibrary(source: String, options: MTLCompileOptions?) throws -> any MTLLibrary
  func makeRenderPipelineState(descriptor: MTLRenderPipelineDescriptor) throws
    -> any MTLRenderPipelineState
}

public class MTLCompileOptions: NSObject {}
public protocol MTLLibrary: NSObjectProtocol, Sendable {
  func makeFunction(name functionName: String) -> (any MTLFunction)?
}
public protocol MTLFunction: NSObjectProtocol, Sendable {}
public protocol MTLRenderPipelineState: NSObjectProtocol, Sendable {}
public protocol MTLSamplerState: NSObjectProtocol, Sendable {}

public protocol MTLResource: NSObjectProtocol {}
public protocol MTLBuffer: MTLResource, Sendable {
  var length: Int { get }
  func contents() -> UnsafeMutableRawPointer
}
public protocol MTLTexture: MTLResource, Sendable {
  var width: Int { get }
  var height: Int { get }
  func replace(
    region: MTLRegion, mipmapLevel level: Int, withBytes pixelBytes: UnsafeRawPointer, bytesPerRow: Int)
}

public protocol MTLDrawable: NSObjectProtocol {
  func present()
}

public protocol MTLCommandQueue: NSObjectProtocol, Sendable {
  func makeCommandBuffer() -> (any MTLCommandBuffer)?
}
public typealias MTLCommandBufferHandler = @Sendable (any MTLCommandBuffer) -> Void
public enum MTLCommandBufferStatus: UInt, Sendable {
  case notEnqueued, enqueued, committed, scheduled, completed, error
}
public protocol MTLCommandBuffer: NSObjectProtocol {
  var status: MTLCommandBufferStatus { get }
  var error: (any Error)? { get }
  func makeRenderCommandEncoder(descriptor renderPassDescriptor: MTLRenderPassDescriptor)
    -> (any MTLRenderCommandEncoder)?
  func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler)
  func present(_ drawable: any MTLDrawable)
  func commit()
}

public enum MTLPrimitiveType: UInt, Sendable { case point, line, lineStrip, triangle, triangleStrip }
public enum MTLIndexType: UInt, Sendable { case uint16, uint32 }
public protocol MTLCommandEncoder: NSObjectProtocol {
  func endEncoding()
}
public protocol MTLRenderCommandEncoder: MTLCommandEncoder {
  func setRenderPipelineState(_ pipelineState: any MTLRenderPipelineState)
  func setVertexBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
  func setVertexBufferOffset(_ offset: Int, index: Int)
  func setFragmentBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
  func setFragmentBufferOffset(_ offset: Int, index: Int)
  func setFragmentTexture(_ texture: (any MTLTexture)?, index: Int)
  func setFragmentSamplerState(_ sampler: (any MTLSamplerState)?, index: Int)
  func drawIndexedPrimitives(
    type primitiveType: MTLPrimitiveType, indexCount: Int, indexType: MTLIndexType,
    indexBuffer: any MTLBuffer, indexBufferOffset: Int)
}
