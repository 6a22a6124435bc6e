import { assetUrl } from "./assets.js";
import { floatsFromPcm } from "./audio/pcm.js";
import { Player } from "./audio/player.js";
import { Emitter } from "./emitter.js";
import { YoobError } from "./errors.js";
import { loadFaceModule } from "./face/face-core.js";
import { FaceView } from "./face/face-view.js";
import type { Picture, Still } from "./face/stage.js";
import { YoobMicrophone } from "./microphone.js";
import { PackLoader } from "./pack.js";
import { SpeechQueue, type Utterance } from "./speech-queue.js";
import type {
  CharacterManifest,
  YoobAvatarOptions,
  YoobCaption,
  YoobEmotion,
  YoobGaze,
  YoobGesture,
  YoobPhase,
} from "./types.js";

/** What happens to the sound of an avatar. */
export interface YoobPlaybackEvents {
  /** The first sample of an utterance reaches the listener at `at` (`performance.now()` time). */
  started: { utterance: number; at: number };
  /** The first sample that is not silence was heard at `at`. */
  audible: { utterance: number; at: number };
  /** The position moved. */
  moved: { utterance: number; heardMs: number };
  /** The last sample was heard, or the utterance was interrupted. */
  finished: { utterance: number; heardMs: number; interrupted: boolean };
}

/** What a conversation tells its face about itself. */
export type YoobAttention = "idle" | "listening" | "thinking" | "speaking";

const EMOTIONS: YoobEmotion[] = ["neutral", "happy", "sad", "angry", "surprised", "thinking"];
const ATTENTION: YoobAttention[] = ["idle", "listening", "thinking", "speaking"];
/** The face's gestures in its own order, with their milliseconds. */
const GESTURES: [YoobGesture, number][] = [["nod", 900], ["shake", 1100], ["tilt", 1400], ["wink", 450]];
/** The scene without the figure and the figure's shape, which a pack may have beside its poster. */
const SCENE = "scene.jpg";
const FIGURE = "figure.png";
const PICTURE_TYPES: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
};

/**
 * A character that speaks the sound it is given, in an element of the page.
 *
 * ```ts
 * const avatar = new YoobAvatar({ container, pack: "/characters/luna-anime/" });
 * await avatar.prepare();
 * await avatar.unlockAudio();       // from a click
 * avatar.speak(pcm, 24_000);
 * avatar.endSpeech();
 * ```
 */
export class YoobAvatar {
  /** The user's microphone, captured in the context that plays the character. */
  readonly microphone: YoobMicrophone;
  private readonly options: YoobAvatarOptions;
  private readonly view: FaceView;
  private readonly player: Player;
  private readonly speech: SpeechQueue;
  private readonly playback = new Emitter<YoobPlaybackEvents>();
  private currentPhase: YoobPhase = "not-prepared";
  private currentManifest: CharacterManifest | undefined;
  private preparing: Promise<void> | undefined;
  private loader: PackLoader | undefined;
  private emotionTimer: ReturnType<typeof setTimeout> | undefined;
  private lastPlayedMs = 0;
  private lastAudible = 0;
  private destroyed = false;

  /** Whether this browser can show a character. */
  static async isSupported(): Promise<{ supported: boolean; reason?: string }> {
    const reason = missingFeature() ?? (await missingGraphics());
    return reason === undefined ? { supported: true } : { supported: false, reason };
  }

  constructor(options: YoobAvatarOptions) {
    this.options = options;
    this.player = new Player(
      {
        started: (utterance, at) => this.playback.emit("started", { utterance, at }),
        moved: (utterance) => this.moved(utterance),
        finished: (utterance) => this.finished(utterance),
        failed: (error) => options.onError?.(error),
      },
      options.assetBase,
    );
    this.speech = new SpeechQueue(this.player);
    this.view = new FaceView(options, this.speech, (error) => options.onError?.(error));
    this.microphone = new YoobMicrophone(() => this.player.context(), options.assetBase);
  }

  get phase(): YoobPhase {
    return this.currentPhase;
  }

  /** The character's manifest, once it was loaded. */
  get manifest(): CharacterManifest | undefined {
    return this.currentManifest;
  }

  /** Milliseconds of the current utterance, or of the last one, that the listener has heard. */
  get playedMs(): number {
    return this.speech.current === undefined ? this.lastPlayedMs : this.speech.heardMs;
  }

  /** Opening and width of the lips as drawn, and the second of the utterance that they show (-1: none). */
  get lips(): { gap: number; width: number; time: number } | undefined {
    return this.view.lips();
  }

  /** Which graphics interface draws the face. */
  get renderer(): "webgpu" | "webgl2" | undefined {
    return this.view.renderer;
  }

