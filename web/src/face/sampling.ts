import type { FaceDraw } from "./draw-plan.js";
import type { FaceFrame, FaceMesh } from "./renderer.js";

/** Texels of the atlas that stay clear between two parts. */
const GAP = 3;

/** How one part lies in the atlas. */
interface Patch {
  /** Texels a canvas unit. */
  density: number;
  /** Left, top, right and bottom in texels. */
  bounds: [number, number, number, number];
}

/**
 * From which size of the atlas each part is read, and where inside its own picture: read by the graphics
 * device alone, a small size would mix in the neighbours at a part's edges, which shows as hairlines.
 */
export class AtlasSampling {
  private readonly mesh: FaceMesh;
  private readonly levels: number;
  private readonly size: { width: number; height: number };
  private readonly patches = new Map<number, Patch>();

  /** `levels` are the sizes of the atlas, of which `size` is the largest. */
  constructor(mesh: FaceMesh, size: { width: number; height: number }, levels: number) {
    this.mesh = mesh;
    this.levels = levels;
    this.size = { width: size.width, height: size.height };
  }

  /** Writes the bounds (4 numbers, 0...1 of the atlas) and returns the level, for `scale` pixels a canvas unit. */
  write(draw: FaceDraw, frame: FaceFrame, scale: number, target: Float32Array, offset: number): number {
    const { density, bounds: [left, top, right, bottom] } = this.patch(draw, frame);
    const { width, height } = this.size;
    const wanted = Math.round(Math.log2(density / scale));
    const level = Math.max(0, Math.min(this.levels - 1, Number.isFinite(wanted) ? wanted : 0));
    // Two texels of that size are mixed: they reach one and a half of them to each side.
    const reach = Math.max(0, 1.5 * 2 ** level - GAP);
    const x = Math.min(reach, (right - left) / 2);
    const y = Math.min(reach, (bottom - top) / 2);
    target[offset] = (left + x) / width;
    target[offset + 1] = (top + y) / height;
    target[offset + 2] = (right - x) / width;
    target[offset + 3] = (bottom - y) / height;
    return level;
  }

  /**
   * Measured when a part is first drawn: what moves later changes little. A mouth or a lid that is closed then is
   * squeezed in one direction, so the other one counts.
   */
  private patch(draw: FaceDraw, { positions }: FaceFrame): Patch {
    const known = this.patches.get(draw.firstIndex);
    if (known !== undefined) return known;
    const { width, height } = this.size;
    const corners = this.mesh.indices.subarray(draw.firstIndex, draw.firstIndex + draw.indexCount);
    const [left, top, right, bottom] = extent(this.mesh.uvs, corners);
    const [x0, y0, x1, y1] = extent(positions, corners);
    const bounds: Patch["bounds"] = [left * width, top * height, right * width, bottom * height];
    const density = Math.min((bounds[2] - bounds[0]) / (x1 - x0), (bounds[3] - bounds[1]) / (y1 - y0));
    const patch = { density, bounds };
    this.patches.set(draw.firstIndex, patch);
    return patch;
  }
}

/** Left, top, right and bottom of some points. */
function extent(points: Float32Array, corners: Uint16Array): [number, number, number, number] {
  const result: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const corner of corners) {
    const x = points[corner * 2] as number;
    const y = points[corner * 2 + 1] as number;
    result[0] = Math.min(result[0], x);
    result[1] = Math.min(result[1], y);
    result[2] = Math.max(result[2], x);
    result[3] = Math.max(result[3], y);
  }
  return result;
}
