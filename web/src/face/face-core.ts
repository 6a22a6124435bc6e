import { YoobError } from "../errors.js";
import type { FaceDraw } from "./draw-plan.js";
import type { FaceCanvas } from "./layout.js";
import type { FaceFrame, FaceMesh } from "./renderer.js";

/** What `face.wasm` exports. */
interface FaceExports {
  memory: WebAssembly.Memory;
  face_alloc(bytes: number): number;
  face_free(pointer: number): void;
  face_create(puppet: number, puppetLength: number, mouth: number, mouthLength: number, seed: number): number;
  face_error(): number;
  face_destroy(face: number): void;
  face_begin(face: number): void;
  face_push(face: number, samples: number, count: number, rate: number): void;
  face_visemes(face: number, frames: number, count: number, start: number): void;
  face_prosody(face: number, frames: number, count: number, start: number): void;
  face_end(face: number): void;
  face_state(face: number, state: number): void;
  face_emotion(face: number, emotion: number, intensity: number): void;
  face_calm(face: number, calm: number): void;
  face_gaze(face: number, mode: number, x: number, y: number): void;
  face_gesture(face: number, gesture: number): void;
  face_advance(face: number, time: number, playhead: number): void;
  face_vertex_count(face: number): number;
  face_positions(face: number): number;
  face_uvs(face: number): number;
  face_index_count(face: number): number;
  face_indices(face: number): number;
  face_draw_count(face: number): number;
  face_draws(face: number): number;
  face_visemes_now(face: number): number;
  face_lips(face: number): number;
  face_canvas(face: number): number;
  face_level(face: number): number;
}

/** Bytes of one entry of the draw list. */
const DRAW_BYTES = 32;
/** Samples handed over in one call. */
const PUSH_SAMPLES = 16_384;
/** Mouth frames handed over in one call. */
const PUSH_FRAMES = 512;
const WEIGHTS = 15;

/** The face's own clock and shapes: speech in, triangles out. A thin layer over `face.wasm`. */
export class FaceCore {
  private readonly exports: FaceExports;
  private readonly face: number;
  private readonly scratch: number;
  private alive = true;
  readonly canvas: FaceCanvas;

  /** Starts a face from the module and the pack's files; throws `invalid-assets` when they are refused. */
  static async start(
    module: WebAssembly.Module,
    puppet: ArrayBuffer,
    mouth: ArrayBuffer,
    seed: number,
  ): Promise<FaceCore> {
    const instance = await WebAssembly.instantiate(module, {});
    return new FaceCore(instance.exports as unknown as FaceExports, puppet, mouth, seed);
  }

  private constructor(exports: FaceExports, puppet: ArrayBuffer, mouth: ArrayBuffer, seed: number) {
    this.exports = exports;
    const puppetAt = this.copy(puppet);
    const mouthAt = this.copy(mouth);
    this.face = exports.face_create(puppetAt, puppet.byteLength, mouthAt, mouth.byteLength, seed >>> 0);
    exports.face_free(puppetAt);
    exports.face_free(mouthAt);
    if (this.face === 0) {
      throw new YoobError(
        "invalid-assets",
        `The character's face was refused (reason ${exports.face_error()}).`,
      );
    }
    this.scratch = exports.face_alloc(Math.max(PUSH_SAMPLES, PUSH_FRAMES * WEIGHTS) * 4);
    if (this.scratch === 0) throw new YoobError("renderer", "There is not enough memory for the face.");
    const [width, height, cropX, cropY, cropSize] = this.floats(
      exports.face_canvas(this.face),
      5,
    ) as unknown as number[];
    this.canvas = {
      width: width as number,
      height: height as number,
      cropX: cropX as number,
      cropY: cropY as number,
      cropSize: cropSize as number,
    };
  }

  /** The parts of the face that do not change. */
  mesh(): FaceMesh {
    const { exports, face } = this;
    const vertexCount = exports.face_vertex_count(face);
    const indices = new Uint16Array(
      exports.memory.buffer,
      exports.face_indices(face),
      exports.face_index_count(face),
    );
    return {
      vertexCount,
      uvs: this.floats(exports.face_uvs(face), vertexCount * 2).slice(),
      indices: indices.slice(),
    };
  }

  /** A new utterance begins. */
  begin(): void {
    this.exports.face_begin(this.face);
  }

  /** More sound of the utterance. */
  push(samples: Float32Array, rate: number): void {
    for (let at = 0; at < samples.length; at += PUSH_SAMPLES) {
      const piece = samples.subarray(at, at + PUSH_SAMPLES);
      this.floats(this.scratch, piece.length).set(piece);
      this.exports.face_push(this.face, this.scratch, piece.length, rate);
    }
  }