  /** Listens to playback; the returned function removes the listener. */
  on<Name extends keyof YoobPlaybackEvents>(
    name: Name,
    listener: (value: YoobPlaybackEvents[Name]) => void,
  ): () => void {
    return this.playback.on(name, listener);
  }

  /**
   * Loads the character and starts its face; a second call waits for the first, and one after a
   * failure tries again. Throws `network`, `invalid-assets`, `unsupported`, `unauthorized` or `renderer`.
   */
  prepare(): Promise<void> {
    if (this.currentPhase === "ready" || this.currentPhase === "speaking") return Promise.resolve();
    this.preparing ??= this.load()
      .catch((error: unknown) => {
        const failure = YoobError.from(error, "renderer");
        if (!this.destroyed) {
          this.setPhase("failed");
          this.options.onError?.(failure);
        }
        throw failure;
      })
      .finally(() => (this.preparing = undefined));
    return this.preparing;
  }

  /** Lets the page sound; browsers allow it only from a click or a key press. */
  async unlockAudio(): Promise<void> {
    this.assertAlive();
    await this.player.unlock();
  }

  /**
   * Speaks mono PCM16 (little-endian) at 8 to 48 kHz; returns the utterance's number.
   *
   * The first call after `endSpeech()` opens a new utterance, which begins when the one before was
   * heard. Throws `invalid-audio` for an odd number of bytes, a rate out of range or a changed rate.
   */
  speak(pcm: Int16Array | ArrayBuffer, sampleRate = 24_000): number {
    this.assertAlive();
    const samples = floatsFromPcm(pcm);
    if (samples.length === 0 && this.speech.open === undefined) return 0;
    const utterance = this.speech.speak(samples, sampleRate);
    if (this.currentPhase === "ready") this.setPhase("speaking");
    return utterance.id;
  }

  /** Gives the open utterance mouth frames that the voice knows: 15 weights each, 100 a second. */
  addVisemes(frames: Float32Array, startMs: number): void {
    this.speech.open?.visemes.push({ start: Math.round(startMs / 10), frames });
  }

  /**
   * Gives the open utterance the melody that the voice knows, for head and brows: for each 20 ms the pitch
   * in Hz (0 where unvoiced) and a mark, which is 1 in stressed sounds, 2 at the end of a question that is
   * answered by yes or no, and else 0.
   */
  addProsody(frames: Float32Array, startMs: number): void {
    this.speech.open?.prosody.push({ start: Math.round(startMs / 20), frames });
  }

  /** The utterance is complete; the face settles when the sound ends. */
  endSpeech(): void {
    this.speech.end();
  }

  /** Holds the sound of the current utterance; `resume()` goes on with the next sample. The mouth closes. */
  pause(): void {
    this.speech.pause();
  }

  /** Goes on after `pause()`. */
  resume(): void {
    this.speech.resume();
  }

  /** Stops the sound at once; returns the milliseconds of the utterance that were heard. */
  interrupt(): number {
    const current = this.speech.current;
    const heardMs = this.speech.interrupt();
    if (current === undefined) return 0;
    this.lastPlayedMs = heardMs;
    if (this.currentPhase === "speaking") this.setPhase("ready");
    this.playback.emit("finished", { utterance: current.id, heardMs, interrupted: true });
    return heardMs;
  }

  /** A mood of `intensity` 0...1; with `durationMs` it passes by itself. */
  setEmotion(name: YoobEmotion, options: { intensity?: number; durationMs?: number } = {}): void {
    clearTimeout(this.emotionTimer);
    const intensity = Math.min(1, Math.max(0, options.intensity ?? 1));
    this.view.setEmotion(Math.max(0, EMOTIONS.indexOf(name)), intensity);
    if (options.durationMs !== undefined) {
      this.emotionTimer = setTimeout(() => this.view.setEmotion(0, 0), options.durationMs);
    }
  }

