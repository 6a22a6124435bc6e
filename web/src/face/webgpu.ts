import { type DrawRound, planDraws } from "./draw-plan.js";
import type { FaceLayout } from "./layout.js";
import {
  DRAW_NUMBERS,
  drawUniforms,
  type FaceFrame,
  type FaceRenderer,
  type RendererSource,
} from "./renderer.js";
import { AtlasSampling } from "./sampling.js";

const SHADER = `
struct Draw { transform: vec4f, selector: vec4f, opacity: vec4f, bounds: vec4f }
@group(0) @binding(0) var<uniform> item: Draw;
@group(0) @binding(1) var atlasSampler: sampler;
@group(0) @binding(2) var atlas: texture_2d<f32>;
@group(1) @binding(0) var masks: texture_2d<f32>;
struct Point { @builtin(position) position: vec4f, @location(0) uv: vec2f }

@vertex fn place(@location(0) position: vec2f, @location(1) uv: vec2f) -> Point {
  return Point(vec4f(position * item.transform.xy + item.transform.zw, 0.0, 1.0), uv);
}

fn ink(uv: vec2f) -> vec4f {
  return textureSampleLevel(atlas, atlasSampler, clamp(uv, item.bounds.xy, item.bounds.zw), item.opacity.y);
}

@fragment fn plain(point: Point) -> @location(0) vec4f {
  return ink(point.uv) * item.opacity.x;
}

@fragment fn clipped(point: Point) -> @location(0) vec4f {
  let mask = textureLoad(masks, vec2i(point.position.xy), 0);
  return ink(point.uv) * (item.opacity.x * dot(mask, item.selector));
}

@fragment fn mask(point: Point) -> @location(0) vec4f {
  return vec4f(ink(point.uv).a * item.opacity.x);
}`;

// Flags as the WebGPU specification numbers them.
const COPY_DST = 8;
const INDEX = 16;
const VERTEX_BUFFER = 32;
const UNIFORM = 64;
const TEXTURE_COPY_DST = 2;
const TEXTURE_BINDING = 4;
const RENDER_ATTACHMENT = 16;
const VERTEX_STAGE = 1;
const FRAGMENT_STAGE = 2;

/** Bytes between the numbers of two draws: the smallest offset that every device allows. */
const STRIDE = 256;

/** Draws a face with WebGPU. */
export class WebGPURenderer implements FaceRenderer {
  readonly kind = "webgpu";
  private readonly canvas: HTMLCanvasElement;
  private readonly device: GPUDevice;
  private readonly context: GPUCanvasContext;
  private readonly positions: GPUBuffer;
  private readonly uvs: GPUBuffer;
  private readonly indices: GPUBuffer;
  private readonly itemLayout: GPUBindGroupLayout;
  private readonly maskLayout: GPUBindGroupLayout;
  private readonly plain: GPURenderPipeline[];
  private readonly clipped: GPURenderPipeline[];
  private readonly masks: GPURenderPipeline[];
  private readonly atlas: GPUTextureView;
  private readonly sampler: GPUSampler;
  private uniforms: GPUBuffer | undefined;
  private items: GPUBindGroup | null = null;
  private maskTexture: GPUTexture | undefined;
  private maskView: GPUTextureView | undefined;
  private maskItems: GPUBindGroup | null = null;
  private readonly format: GPUTextureFormat;
  private readonly samples: number;
  private readonly sampling: AtlasSampling;
  /** Where pictures are drawn with several samples a pixel; without, on the canvas itself. */
  private smooth: GPUTexture | undefined;
  private capacity = 0;
  private closed = false;

  /** Undefined where no adapter is found, or none but the processor and that is not allowed. */
  static async device(allowSoftware: boolean): Promise<GPUDevice | undefined> {
    const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
    if (adapter == null || (!allowSoftware && isSoftware(adapter.info))) return undefined;
    return await adapter.requestDevice().catch(() => undefined);
  }

  readonly isSoftware: boolean;

