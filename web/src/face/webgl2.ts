import { type FaceDraw, planDraws } from "./draw-plan.js";
import type { FaceLayout } from "./layout.js";
import {
  DRAW_NUMBERS,
  drawUniforms,
  type FaceFrame,
  type FaceRenderer,
  type RendererSource,
} from "./renderer.js";
import { AtlasSampling } from "./sampling.js";

const VERTEX = `#version 300 es
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv;
uniform vec4 transform;
out vec2 atlasPoint;
void main() {
  gl_Position = vec4(position * transform.xy + transform.zw, 0.0, 1.0);
  atlasPoint = uv;
}`;

const PLAIN = `#version 300 es
precision highp float;
in vec2 atlasPoint;
uniform sampler2D atlas;
uniform vec2 opacity;
uniform vec4 bounds;
out vec4 color;
void main() {
  color = textureLod(atlas, clamp(atlasPoint, bounds.xy, bounds.zw), opacity.y) * opacity.x;
}`;

const CLIPPED = `#version 300 es
precision highp float;
in vec2 atlasPoint;
uniform sampler2D atlas;
uniform sampler2D masks;
uniform vec4 selector;
uniform vec2 opacity;
uniform vec4 bounds;
out vec4 color;
void main() {
  vec4 mask = texelFetch(masks, ivec2(gl_FragCoord.xy), 0);
  color = textureLod(atlas, clamp(atlasPoint, bounds.xy, bounds.zw), opacity.y) * (opacity.x * dot(mask, selector));
}`;

const MASK = `#version 300 es
precision highp float;
in vec2 atlasPoint;
uniform sampler2D atlas;
uniform vec2 opacity;
uniform vec4 bounds;
out vec4 color;
void main() {
  color = vec4(textureLod(atlas, clamp(atlasPoint, bounds.xy, bounds.zw), opacity.y).a * opacity.x);
}`;

interface Program {
  program: WebGLProgram;
  transform: WebGLUniformLocation | null;
  selector: WebGLUniformLocation | null;
  opacity: WebGLUniformLocation | null;
  bounds: WebGLUniformLocation | null;
}

/** Draws a face with WebGL 2. */
export class WebGL2Renderer implements FaceRenderer {
  readonly kind = "webgl2";
  private readonly canvas: HTMLCanvasElement;
  private readonly gl: WebGL2RenderingContext;
  readonly isSoftware: boolean;
  private readonly plain: Program;
  private readonly clipped: Program;
  private readonly mask: Program;
  private readonly positions: WebGLBuffer;
  private readonly maskTexture: WebGLTexture;
  private readonly maskTarget: WebGLFramebuffer;
  private readonly samples: number;
  /** Where pictures are drawn with several samples a pixel; without, on the canvas itself. */
  private smooth: { target: WebGLFramebuffer; buffer: WebGLRenderbuffer } | undefined;
  private readonly uniforms = new Float32Array(DRAW_NUMBERS);
  private readonly sampling: AtlasSampling;
  private frame: FaceFrame | undefined;
  private readonly onLost: () => void;
  private width = 0;
  private height = 0;

