/// Finds the layers at the bottom of a puppet that look the same in every frame.
enum StillLayers {
  /// First indices of the leading layers whose vertices nothing moves.
  static func leading(of puppet: Puppet) -> [Int] {
    var moves = [Bool](repeating: false, count: puppet.vertices.count)
    for (index, vertex) in puppet.vertices.enumerated() {
      moves[index] =
        vertex.head > 0 || (vertex.body > 0 && puppet.breathAmplitude != 0)
        || (vertex.spring != nil && vertex.springWeight > 0)
    }
    for delta in puppet.deltas { moves[delta.vertex] = true }
    var still: [Int] = []
    for layer in puppet.layers {
      guard layer.clip == 0, layer.mask == 0, layer.opacityMorph == nil, !layer.isMaskOnly else { break }
      // A layer that is never listed must not hold up those after it.
      if layer.indexCount == 0 || layer.opacity < 0.002 { continue }
      let corners = puppet.indices[layer.firstIndex..<(layer.firstIndex + layer.indexCount)]
      if corners.contains(where: { moves[Int($0)] }) { break }
      still.append(layer.firstIndex)
    }
    return still
  }
}
