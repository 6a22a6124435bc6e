extension FaceEngine {
  /// Seen positions of the vertices in canvas units, x and y; valid while the engine lives.
  public var positions: UnsafeBufferPointer<SIMD2<Float>> { deformer.positions }

  /// Places of the vertices in the atlas, 0...1; valid while the engine lives.
  public var uvs: UnsafeBufferPointer<SIMD2<Float>> {
    UnsafeBufferPointer(start: uvStore, count: puppet.vertices.count)
  }

  /// Three to a triangle; valid while the engine lives.
  public var indices: UnsafeBufferPointer<UInt16> {
    UnsafeBufferPointer(start: indexStore, count: puppet.indices.count)
  }

  /// The visible layers in drawing order; valid until the next `advance`.
  public var draws: UnsafeBufferPointer<DrawCommand> { drawList.commands }

  /// The 15 viseme weights at the playhead in the order of `Viseme`; silence while no voice sounds.
  public var visemes: UnsafeBufferPointer<Float> { UnsafeBufferPointer(start: visemeStore, count: 15) }

  /// Bytes that the sound still to be heard takes.
  public var bufferedBytes: Int { feed.track.byteCount }
}
