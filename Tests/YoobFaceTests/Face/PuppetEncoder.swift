@testable import YoobFace

/// Writes `puppet.bin`, for tests of the decoder.
enum PuppetEncoder {
  static func encode(_ puppet: Puppet) -> [UInt8] {
    var out: [UInt8] = Array("YPUP".utf8)
    func u16(_ value: Int) { out += [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    func u32(_ value: Int) {
      u16(value & 0xFFFF)
      u16(value >> 16)
    }
    func f32(_ values: Float...) { for value in values { u32(Int(value.bitPattern)) } }
    func name(_ name: PuppetName, _ size: Int) { for index in 0..<size { out.append(name.bytes[index]) } }
    func point(_ p: SIMD3<Float>) { f32(p.x, p.y, p.z) }

    u32(1)
    f32(puppet.canvasWidth, puppet.canvasHeight, puppet.cropX, puppet.cropY, puppet.cropSize)
    point(puppet.pivot)
    f32(puppet.breathAmplitude)
    for count in [
      puppet.atlasWidth, puppet.atlasHeight, puppet.vertices.count, puppet.indices.count,
      puppet.layers.count, puppet.morphs.count, puppet.deltas.count, puppet.springs.count,
      puppet.landmarks.count,
    ] { u32(count) }
    for vertex in puppet.vertices {
      point(vertex.position)
      f32(vertex.u, vertex.v, vertex.head, vertex.body, vertex.springWeight)
      u16(vertex.spring ?? 0xFFFF)
      u16(0)
    }
    for index in puppet.indices { u16(Int(index)) }
    if puppet.indices.count % 2 == 1 { u16(0) }
    for layer in puppet.layers {
      name(layer.name, 24)
      u32(layer.firstIndex)
      u32(layer.indexCount)
      out += [layer.blend.rawValue, UInt8(layer.clip), UInt8(layer.mask)]
      out.append((layer.isMaskOnly ? 1 : 0) | (layer.isBackground ? 2 : 0))
      f32(layer.opacity)
      u16(layer.opacityMorph ?? 0xFFFF)
      u16(layer.opacityInverse ? 1 : 0)
      u32(0)
    }
    for morph in puppet.morphs {
      name(morph.name, 32)
      u32(morph.firstDelta)
      u32(morph.deltaCount)
    }
    for delta in puppet.deltas {
      u16(delta.vertex)
      u16(0)
      point(delta.offset)
    }
    for spring in puppet.springs {
      name(spring.name, 24)
      point(spring.root)
      f32(spring.length, spring.stiffness, spring.damping, spring.maxAngle)
    }
    for landmark in puppet.landmarks {
      name(landmark.name, 24)
      u16(landmark.vertex)
      u16(0)
    }
    return out
  }
}
