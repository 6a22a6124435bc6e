import { YoobError } from "../errors.js";
import type { SpeechQueue, Utterance } from "../speech-queue.js";
import type { CharacterManifest, YoobAvatarOptions } from "../types.js";
import { FaceCore } from "./face-core.js";
import { atlasLevels, type FaceRenderer, type RendererSource } from "./renderer.js";
import { Stage, type Still } from "./stage.js";
import { WebGL2Renderer } from "./webgl2.js";
import { WebGPURenderer } from "./webgpu.js";

/** Sound that the face takes in one frame, and how far it stays ahead of the listener. */
const SECONDS_PER_FRAME = 1;
const SECONDS_AHEAD = 2;
/** A voice that waits for longer than this lets the mouth rest. */
const REST_AFTER_SECONDS = 0.3;
/** Lost devices that are replaced before the poster stays. */
const MOST_REBUILDS = 4;

/** The face on the page: keeps it fed with the speech that is heard, and draws it. */
export class FaceView {
  private readonly stage: Stage;
  private readonly speech: SpeechQueue;
  private readonly options: YoobAvatarOptions;
  private readonly onError: (error: YoobError) => void;
  private readonly stillness = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");
  private core: FaceCore | undefined;
  private drawer: FaceRenderer | undefined;
  private levels: ImageBitmap[] = [];
  private rebuilds = 0;
  private current: HTMLCanvasElement | undefined;
  private utterance: Utterance | undefined;
  private fedSamples = 0;
  private hasEnded = false;
  private destroyed = false;
  private shownTime = -1;
  private lastHeard = -1;
  private movedAt = 0;
  private state = 0;
  private emotion: [number, number] = [0, 0];
  private gaze: [number, number, number] = [0, 0, 0];

  constructor(options: YoobAvatarOptions, speech: SpeechQueue, onError: (error: YoobError) => void) {
    this.options = options;
    this.speech = speech;
    this.onError = onError;
    const { fit = "cover", crop = "full" } = options;
    this.stage = new Stage(options.container, { fit, crop }, (seconds) => this.draw(seconds));
    this.sceneOpacity = options.sceneOpacity ?? 1;
    this.stillness?.addEventListener("change", this.stillnessChanged);
  }

  get renderer(): "webgpu" | "webgl2" | undefined {
    return this.drawer?.kind;
  }

  set sceneOpacity(opacity: number) {
    this.stage.sceneOpacity = Math.min(1, Math.max(0, opacity));
  }

  /** Takes what the manifest says about the picture. */
  introduce(manifest: CharacterManifest): void {
    this.stage.label = manifest.displayName;
    const { width, height, crop } = manifest;
    const cropSize = crop?.size ?? Math.min(width, height) * 0.84;
    const cropX = crop?.x ?? (width - cropSize) / 2;
    const cropY = crop?.y ?? Math.max(0, (height - cropSize) * 0.25);
    this.stage.canvas = { width, height, cropX, cropY, cropSize };
    this.stage.resize();
  }

  showStill(still: Still): Promise<void> {
    return this.stage.showStill(still);
  }

  /** Starts the face and draws it for the first time. */
  async start(
    module: WebAssembly.Module,
    puppet: ArrayBuffer,
    mouth: ArrayBuffer,
    atlas: ArrayBuffer,
  ): Promise<void> {
    this.stop();
    const [core, levels] = await Promise.all([
      FaceCore.start(module, puppet, mouth, this.options.seed ?? 1),
      atlasLevels(atlas).catch(() => {
        throw new YoobError("invalid-assets", "The character's atlas is not a picture.");
      }),
    ]);
    if (this.destroyed) return core.destroy();
    this.core = core;
    this.levels = levels;
    this.stage.canvas = core.canvas;
    this.stage.resize();
    core.setCalm(this.stillness?.matches ?? false);
    core.setState(this.state);
    core.setEmotion(...this.emotion);
    core.setGaze(...this.gaze);
    await this.build();
    this.stage.start();
  }

  /** The lips of the frame on the screen, and the second of the utterance that it shows (-1: none). */
  lips(): { gap: number; width: number; time: number } | undefined {
    return this.core === undefined ? undefined : { ...this.core.lips(), time: this.shownTime };
  }

  setState(state: number): void {
    this.state = state;
    this.core?.setState(state);
  }

  setEmotion(emotion: number, intensity: number): void {
    this.emotion = [emotion, intensity];
    this.core?.setEmotion(emotion, intensity);
  }

  setGaze(mode: number, x: number, y: number): void {
    this.gaze = [mode, x, y];
    this.core?.setGaze(mode, x, y);
  }

