/// The visible layers of a puppet for the morph weights of a frame. Its storage never moves.
final class DrawList {
  private let layers: [PuppetLayer]
  private let store: UnsafeMutablePointer<DrawCommand>
  private(set) var count = 0

  init(_ puppet: Puppet) {
    layers = puppet.layers
    store = .allocate(capacity: max(1, puppet.layers.count))
    store.initialize(
      repeating: DrawCommand(
        firstIndex: 0, indexCount: 0, blend: 0, clip: 0, mask: 0, flags: 0, opacity: 0),
      count: max(1, puppet.layers.count))
  }

  deinit { store.deallocate() }

  var commands: UnsafeBufferPointer<DrawCommand> { UnsafeBufferPointer(start: store, count: count) }

  /// Lists the layers that can be seen.
  func update(morphWeights: UnsafeMutablePointer<Float>) {
    count = 0
    for layer in layers {
      var opacity = layer.opacity
      if let morph = layer.opacityMorph {
        let weight = FaceMath.unit(morphWeights[morph])
        opacity *= layer.opacityInverse ? 1 - weight : weight
      }
      // A layer below half a step of 8 bits changes nothing.
      guard layer.indexCount > 0, opacity >= 0.002 else { continue }
      store[count] = DrawCommand(
        firstIndex: UInt32(truncatingIfNeeded: layer.firstIndex),
        indexCount: UInt32(truncatingIfNeeded: layer.indexCount), blend: UInt32(layer.blend.rawValue),
        clip: UInt32(layer.clip), mask: UInt32(layer.mask),
        flags: (layer.isMaskOnly ? 1 : 0) | (layer.isBackground ? 2 : 0), opacity: opacity)
      count += 1
    }
  }
}
