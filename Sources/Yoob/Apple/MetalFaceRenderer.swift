#if canImport(Metal)
  import Dispatch
  import Metal
  import VoiceIO
  import YoobFace

  /// The passes and draws of a frame.
  private final class PassList {
    let passes: UnsafeMutableBufferPointer<FacePass>
    let draws: UnsafeMutableBufferPointer<FaceDraw>

    init(_ encoder: FaceEncoder) {
      passes = .allocate(capacity: encoder.mostPasses)
      passes.initialize(repeating: FacePass())
      draws = .allocate(capacity: encoder.mostDraws)
      draws.initialize(repeating: FaceDraw())
    }

    deinit {
      passes.deallocate()
      draws.deallocate()
    }
  }

  /// Draws one character with Metal, a frame at a time, from the passes of `FaceEncoder`.
  @MainActor final class MetalFaceRenderer {
    /// Colours of what is drawn into.
    static let format = MTLPixelFormat.bgra8Unorm
    /// Frames that may be on their way to the screen.
    private static let framesAhead = 3
    /// Bytes between the numbers of two draws: the smallest offset that every device allows.
    private static let stride = 256

    /// The memory of one frame on its way.
    private struct Slot {
      let positions: any MTLBuffer
      let numbers: any MTLBuffer
    }

    let face: LiveFace
    private let queue: any MTLCommandQueue
    private let device: any MTLDevice
    private let pipelines: MetalFacePipelines
    private let sampler: any MTLSamplerState
    private let atlas: any MTLTexture
    private let uvs: any MTLBuffer
    private let indices: any MTLBuffer
    private let slots: [Slot]
    private let room = DispatchSemaphore(value: MetalFaceRenderer.framesAhead)
    private var turn = 0
    private var encoder: FaceEncoder
    private let canvas: FaceCanvas
    private let list: PassList
    private var masks: (any MTLTexture)?
    private var smooth: (any MTLTexture)?
    /// What a frame on the device ended with, when that was no success.
    private let failure = Guarded<String?>(nil)

    /// Throws `YoobError.renderer` when the device gives no memory or refuses the shaders.
    init(_ face: LiveFace, device: any MTLDevice) throws(YoobError) {
      self.face = face
      self.device = device
      let puppet = face.character.puppet
      canvas = FaceCanvas(puppet)
      let pyramid = AtlasPyramid(straight: face.character.atlas)
      let encoder = FaceEncoder(puppet, levels: pyramid.levels.count)
      self.encoder = encoder
      do { pipelines = try MetalFacePipelines(device, format: Self.format) } catch {
        throw .renderer("the graphics device refuses the shaders: \(error.localizedDescription)")
      }
      let places = puppet.vertices.map { SIMD2($0.u, $0.v) }
      let slots = (0..<Self.framesAhead).compactMap { _ -> Slot? in
        guard
          let positions = device.makeBuffer(
            length: max(1, puppet.vertices.count) * 8, options: .storageModeShared),
          let numbers = device.makeBuffer(
            length: encoder.mostDraws * Self.stride, options: .storageModeShared)
        else { return nil }
        return Slot(positions: positions, numbers: numbers)
      }
      guard let queue = device.makeCommandQueue(), slots.count == Self.framesAhead,
        let uvs = Self.buffer(device, places), let indices = Self.buffer(device, puppet.indices),
        let atlas = Self.texture(device, pyramid), let sampler = Self.sampler(device)
      else { throw .renderer("the graphics device has no memory left") }
      self.queue = queue
      self.slots = slots
      self.uvs = uvs
      self.indices = indices
      self.atlas = atlas
      self.sampler = sampler
      list = PassList(encoder)
    }

    /// Draws the face of this moment and shows it. Returns false when the frame is left out because the device is
    /// behind.
    ///
    /// Throws `YoobError.renderer` when the device has failed.
    func draw(
      into target: any MTLTexture, showing drawable: any MTLDrawable, fit: FaceFit
    ) throws(YoobError) -> Bool {
      if let reason = failure.withLock({ $0 }) { throw .renderer("the graphics device stopped: \(reason)") }
      guard room.wait(timeout: .now()) == .success else { return false }
      guard let commands = queue.makeCommandBuffer(), fitTargets(target) else {
        room.signal()
        throw .renderer("the graphics device has no memory left")
      }
      let slot = slots[turn]
      turn = (turn + 1) % Self.framesAhead
      let passCount = encode(slot, width: target.width, height: target.height, fit: fit)
      for index in 0..<passCount {
        let isLast = index == passCount - 1
        guard
          let pass = commands.makeRenderCommandEncoder(
            descriptor: descriptor(list.passes[index], target: target, isLast: isLast))
        else { continue }
        write(list.passes[index], slot, pass)
        pass.endEncoding()
      }
      let (room, failure) = (room, failure)
      // On a thread of the device's.
      commands.addCompletedHandler { @Sendable commands in
        if commands.status == .error {
          let reason = commands.error?.localizedDescription ?? "a frame was not drawn"
          failure.withLock { $0 = reason }
        }
        room.signal()
      }
      commands.present(drawable)
      commands.commit()
      return true
    }

    /// Writes positions and passes of this moment; returns the number of passes.
    private func encode(_ slot: Slot, width: Int, height: Int, fit: FaceFit) -> Int {
      let layout = canvas.layout(width: Double(width), height: Double(height), fit: fit)
      let buffers = FacePassBuffers(
        passes: list.passes, draws: list.draws,
        numbers: UnsafeMutableRawBufferPointer(start: slot.numbers.contents(), count: slot.numbers.length),
        stride: Self.stride)
      let positions = slot.positions
      var encoder = encoder
      defer { self.encoder = encoder }
      return face.read { engine in
        if let start = engine.positions.baseAddress {
          positions.contents().copyMemory(
            from: start, byteCount: min(positions.length, engine.positions.count * 8))
        }
        return encoder.encode(engine, layout: layout, width: width, height: height, into: buffers).passes
      }
    }

    private func descriptor(_ pass: FacePass, target: any MTLTexture, isLast: Bool) -> MTLRenderPassDescriptor
    {
      let descriptor = MTLRenderPassDescriptor()
      guard let colour = descriptor.colorAttachments[0] else { return descriptor }
      colour.loadAction = pass.clears ? .clear : .load
      colour.clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 0)
      switch pass.target {
      case .masks:
        colour.texture = masks
        colour.storeAction = .store
      case .pictures:
        colour.texture = smooth
        colour.resolveTexture = target
        // Later rounds draw over what the earlier ones left.
        colour.storeAction = isLast ? .multisampleResolve : .storeAndMultisampleResolve
      }
      return descriptor
    }

    private func write(_ pass: FacePass, _ slot: Slot, _ commands: any MTLRenderCommandEncoder) {
      commands.setVertexBuffer(slot.positions, offset: 0, index: 0)
      commands.setVertexBuffer(uvs, offset: 0, index: 1)
      commands.setVertexBuffer(slot.numbers, offset: 0, index: 2)
      commands.setFragmentBuffer(slot.numbers, offset: 0, index: 2)
      commands.setFragmentTexture(atlas, index: 0)
      commands.setFragmentSamplerState(sampler, index: 0)
      if pass.target == .pictures { commands.setFragmentTexture(masks, index: 1) }
      for index in pass.firstDraw..<(pass.firstDraw + pass.drawCount) {
        let draw = list.draws[index]
        commands.setRenderPipelineState(
          pass.target == .masks
            ? pipelines.mask(draw.channel) : pipelines.picture(blend: draw.blend, channel: draw.channel))
        commands.setVertexBufferOffset(index * Self.stride, index: 2)
        commands.setFragmentBufferOffset(index * Self.stride, index: 2)
        commands.drawIndexedPrimitives(
          type: .triangle, indexCount: Int(draw.indexCount), indexType: .uint16, indexBuffer: indices,
          indexBufferOffset: Int(draw.firstIndex) * 2)
      }
    }

    /// Masks and the smooth picture are as large as what is drawn into.
    private func fitTargets(_ target: any MTLTexture) -> Bool {
      if let masks, masks.width == target.width, masks.height == target.height { return smooth != nil }
      let mask = MTLTextureDescriptor.texture2DDescriptor(
        pixelFormat: .rgba8Unorm, width: target.width, height: target.height, mipmapped: false)
      mask.usage = [.renderTarget, .shaderRead]
      mask.storageMode = .private
      let picture = MTLTextureDescriptor.texture2DDescriptor(
        pixelFormat: Self.format, width: target.width, height: target.height, mipmapped: false)
      picture.textureType = .type2DMultisample
      picture.sampleCount = MetalFacePipelines.samples
      picture.usage = .renderTarget
      picture.storageMode = .private
      masks = device.makeTexture(descriptor: mask)
      smooth = device.makeTexture(descriptor: picture)
      return masks != nil && smooth != nil
    }

    // MARK: What never changes

    private static func buffer<Element>(_ device: any MTLDevice, _ elements: [Element]) -> (any MTLBuffer)? {
      elements.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, bytes.count > 0 else { return nil }
        return device.makeBuffer(bytes: start, length: bytes.count, options: .storageModeShared)
      }
    }

    private static func texture(_ device: any MTLDevice, _ pyramid: AtlasPyramid) -> (any MTLTexture)? {
      guard let largest = pyramid.levels.first else { return nil }
      let descriptor = MTLTextureDescriptor.texture2DDescriptor(
        pixelFormat: .rgba8Unorm, width: largest.width, height: largest.height, mipmapped: true)
      descriptor.mipmapLevelCount = pyramid.levels.count
      descriptor.usage = .shaderRead
      guard let texture = device.makeTexture(descriptor: descriptor) else { return nil }
      for (level, image) in pyramid.levels.enumerated() {
        image.rgba.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          texture.replace(
            region: MTLRegionMake2D(0, 0, image.width, image.height), mipmapLevel: level, withBytes: start,
            bytesPerRow: image.width * 4)
        }
      }
      return texture
    }

    private static func sampler(_ device: any MTLDevice) -> (any MTLSamplerState)? {
      let descriptor = MTLSamplerDescriptor()
      descriptor.minFilter = .linear
      descriptor.magFilter = .linear
      descriptor.mipFilter = .nearest
      return device.makeSamplerState(descriptor: descriptor)
    }
  }
#endif