  perform(gesture: number): void {
    this.core?.perform(gesture);
  }

  destroy(): void {
    this.destroyed = true;
    this.stillness?.removeEventListener("change", this.stillnessChanged);
    this.stop();
    this.stage.destroy();
  }

  private stop(): void {
    this.stage.stop();
    this.drawer?.destroy();
    this.drawer = undefined;
    this.core?.destroy();
    this.core = undefined;
    this.levels.forEach((level) => level.close());
    this.levels = [];
    this.utterance = undefined;
  }

  private readonly stillnessChanged = (event: MediaQueryListEvent): void => this.core?.setCalm(event.matches);

  /** Makes a renderer on a fresh canvas: WebGPU where there is an adapter, else WebGL 2. */
  private async build(): Promise<void> {
    const core = this.core;
    if (core === undefined) return;
    const wanted = this.options.renderer;
    // Where the processor draws, WebGL 2 is the faster of the two.
    const device = wanted === "webgl2" ? undefined : await WebGPURenderer.device(wanted === "webgpu");
    if (this.core !== core) return device?.destroy();
    if (device === undefined && wanted === "webgpu") {
      throw new YoobError("unsupported", "This browser has no WebGPU adapter.");
    }
    const source: RendererSource = { mesh: core.mesh(), atlas: this.levels, onLost: () => this.lost(canvas) };
    const canvas = this.stage.newCanvas();
    this.current = canvas;
    try {
      this.drawer = device === undefined
        ? new WebGL2Renderer(canvas, source)
        : new WebGPURenderer(canvas, device, source);
    } catch (error) {
      device?.destroy();
      throw YoobError.from(error, "unsupported");
    }
    if (this.drawer.isSoftware) this.stage.drawThriftily();
    this.draw(performance.now() / 1000);
    this.stage.showCanvas(true);
  }

  /** The graphics device is gone: the poster shows until another one draws. */
  private lost(canvas: HTMLCanvasElement): void {
    if (this.destroyed || this.current !== canvas) return;
    this.current = undefined;
    this.drawer?.destroy();
    this.drawer = undefined;
    this.stage.showCanvas(false);
    if (++this.rebuilds > MOST_REBUILDS) {
      this.onError(
        new YoobError("renderer", "The graphics device stopped. The voice goes on; reload for the face."),
      );
      return;
    }
    this.build().catch((error: unknown) => this.onError(YoobError.from(error, "renderer")));
  }

  private draw(seconds: number): void {
    const { core, drawer, speech } = this;
    if (core === undefined || drawer === undefined) return;
    this.follow(core);
    const current = speech.current;
    const heard = current === undefined ? -1 : speech.heardMs / 1000;
    if (current !== undefined) this.feed(core, current, heard);
    if (heard !== this.lastHeard) this.movedAt = seconds;
    this.lastHeard = heard;
    // The clock stands still while the voice waits; after a moment the mouth need not.
    const shown = seconds - this.movedAt > REST_AFTER_SECONDS ? -1 : heard;
    drawer.draw(core.advance(seconds, shown), this.stage.layout());
    this.shownTime = shown;
    if (current !== undefined && this.options.onViseme !== undefined) {
      this.options.onViseme({ time: heard, weights: core.weights() });
    }
  }

  /** Begins and ends utterances in step with what is heard. */
  private follow(core: FaceCore): void {
    const current = this.speech.current;
    if (current === this.utterance) return;
    if (this.utterance !== undefined && !this.hasEnded) core.end();
    this.utterance = current;
    this.fedSamples = 0;
    this.hasEnded = false;
    if (current !== undefined) core.begin();
  }

  /** Hands over sound a little ahead of the listener; a long reply is spread over many frames. */
  private feed(core: FaceCore, utterance: Utterance, heard: number): void {
    const shapes = utterance.visemes.splice(0);
    const melody = utterance.prosody.splice(0);
    if (!this.hasEnded) {
      for (const piece of shapes) core.visemes(piece.frames, piece.start);
      for (const piece of melody) core.prosody(piece.frames, piece.start);
    }
    const limit = (heard + SECONDS_AHEAD) * utterance.rate;
    const most = this.fedSamples + SECONDS_PER_FRAME * utterance.rate;
    while (
      this.fedSamples < limit && (this.fedSamples < most || this.fedSamples < (heard + 0.2) * utterance.rate)
    ) {
      const chunk = utterance.faceChunks.shift();
      if (chunk === undefined) break;
      core.push(chunk, utterance.rate);
      this.fedSamples += chunk.length;
    }
    if (utterance.ended && utterance.faceChunks.length === 0 && !this.hasEnded) {
      this.hasEnded = true;
      core.end();
    }
  }
}