  /** Makes a gesture; resolves when it ends. */
  async perform(gesture: YoobGesture): Promise<void> {
    const index = GESTURES.findIndex(([name]) => name === gesture);
    const [, milliseconds] = GESTURES[index] ?? [gesture, 0];
    if (milliseconds === 0) return;
    this.view.perform(index);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** Where the character looks. */
  set gaze(gaze: YoobGaze) {
    if (typeof gaze === "object") this.view.setGaze(3, gaze.x, gaze.y);
    else this.view.setGaze(gaze === "viewer" ? 1 : gaze === "away" ? 2 : 0, 0, 0);
  }

  /** How much of the scene behind the character is drawn, 0...1; for a dark page, say. */
  set sceneOpacity(opacity: number) {
    this.view.sceneOpacity = opacity;
  }

  /** What the character is doing in its conversation: its posture follows. */
  set attention(attention: YoobAttention) {
    this.view.setState(ATTENTION.indexOf(attention));
  }

  /** Reports a caption to `onCaption`; conversations call it. */
  caption(caption: YoobCaption): void {
    this.options.onCaption?.(caption);
  }

  /** Removes the character and releases everything. */
  async destroy(): Promise<void> {
    if (this.destroyed) return;
    this.interrupt();
    this.destroyed = true;
    clearTimeout(this.emotionTimer);
    this.loader?.cancel();
    this.microphone.stop();
    this.view.destroy();
    this.setPhase("not-prepared");
    await this.player.close();
  }

  private async load(): Promise<void> {
    this.assertAlive();
    const { options } = this;
    if (options.pack === undefined) {
      throw new YoobError(
        "unsupported",
        "This version opens local packs only: pass `pack`, the address of a pack.",
      );
    }
    this.setPhase("downloading");
    const missing = missingFeature();
    if (missing !== undefined) throw new YoobError("unsupported", missing);
    const module = loadFaceModule(assetUrl("face.wasm", options.assetBase));
    module.catch(() => undefined);
    const loader = new PackLoader(options.pack, (progress) => options.onProgress?.(progress));
    this.loader = loader;
    try {
      const manifest = await loader.manifest();
      this.currentManifest = manifest;
      this.view.introduce(manifest);
      const has = (name: string): boolean => manifest.files.some((file) => file.path === name);
      const picture = async (name: string): Promise<Picture> => {
        const extension = name.split(".").pop()?.toLowerCase() ?? "";
        return { bytes: await loader.file(manifest, name), type: PICTURE_TYPES[extension] ?? "image/jpeg" };
      };
      const isCut = has(SCENE) && has(FIGURE);
      const [poster, scene, figure] = await Promise.all(
        [manifest.poster, ...(isCut ? [SCENE, FIGURE] : [])].map(picture),
      );
      await this.view.showStill({ poster, scene, figure } as Still);
      const [puppet, atlas, mouth] = await Promise.all([
        loader.file(manifest, "puppet.bin"),
        loader.file(manifest, "atlas.png"),
        has("mouth.bin") ? loader.file(manifest, "mouth.bin") : new ArrayBuffer(0),
      ]);
      this.assertAlive();
      this.setPhase("warming");
      await this.view.start(await module, puppet, mouth, atlas);
      this.assertAlive();
      this.setPhase(this.speech.current === undefined ? "ready" : "speaking");
    } catch (error) {
      loader.cancel();
      throw error;
    }
  }

  private moved(utterance: number): void {
    const current = this.speech.current;
    if (current?.id !== utterance) return;
    const heardMs = this.speech.heardMs;
    this.lastPlayedMs = heardMs;
    const audibleMs = (current.firstAudible * 1000) / current.rate;
    if (this.lastAudible !== utterance && current.firstAudible >= 0 && heardMs >= audibleMs) {
      this.lastAudible = utterance;
      this.playback.emit("audible", { utterance, at: performance.now() - (heardMs - audibleMs) });
    }
    this.playback.emit("moved", { utterance, heardMs });
  }

  private finished(id: number): void {
    const utterance: Utterance | undefined = this.speech.finish(id);
    if (utterance === undefined) return;
    const heardMs = (utterance.received * 1000) / utterance.rate;
    this.lastPlayedMs = heardMs;
    if (this.speech.current === undefined && this.currentPhase === "speaking") this.setPhase("ready");
    this.playback.emit("finished", { utterance: id, heardMs, interrupted: false });
  }

  private setPhase(phase: YoobPhase): void {
    if (phase === this.currentPhase) return;
    this.currentPhase = phase;
    this.options.onPhase?.(phase);
  }

  private assertAlive(): void {
    if (this.destroyed) throw new YoobError("renderer", "The avatar was destroyed; make a new one.");
  }
}

/** What this browser lacks, in words for the user. */
function missingFeature(): string | undefined {
  if (!globalThis.isSecureContext || globalThis.crypto?.subtle === undefined) {
    return "The page must be served over HTTPS or from localhost.";
  }
  if (typeof WebAssembly === "undefined") return "This browser has no WebAssembly.";
  return typeof AudioWorkletNode === "undefined" ? "This browser has no AudioWorklet." : undefined;
}

async function missingGraphics(): Promise<string | undefined> {
  if ((await navigator.gpu?.requestAdapter().catch(() => null)) != null) return undefined;
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context === null ? "This browser has neither WebGPU nor WebGL 2." : undefined;
}
