#if canImport(Metal)
  import Metal

  /// The compiled shaders of a face, with every way to blend.
  struct MetalFacePipelines {
    /// Samples of a pixel, which smooth the edges of meshes.
    static let samples = 4

    /// By blend mode: normal, multiply, add.
    private let plain: [any MTLRenderPipelineState]
    private let clipped: [any MTLRenderPipelineState]
    /// By channel.
    private let masks: [any MTLRenderPipelineState]

    /// Throws what Metal says of the shaders.
    init(_ device: any MTLDevice, format: MTLPixelFormat) throws {
      let library = try device.makeLibrary(source: MetalFaceShaders.source, options: nil)
      func pipeline(
        _ name: String, format: MTLPixelFormat, samples: Int,
        _ change: (MTLRenderPipelineColorAttachmentDescriptor) -> Void
      ) throws -> any MTLRenderPipelineState {
        let descriptor = MTLRenderPipelineDescriptor()
        descriptor.vertexFunction = library.makeFunction(name: MetalFaceShaders.place)
        descriptor.fragmentFunction = library.makeFunction(name: name)
        descriptor.rasterSampleCount = samples
        if let target = descriptor.colorAttachments[0] {
          target.pixelFormat = format
          change(target)
        }
        return try device.makeRenderPipelineState(descriptor: descriptor)
      }
      func blended(_ name: String) throws -> [any MTLRenderPipelineState] {
        try (0..<3).map { mode in
          try pipeline(name, format: format, samples: Self.samples) { Self.blend($0, mode) }
        }
      }
      plain = try blended(MetalFaceShaders.plain)
      clipped = try blended(MetalFaceShaders.clipped)
      let channels: [MTLColorWriteMask] = [.red, .green, .blue, .alpha]
      masks = try channels.map { channel in
        try pipeline(MetalFaceShaders.mask, format: .rgba8Unorm, samples: 1) { $0.writeMask = channel }
      }
    }

    /// How a picture is drawn; `channel` is the mask that cuts it, or 0.
    func picture(blend: UInt32, channel: UInt32) -> any MTLRenderPipelineState {
      let mode = min(2, Int(blend))
      return channel > 0 ? clipped[mode] : plain[mode]
    }

    /// How a mask channel, 1...4, is written.
    func mask(_ channel: UInt32) -> any MTLRenderPipelineState { masks[min(4, max(1, Int(channel))) - 1] }

    private static func blend(_ target: MTLRenderPipelineColorAttachmentDescriptor, _ mode: Int) {
      target.isBlendingEnabled = true
      target.rgbBlendOperation = .add
      target.alphaBlendOperation = .add
      target.sourceRGBBlendFactor = mode == 1 ? .destinationColor : .one
      target.destinationRGBBlendFactor = mode == 2 ? .one : .oneMinusSourceAlpha
      // What is multiplied or added leaves the alpha below as it is.
      target.sourceAlphaBlendFactor = mode == 0 ? .one : .zero
      target.destinationAlphaBlendFactor = mode == 0 ? .oneMinusSourceAlpha : .one
    }
  }
#endif
