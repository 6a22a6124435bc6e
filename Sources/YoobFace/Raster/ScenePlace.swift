/// Where the scene behind a character lies in a frame, when that is not where the character lies.
struct ScenePlace {
  /// How much of the scene is drawn, 0...1.
  let opacity: Float
  private let scale: Float
  private let offset: SIMD2<Float>
  /// The vertices of the scene; none where it lies with the character.
  private let vertices: [Int]

  init(_ puppet: Puppet, _ layout: FaceLayout) {
    opacity = layout.sceneOpacity
    scale = Float(layout.scene.scale)
    offset = SIMD2(Float(layout.scene.x), Float(layout.scene.y))
    guard layout.scene != layout.figure else {
      vertices = []
      return
    }
    var isScene = [Bool](repeating: false, count: puppet.vertices.count)
    for layer in puppet.layers where layer.isBackground {
      for corner in layer.firstIndex..<(layer.firstIndex + layer.indexCount) {
        isScene[Int(puppet.indices[corner])] = true
      }
    }
    vertices = isScene.indices.filter { isScene[$0] }
  }

  /// Moves the vertices of the scene to their place.
  func place(
    _ positions: UnsafeBufferPointer<SIMD2<Float>>, in screen: UnsafeMutablePointer<SIMD2<Float>>
  ) {
    for vertex in vertices { screen[vertex] = positions[vertex] * scale + offset }
  }
}
