/** Mouth frames a second that a face takes. */
const FACE_RATE = 100;
const WEIGHTS = 15;
/** The longest movement that is taken at once: ten minutes. */
const MOST_FRAMES = 60_000;

/**
 * Mouth frames off the wire (15 numbers each, nested or in one row) at 100 a second.
 *
 * Undefined when they are not that; weights out of 0...1 are clamped.
 */
export function visemeFrames(frames: unknown[], rate: number): Float32Array | undefined {
  const flat = frames.flat();
  if (flat.length === 0 || flat.length % WEIGHTS !== 0 || !(rate > 0)) return undefined;
  const count = flat.length / WEIGHTS;
  const wanted = Math.max(1, Math.round((count * FACE_RATE) / rate));
  if (wanted > MOST_FRAMES) return undefined;
  const result = new Float32Array(wanted * WEIGHTS);
  for (let frame = 0; frame < wanted; frame++) {
    const source = Math.min(count - 1, Math.floor((frame * rate) / FACE_RATE));
    for (let k = 0; k < WEIGHTS; k++) {
      const value = flat[source * WEIGHTS + k];
      if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
      result[frame * WEIGHTS + k] = Math.min(1, Math.max(0, value));
    }
  }
  return result;
}
