/** Frames of melody a second that a face takes. */
const FACE_RATE = 50;
/** The longest melody that is taken at once: ten minutes. */
const MOST_FRAMES = 30_000;
const HIGHEST_HERTZ = 2000;

/**
 * A melody off the wire as a face takes it: Hz and mark for each 20 ms.
 *
 * Undefined when it is none; a pitch out of range counts as unvoiced, an unknown mark as none.
 */
export function prosodyFrames(pitch: unknown[], marks: unknown[], rate: number): Float32Array | undefined {
  const count = pitch.length;
  if (count === 0 || !(rate > 0)) return undefined;
  const wanted = Math.max(1, Math.round((count * FACE_RATE) / rate));
  if (wanted > MOST_FRAMES) return undefined;
  const result = new Float32Array(wanted * 2);
  for (let frame = 0; frame < wanted; frame++) {
    const source = Math.min(count - 1, Math.floor((frame * rate) / FACE_RATE));
    const hertz = pitch[source];
    if (typeof hertz !== "number" || !Number.isFinite(hertz)) return undefined;
    const mark = marks[source];
    result[2 * frame] = hertz > 0 && hertz <= HIGHEST_HERTZ ? hertz : 0;
    result[2 * frame + 1] = mark === 1 || mark === 2 ? mark : 0;
  }
  return result;
}
