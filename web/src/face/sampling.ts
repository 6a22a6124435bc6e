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

  /** Measured when a part is first drawn: what moves later changes little. */
  private patch(draw: FaceDraw, { positions }: FaceFrame): Patch {
    const known = this.patches.get(draw.firstIndex);
    if (known !== undefined) return known;
    const { mesh: { uvs, indices }, size: { width, height } } = this;
    const bounds: Patch["bounds"] = [Infinity, Infinity, -Infinity, -Infinity];
    let texels = 0;
    let units = 0;
    for (let i = draw.firstIndex; i + 2 < draw.firstIndex + draw.indexCount; i += 3) {
      const corners = [0, 1, 2].map((k) => indices[i + k] as number);
      texels += area(uvs, corners) * width * height;
      units += area(positions, corners);
      for (const corner of corners) {
        const x = (uvs[corner * 2] as number) * width;
        const y = (uvs[corner * 2 + 1] as number) * height;
        bounds[0] = Math.min(bounds[0], x);
        bounds[1] = Math.min(bounds[1], y);
        bounds[2] = Math.max(bounds[2], x);
        bounds[3] = Math.max(bounds[3], y);
      }
    }
    const patch = { density: Math.sqrt(texels / Math.max(units, 1e-6)), bounds };
    this.patches.set(draw.firstIndex, patch);
    return patch;
  }
}

function area(points: Float32Array, corners: number[]): number {
  const [a, b, c] = corners.map((k) => [points[k * 2] as number, points[k * 2 + 1] as number] as const);
  if (a === undefined || b === undefined || c === undefined) return 0;
  return Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
}