  /** Throws an `Error` when there is no WebGL 2. */
  constructor(canvas: HTMLCanvasElement, source: RendererSource) {
    const gl = canvas.getContext("webgl2", {
      antialias: false,
      depth: false,
      stencil: false,
      premultipliedAlpha: true,
    });
    if (gl === null) throw new Error("This browser has neither WebGPU nor WebGL 2.");
    this.canvas = canvas;
    this.gl = gl;
    this.onLost = source.onLost;
    canvas.addEventListener("webglcontextlost", this.lost);
    this.isSoftware = isSoftware(gl);
    this.plain = this.program(PLAIN);
    this.clipped = this.program(CLIPPED);
    this.mask = this.program(MASK);
    this.positions = gl.createBuffer();
    this.attribute(0, this.positions, null);
    gl.bufferData(gl.ARRAY_BUFFER, source.mesh.vertexCount * 8, gl.DYNAMIC_DRAW);
    this.attribute(1, gl.createBuffer(), source.mesh.uvs);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, source.mesh.indices, gl.STATIC_DRAW);
    this.loadAtlas(source.atlas);
    const [largest = { width: 1, height: 1 }] = source.atlas;
    this.sampling = new AtlasSampling(source.mesh, largest, source.atlas.length);
    this.maskTexture = gl.createTexture();
    this.maskTarget = gl.createFramebuffer();
    this.samples = source.samples ?? (this.isSoftware ? 1 : 4);
    gl.enable(gl.BLEND);
  }

  draw(frame: FaceFrame, layout: FaceLayout): void {
    const { gl } = this;
    this.fitTargets();
    this.frame = frame;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.positions);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, frame.positions);
    gl.viewport(0, 0, this.width, this.height);
    gl.clearColor(0, 0, 0, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.maskTarget);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.smooth?.target ?? null);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (const round of planDraws(frame.draws)) {
      if (round.masks.length > 0) this.drawMasks(round.masks, layout);
      this.drawPictures(round.pictures, layout);
    }
    this.resolve();
  }

  destroy(): void {
    this.canvas.removeEventListener("webglcontextlost", this.lost);
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  private readonly lost = (event: Event): void => {
    event.preventDefault();
    this.onLost();
  };

  private drawMasks(draws: FaceDraw[], layout: FaceLayout): void {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.maskTarget);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.disable(gl.BLEND);
    gl.useProgram(this.mask.program);
    for (const draw of draws) {
      gl.colorMask(draw.mask === 1, draw.mask === 2, draw.mask === 3, draw.mask === 4);
      this.drawOne(this.mask, draw, layout);
    }
    gl.colorMask(true, true, true, true);
    gl.enable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.smooth?.target ?? null);
  }

  private drawPictures(draws: FaceDraw[], layout: FaceLayout): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.maskTexture);
    let bound: Program | undefined;
    for (const draw of draws) {
      const program = draw.clip > 0 ? this.clipped : this.plain;
      if (program !== bound) gl.useProgram(program.program);
      bound = program;
      if (draw.blend === 1) gl.blendFuncSeparate(gl.DST_COLOR, gl.ONE_MINUS_SRC_ALPHA, gl.ZERO, gl.ONE);
      else if (draw.blend === 2) gl.blendFuncSeparate(gl.ONE, gl.ONE, gl.ZERO, gl.ONE);
      else gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      this.drawOne(program, draw, layout);
    }
  }

  private drawOne(program: Program, draw: FaceDraw, layout: FaceLayout): void {
    const { gl, uniforms } = this;
    if (this.frame === undefined) return;
    drawUniforms(draw, this.frame, this.sampling, layout, this.width, this.height, uniforms, 0);
    gl.uniform4fv(program.transform, uniforms.subarray(0, 4));
    if (program.selector !== null) gl.uniform4fv(program.selector, uniforms.subarray(4, 8));
    gl.uniform2fv(program.opacity, uniforms.subarray(8, 10));
    gl.uniform4fv(program.bounds, uniforms.subarray(12, 16));
    gl.drawElements(gl.TRIANGLES, draw.indexCount, gl.UNSIGNED_SHORT, draw.firstIndex * 2);
  }

  private fitTargets(): void {
    const { gl, canvas } = this;
    if (this.width === canvas.width && this.height === canvas.height) return;
    this.width = canvas.width;
    this.height = canvas.height;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.maskTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, this.width, this.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.maskTarget);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.maskTexture, 0);
    if (this.samples === 1) return;
    this.smooth ??= { target: gl.createFramebuffer(), buffer: gl.createRenderbuffer() };
    const { target, buffer } = this.smooth;
    const samples = Math.min(this.samples, gl.getParameter(gl.MAX_SAMPLES) as number);
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.RGBA8, this.width, this.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, target);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
  }

  /** Averages the samples of each pixel, where there are several, into the canvas. */
  private resolve(): void {
    if (this.smooth === undefined) return;
    const { gl, width, height } = this;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.smooth.target);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  private loadAtlas(levels: ImageBitmap[]): void {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const [first] = levels;
    if (first === undefined) throw new Error("The atlas is empty.");
    gl.texStorage2D(gl.TEXTURE_2D, levels.length, gl.RGBA8, first.width, first.height);
    levels.forEach((level, index) => {
      gl.texSubImage2D(gl.TEXTURE_2D, index, 0, 0, gl.RGBA, gl.UNSIGNED_BYTE, level);
    });
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  }

  private attribute(index: number, buffer: WebGLBuffer, data: Float32Array | null): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    if (data !== null) gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, 2, gl.FLOAT, false, 8, 0);
  }

  private program(fragment: string): Program {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind);
      if (shader === null) throw new Error("The graphics device is gone.");
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (gl.getProgramParameter(program, gl.LINK_STATUS) !== true) {
      throw new Error(`A shader was refused: ${gl.getProgramInfoLog(program) ?? "the device is gone"}`);
    }
    gl.useProgram(program);
    gl.uniform1i(gl.getUniformLocation(program, "atlas"), 0);
    gl.uniform1i(gl.getUniformLocation(program, "masks"), 1);
    const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
    return { program, transform: at("transform"), selector: at("selector"), opacity: at("opacity"), bounds: at("bounds") };
  }
}

/** Whether triangles are drawn by the processor, which makes every pixel dear. */
function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return typeof name === "string" && /swiftshader|llvmpipe|software|basic render/i.test(name);
}