  /** Mouth frames that the voice itself knows, from frame `start` of the utterance on. */
  visemes(frames: Float32Array, start: number): void {
    for (let at = 0; at < frames.length; at += PUSH_FRAMES * WEIGHTS) {
      const piece = frames.subarray(at, at + PUSH_FRAMES * WEIGHTS);
      this.floats(this.scratch, piece.length).set(piece);
      this.exports.face_visemes(this.face, this.scratch, piece.length, start + at / WEIGHTS);
    }
  }

  /** Melody that the voice itself knows, Hz and mark for each 20 ms, from frame `start` on. */
  prosody(frames: Float32Array, start: number): void {
    // Whole clauses belong together: the scratch holds almost three minutes.
    for (let at = 0; at < frames.length; at += PUSH_SAMPLES) {
      const piece = frames.subarray(at, at + PUSH_SAMPLES);
      this.floats(this.scratch, piece.length).set(piece);
      this.exports.face_prosody(this.face, this.scratch, piece.length, start + at / 2);
    }
  }

  /** The utterance has no more sound. */
  end(): void {
    this.exports.face_end(this.face);
  }

  /** 0 idle, 1 listening, 2 thinking, 3 speaking. */
  setState(state: number): void {
    this.exports.face_state(this.face, state);
  }

  setEmotion(emotion: number, intensity: number): void {
    this.exports.face_emotion(this.face, emotion, intensity);
  }

  /** Whether motion is reduced to what speech needs. */
  setCalm(calm: boolean): void {
    this.exports.face_calm(this.face, calm ? 1 : 0);
  }

  setGaze(mode: number, x: number, y: number): void {
    this.exports.face_gaze(this.face, mode, x, y);
  }

  /** 0 nod, 1 shake, 2 tilt, 3 wink. */
  perform(gesture: number): void {
    this.exports.face_gesture(this.face, gesture);
  }

  /** Moves the face to `time`, with the utterance at `playhead` seconds, or none (-1). */
  advance(time: number, playhead: number): FaceFrame {
    const { exports, face } = this;
    exports.face_advance(face, time, playhead);
    const positions = this.floats(exports.face_positions(face), exports.face_vertex_count(face) * 2);
    const count = exports.face_draw_count(face);
    const view = new DataView(exports.memory.buffer, exports.face_draws(face), count * DRAW_BYTES);
    const draws: FaceDraw[] = [];
    for (let i = 0; i < count; i++) {
      const at = i * DRAW_BYTES;
      const flags = view.getUint32(at + 20, true);
      draws.push({
        firstIndex: view.getUint32(at, true),
        indexCount: view.getUint32(at + 4, true),
        blend: view.getUint32(at + 8, true),
        clip: view.getUint32(at + 12, true),
        mask: view.getUint32(at + 16, true),
        maskOnly: (flags & 1) !== 0,
        background: (flags & 2) !== 0,
        opacity: view.getFloat32(at + 24, true),
      });
    }
    return { positions, draws };
  }

  /** The 15 weights of this moment. */
  weights(): Float32Array {
    return this.floats(this.exports.face_visemes_now(this.face), WEIGHTS).slice();
  }

  /** Opening and width of the lips in canvas units. */
  lips(): { gap: number; width: number } {
    const [gap = 0, width = 0] = this.floats(this.exports.face_lips(this.face), 2);
    return { gap, width };
  }

  /** Loudness of the voice of this moment, 0...1. */
  level(): number {
    return this.exports.face_level(this.face);
  }

  destroy(): void {
    if (!this.alive) return;
    this.alive = false;
    this.exports.face_destroy(this.face);
    this.exports.face_free(this.scratch);
  }

  /** A view of the face's memory; memory may grow, so views are made anew each time. */
  private floats(pointer: number, count: number): Float32Array {
    return new Float32Array(this.exports.memory.buffer, pointer, count);
  }

  private copy(bytes: ArrayBuffer): number {
    const pointer = this.exports.face_alloc(Math.max(4, bytes.byteLength));
    if (pointer === 0) throw new YoobError("renderer", "There is not enough memory for the face.");
    new Uint8Array(this.exports.memory.buffer, pointer, bytes.byteLength).set(new Uint8Array(bytes));
    return pointer;
  }
}

/** Loads and compiles `face.wasm`; throws `network` or `unsupported`. */
export async function loadFaceModule(url: URL): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch {
    throw new YoobError("network", "The face could not be loaded. Check the connection and try again.");
  }
  if (!response.ok) {
    throw new YoobError("network", `The server answered ${response.status} for ${url.pathname}.`);
  }
  try {
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch {
    throw new YoobError(
      "unsupported",
      "This browser, or the page's security policy, does not allow WebAssembly.",
    );
  }
}
