import type { FaceDraw } from "./draw-plan.js";
import type { FaceLayout } from "./layout.js";
import type { AtlasSampling } from "./sampling.js";

/** The parts of a face that do not change. */
export interface FaceMesh {
  vertexCount: number;
  /** Two numbers a vertex, 0...1 of the atlas. */
  uvs: Float32Array;
  indices: Uint16Array;
}

/** The parts of a face that change from frame to frame. */
export interface FaceFrame {
  /** Two numbers a vertex, in canvas units. */
  positions: Float32Array;
  draws: FaceDraw[];
}

/** Draws a face on a canvas element. */
export interface FaceRenderer {
  readonly kind: "webgpu" | "webgl2";
  /** Whether the processor draws, because there is no graphics device. */
  readonly isSoftware: boolean;
  /** Draws one frame; the layout is in pixels of the canvas element. */
  draw(frame: FaceFrame, layout: FaceLayout): void;
  /** Releases everything; the canvas element cannot be used again. */
  destroy(): void;
}

/** What a renderer is made from. */
export interface RendererSource {
  mesh: FaceMesh;
  /** Premultiplied pictures of the atlas, each half the size of the one before. */
  atlas: ImageBitmap[];
  /** Samples of a pixel, which smooth the edges of meshes; default: 4 on a graphics device, else 1. */
  samples?: 1 | 4;
  /** Called once when the device is gone. */
  onLost: () => void;
}

/** Smaller pictures of the atlas: three halvings keep the margins of its parts apart. */
const HALVINGS = 3;

/** The atlas and its smaller pictures. */
export async function atlasLevels(png: ArrayBuffer): Promise<ImageBitmap[]> {
  const options: ImageBitmapOptions = { premultiplyAlpha: "premultiply", colorSpaceConversion: "none" };
  const levels = [await createImageBitmap(new Blob([png], { type: "image/png" }), options)];
  for (let i = 0; i < HALVINGS; i++) {
    const last = levels[levels.length - 1] as ImageBitmap;
    if (last.width % 2 !== 0 || last.height % 2 !== 0) break;
    const size = {
      resizeWidth: last.width / 2,
      resizeHeight: last.height / 2,
      resizeQuality: "medium" as const,
    };
    levels.push(await createImageBitmap(last, { ...options, ...size }));
  }
  return levels;
}

/** Numbers of one draw. */
export const DRAW_NUMBERS = 16;

/**
 * Writes the numbers of one draw: transform (scale and offset to clip space), clip selector, opacity and level of
 * the atlas, and the bounds inside the atlas.
 */
export function drawUniforms(
  draw: FaceDraw,
  frame: FaceFrame,
  sampling: AtlasSampling,
  layout: FaceLayout,
  width: number,
  height: number,
  target: Float32Array,
  offset: number,
): void {
  const place = draw.background ? layout.background : layout.figure;
  target[offset] = (2 * place.scale) / width;
  target[offset + 1] = (-2 * place.scale) / height;
  target[offset + 2] = (2 * place.x) / width - 1;
  target[offset + 3] = 1 - (2 * place.y) / height;
  for (let channel = 1; channel <= 4; channel++) target[offset + 3 + channel] = draw.clip === channel ? 1 : 0;
  target[offset + 8] = draw.background ? draw.opacity * (layout.sceneOpacity ?? 1) : draw.opacity;
  target[offset + 9] = sampling.write(draw, frame, place.scale, target, offset + 12);
  target[offset + 10] = 0;
  target[offset + 11] = 0;
}
