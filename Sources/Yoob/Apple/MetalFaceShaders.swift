#if canImport(Metal)
  /// The shaders of a face, as web/src/face/webgpu.ts has them.
  enum MetalFaceShaders {
    static let place = "placePoint"
    static let plain = "plainInk"
    static let clipped = "clippedInk"
    static let mask = "maskInk"

    static let source = """
      #include <metal_stdlib>
      using namespace metal;

      struct Draw { float4 transform; float4 selector; float4 opacity; float4 bounds; };
      struct Point { float4 position [[position]]; float2 uv; };

      vertex Point placePoint(
        uint index [[vertex_id]], const device float2 *positions [[buffer(0)]],
        const device float2 *uvs [[buffer(1)]], constant Draw &item [[buffer(2)]]
      ) {
        Point point;
        point.position = float4(positions[index] * item.transform.xy + item.transform.zw, 0.0, 1.0);
        point.uv = uvs[index];
        return point;
      }

      static float4 ink(float2 uv, constant Draw &item, texture2d<float> atlas, sampler reader) {
        return atlas.sample(reader, clamp(uv, item.bounds.xy, item.bounds.zw), level(item.opacity.y));
      }

      fragment float4 plainInk(
        Point point [[stage_in]], constant Draw &item [[buffer(2)]],
        texture2d<float> atlas [[texture(0)]], sampler reader [[sampler(0)]]
      ) {
        return ink(point.uv, item, atlas, reader) * item.opacity.x;
      }

      fragment float4 clippedInk(
        Point point [[stage_in]], constant Draw &item [[buffer(2)]],
        texture2d<float> atlas [[texture(0)]], texture2d<float> masks [[texture(1)]],
        sampler reader [[sampler(0)]]
      ) {
        float4 mask = masks.read(uint2(point.position.xy));
        return ink(point.uv, item, atlas, reader) * (item.opacity.x * dot(mask, item.selector));
      }

      fragment float4 maskInk(
        Point point [[stage_in]], constant Draw &item [[buffer(2)]],
        texture2d<float> atlas [[texture(0)]], sampler reader [[sampler(0)]]
      ) {
        return float4(ink(point.uv, item, atlas, reader).a * item.opacity.x);
      }
      """
  }
#endif