  constructor(canvas: HTMLCanvasElement, device: GPUDevice, source: RendererSource) {
    const context = canvas.getContext("webgpu") as GPUCanvasContext | null;
    if (context === null) throw new Error("The canvas has no WebGPU context.");
    this.canvas = canvas;
    this.device = device;
    this.context = context;
    this.isSoftware = isSoftware(device.adapterInfo);
    void device.lost.then(() => {
      if (!this.closed) source.onLost();
    });
    const format = navigator.gpu.getPreferredCanvasFormat();
    this.format = format;
    this.samples = source.samples ?? (this.isSoftware ? 1 : 4);
    context.configure({ device, format, alphaMode: "premultiplied" });
    const { mesh } = source;
    this.positions = device.createBuffer({ size: mesh.vertexCount * 8, usage: VERTEX_BUFFER | COPY_DST });
    this.uvs = filled(device, mesh.uvs, VERTEX_BUFFER);
    this.indices = filled(device, mesh.indices, INDEX);
    this.itemLayout = device.createBindGroupLayout({
      entries: [
        {
          binding: 0,
          visibility: VERTEX_STAGE | FRAGMENT_STAGE,
          buffer: { hasDynamicOffset: true, minBindingSize: 4 * DRAW_NUMBERS },
        },
        { binding: 1, visibility: FRAGMENT_STAGE, sampler: {} },
        { binding: 2, visibility: FRAGMENT_STAGE, texture: {} },
      ],
    });
    this.maskLayout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: FRAGMENT_STAGE, texture: { sampleType: "unfilterable-float" } }],
    });
    const module = device.createShaderModule({ code: SHADER });
    const blends = [0, 1, 2].map(blending);
    this.plain = blends.map((blend) => this.pipeline(module, "plain", { format, blend }));
    this.clipped = blends.map((blend) => this.pipeline(module, "clipped", { format, blend }));
    this.masks = [1, 2, 4, 8].map((writeMask) =>
      this.pipeline(module, "mask", { format: "rgba8unorm", writeMask })
    );
    this.atlas = this.loadAtlas(source.atlas);
    const [largest = { width: 1, height: 1 }] = source.atlas;
    this.sampling = new AtlasSampling(mesh, largest, source.atlas.length);
    this.sampler = device.createSampler({
      minFilter: "linear",
      magFilter: "linear",
      mipmapFilter: "nearest",
    });
  }

  draw(frame: FaceFrame, layout: FaceLayout): void {
    const { device, canvas } = this;
    if (this.closed) return;
    this.fitTargets();
    const rounds = planDraws(frame.draws);
    this.writeItems(rounds, frame, layout);
    device.queue.writeBuffer(this.positions, 0, frame.positions as Float32Array<ArrayBuffer>);
    const encoder = device.createCommandEncoder();
    const target = this.context.getCurrentTexture().createView();
    let item = 0;
    rounds.forEach((round, index) => {
      const loadOp = index === 0 ? "clear" : "load";
      if (round.masks.length > 0 || index === 0) {
        const pass = this.pass(encoder, this.maskView as GPUTextureView, undefined, loadOp);
        for (const draw of round.masks) {
          pass.setPipeline(this.masks[draw.mask - 1] as GPURenderPipeline);
          this.drawOne(pass, draw, item++);
        }
        pass.end();
      }
      const pass = this.pass(encoder, target, this.smooth, loadOp);
      pass.setBindGroup(1, this.maskItems);
      for (const draw of round.pictures) {
        const pipelines = draw.clip > 0 ? this.clipped : this.plain;
        pass.setPipeline(pipelines[draw.blend > 2 ? 0 : draw.blend] as GPURenderPipeline);
        this.drawOne(pass, draw, item++);
      }
      pass.end();
    });
    if (canvas.width > 0) device.queue.submit([encoder.finish()]);
  }

  destroy(): void {
    this.closed = true;
    this.context.unconfigure();
    this.device.destroy();
  }

  /** A pass into `view`, by way of `smooth` where there is one. */
  private pass(
    encoder: GPUCommandEncoder,
    view: GPUTextureView,
    smooth: GPUTexture | undefined,
    loadOp: GPULoadOp,
  ): GPURenderPassEncoder {
    const target = smooth === undefined ? { view } : { view: smooth.createView(), resolveTarget: view };
    const pass = encoder.beginRenderPass({
      colorAttachments: [{ ...target, loadOp, storeOp: "store", clearValue: [0, 0, 0, 0] }],
    });
    pass.setVertexBuffer(0, this.positions);
    pass.setVertexBuffer(1, this.uvs);
    pass.setIndexBuffer(this.indices, "uint16");
    return pass;
  }

  private drawOne(
    pass: GPURenderPassEncoder,
    draw: { indexCount: number; firstIndex: number },
    item: number,
  ): void {
    pass.setBindGroup(0, this.items, [item * STRIDE]);
    pass.drawIndexed(draw.indexCount, 1, draw.firstIndex);
  }

  /** Writes the numbers of every draw, in the order in which they are drawn. */
  private writeItems(rounds: DrawRound[], frame: FaceFrame, layout: FaceLayout): void {
    const draws = rounds.flatMap((round) => [...round.masks, ...round.pictures]);
    const data = new Float32Array((draws.length * STRIDE) / 4);
    draws.forEach((draw, index) => {
      const { width, height } = this.canvas;
      drawUniforms(draw, frame, this.sampling, layout, width, height, data, (index * STRIDE) / 4);
    });
    if (this.uniforms === undefined || draws.length > this.capacity) {
      this.uniforms?.destroy();
      this.capacity = Math.max(64, draws.length * 2);
      const usage = UNIFORM | COPY_DST;
      this.uniforms = this.device.createBuffer({ size: this.capacity * STRIDE, usage });
      this.items = this.device.createBindGroup({
        layout: this.itemLayout,
        entries: [
          { binding: 0, resource: { buffer: this.uniforms, size: 4 * DRAW_NUMBERS } },
          { binding: 1, resource: this.sampler },
          { binding: 2, resource: this.atlas },
        ],
      });
    }
    this.device.queue.writeBuffer(this.uniforms, 0, data);
  }

  private fitTargets(): void {
    const { width, height } = this.canvas;
    if (this.maskTexture?.width === width && this.maskTexture.height === height) return;
    this.maskTexture?.destroy();
    const usage = RENDER_ATTACHMENT | TEXTURE_BINDING;
    this.maskTexture = this.device.createTexture({ size: [width, height], format: "rgba8unorm", usage });
    this.maskView = this.maskTexture.createView();
    this.maskItems = this.device.createBindGroup({
      layout: this.maskLayout,
      entries: [{ binding: 0, resource: this.maskView }],
    });
    this.smooth?.destroy();
    if (this.samples === 1) return;
    this.smooth = this.device.createTexture({
      size: [width, height],
      format: this.format,
      sampleCount: this.samples,
      usage: RENDER_ATTACHMENT,
    });
  }

  private loadAtlas(levels: ImageBitmap[]): GPUTextureView {
    const [first] = levels;
    if (first === undefined) throw new Error("The atlas is empty.");
    const texture = this.device.createTexture({
      size: [first.width, first.height],
      mipLevelCount: levels.length,
      format: "rgba8unorm",
      usage: TEXTURE_BINDING | TEXTURE_COPY_DST | RENDER_ATTACHMENT,
    });
    levels.forEach((source, mipLevel) => {
      const target = { texture, mipLevel, premultipliedAlpha: true };
      this.device.queue.copyExternalImageToTexture({ source }, target, [source.width, source.height]);
    });
    return texture.createView();
  }

  private pipeline(
    module: GPUShaderModule,
    entryPoint: "plain" | "clipped" | "mask",
    target: GPUColorTargetState,
  ): GPURenderPipeline {
    const bindGroupLayouts = entryPoint === "clipped"
      ? [this.itemLayout, this.maskLayout]
      : [this.itemLayout];
    const buffer = (shaderLocation: number): GPUVertexBufferLayout => ({
      arrayStride: 8,
      attributes: [{ shaderLocation, offset: 0, format: "float32x2" }],
    });
    return this.device.createRenderPipeline({
      layout: this.device.createPipelineLayout({ bindGroupLayouts }),
      vertex: { module, entryPoint: "place", buffers: [buffer(0), buffer(1)] },
      fragment: { module, entryPoint, targets: [target] },
      primitive: { topology: "triangle-list" },
      multisample: { count: entryPoint === "mask" ? 1 : this.samples },
    });
  }
}

function isSoftware(info: GPUAdapterInfo | undefined): boolean {
  if (info === undefined) return false;
  return info.isFallbackAdapter || /swiftshader|llvmpipe/i.test(`${info.architecture} ${info.description}`);
}

function blending(blend: number): GPUBlendState {
  const keep: GPUBlendComponent = { srcFactor: "zero", dstFactor: "one", operation: "add" };
  const over: GPUBlendComponent = { srcFactor: "one", dstFactor: "one-minus-src-alpha", operation: "add" };
  if (blend === 1) {
    return { color: { srcFactor: "dst", dstFactor: "one-minus-src-alpha", operation: "add" }, alpha: keep };
  }
  if (blend === 2) return { color: { srcFactor: "one", dstFactor: "one", operation: "add" }, alpha: keep };
  return { color: over, alpha: over };
}

function filled(device: GPUDevice, data: Float32Array | Uint16Array, usage: number): GPUBuffer {
  const size = (data.byteLength + 3) & ~3;
  const buffer = device.createBuffer({ size, usage, mappedAtCreation: true });
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  new Uint8Array(buffer.getMappedRange()).set(bytes);
  buffer.unmap();
  return buffer;
}
