/// A character's geometry: textured triangle layers, morph targets, springs and landmarks.
///
/// Units are those of `Docs/puppet-format.md`: canvas units (x right, y down, z to the viewer), radians.
/// A value that `PuppetDecoder` made is consistent: every index in it is in range and every number finite.
public struct Puppet: Sendable {
  /// Width of the canvas, in canvas units.
  public var canvasWidth: Float
  /// Height of the canvas, in canvas units.
  public var canvasHeight: Float
  /// Left edge, top edge and side of the square that holds the head and shoulders.
  public var cropX: Float
  /// Top edge of that square.
  public var cropY: Float
  /// Side of that square.
  public var cropSize: Float
  /// The point that the head turns about.
  public var pivot: SIMD3<Float>
  /// How far a full breath lifts the body, in canvas units.
  public var breathAmplitude: Float
  /// Size of the atlas picture in pixels.
  public var atlasWidth: Int
  /// Rows of the atlas picture.
  public var atlasHeight: Int
  /// The corners of the mesh.
  public var vertices: [PuppetVertex]
  /// Three to a triangle.
  public var indices: [UInt16]
  /// In drawing order.
  public var layers: [PuppetLayer]
  /// What the face can do.
  public var morphs: [PuppetMorph]
  /// The movements that morphs are made of.
  public var deltas: [PuppetDelta]
  /// Strands that swing.
  public var springs: [PuppetSpring]
  /// Named corners, such as those of the lips.
  public var landmarks: [PuppetLandmark]

  /// Vertex of a landmark, or nil if the puppet lacks it.
  public func landmark(_ name: StaticString) -> Int? {
    let wanted = PuppetName(name)
    for landmark in landmarks where landmark.name == wanted { return landmark.vertex }
    return nil
  }
}

/// One corner of the mesh.
public struct PuppetVertex: Sendable, Equatable {
  /// Rest position.
  public var position: SIMD3<Float>
  /// Place in the atlas, 0...1.
  public var u: Float
  /// The same from the top, 0...1.
  public var v: Float
  /// How much the vertex follows the head, 0...1.
  public var head: Float
  /// How much the vertex follows the breath, 0...1.
  public var body: Float
  /// How much the vertex follows its spring, 0 at the root and 1 at the tip.
  public var springWeight: Float
  /// Index of the spring, or nil.
  public var spring: Int?

  /// A vertex; weights are 0...1.
  public init(
    position: SIMD3<Float>, u: Float, v: Float, head: Float, body: Float, springWeight: Float = 0,
    spring: Int? = nil
  ) {
    self.position = position
    self.u = u
    self.v = v
    self.head = head
    self.body = body
    self.springWeight = springWeight
    self.spring = spring
  }
}

/// A run of triangles that is drawn in one go.
public struct PuppetLayer: Sendable, Equatable {
  /// Name of the layer.
  public var name: PuppetName
  /// First of its indices.
  public var firstIndex: Int
  /// Number of its indices, three to a triangle.
  public var indexCount: Int
  /// How it is combined with what is below it.
  public var blend: BlendMode
  /// Mask channel 1...4 that cuts the layer, or 0.
  public var clip: Int
  /// Mask channel 1...4 that the layer writes, or 0.
  public var mask: Int
  /// Whether only the mask is written.
  public var isMaskOnly: Bool
  /// Whether it belongs to the background.
  public var isBackground: Bool
  /// 0...1.
  public var opacity: Float
  /// Morph whose weight scales the opacity, or nil.
  public var opacityMorph: Int?
  /// Scale by one minus the weight instead.
  public var opacityInverse: Bool
}

/// How a layer is combined with what is below it.
public enum BlendMode: UInt8, Sendable, CaseIterable {
  /// Over it, times it, or added to it.
  case normal, multiply, add
}

/// A run of deltas with a name.
public struct PuppetMorph: Sendable, Equatable {
  /// Name of the morph, as in `Morph` where it is one of the face's.
  public var name: PuppetName
  /// First of its deltas.
  public var firstDelta: Int
  /// Number of its deltas.
  public var deltaCount: Int
}

/// How one vertex moves when a morph has weight 1.
public struct PuppetDelta: Sendable, Equatable {
  /// Index of the vertex.
  public var vertex: Int
  /// Where it goes, in canvas units.
  public var offset: SIMD3<Float>
}

/// A strand that swings about its root.
public struct PuppetSpring: Sendable, Equatable {
  /// Name of the strand.
  public var name: PuppetName
  /// Where it hangs, in canvas units.
  public var root: SIMD3<Float>
  /// Canvas units.
  public var length: Float
  /// 1/s².
  public var stiffness: Float
  /// 1/s.
  public var damping: Float
  /// Radians.
  public var maxAngle: Float
}

/// A named vertex.
public struct PuppetLandmark: Sendable, Equatable {
  /// Name of the landmark.
  public var name: PuppetName
  /// Index of the vertex.
  public var vertex: Int
}
