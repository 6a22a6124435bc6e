import { assetUrl } from "../assets.js";
import { YoobError } from "../errors.js";
import { PlayerClock } from "./player-clock.js";
import type { PlayerCommand, PlayerMessage } from "./player-messages.js";

/** What the owner of a player is told. */
export interface PlayerEvents {
  /** The first sample of an utterance reaches the listener at `at` (`performance.now()` time). */
  started(utterance: number, at: number): void;
  /** The listener has heard the last sample. */
  finished(utterance: number): void;
  /** The position moved. */
  moved(utterance: number): void;
  failed(error: YoobError): void;
}

/** The loudspeaker: one audio context for playing and capture, and the clock of what was heard. */
export class Player {
  private readonly events: PlayerEvents;
  private readonly assetBase: string | undefined;
  private readonly clock = new PlayerClock();
  private audio: AudioContext | undefined;
  private node: AudioWorkletNode | undefined;
  private loading: Promise<AudioContext> | undefined;
  private queued: PlayerCommand[] = [];
  private utterance = 0;
  private hasStarted = false;
  private offset = Number.NEGATIVE_INFINITY;
  private closed = false;
  private readonly wake = (): void => {
    if (this.audio?.state !== "running") void this.audio?.resume().catch(() => undefined);
  };

  constructor(events: PlayerEvents, assetBase?: string) {
    this.events = events;
    this.assetBase = assetBase;
  }

  /** The context, with the player's module loaded. Throws `unsupported` or `renderer`. */
  context(): Promise<AudioContext> {
    this.loading ??= this.open().catch((error: unknown) => {
      this.loading = undefined;
      throw YoobError.from(error, "renderer");
    });
    return this.loading;
  }

  /** Lets the page sound; call it from a click or a key press. */
  async unlock(): Promise<void> {
    this.create();
    const resumed = this.audio?.resume();
    await this.context();
    await resumed;
  }

  /** Opens an utterance at `rate`. */
  begin(utterance: number, rate: number): void {
    this.utterance = utterance;
    this.hasStarted = false;
    this.clock.begin(utterance, rate);
    this.send({ type: "begin", utterance, rate });
  }

  push(samples: Float32Array<ArrayBuffer>): void {
    this.send({ type: "push", samples }, [samples.buffer]);
  }

  end(): void {
    this.send({ type: "end" });
  }

  /** Holds the sound of the open utterance. */
  pause(): void {
    if (this.utterance !== 0) this.send({ type: "pause" });
  }

  /** Goes on with held sound. */
  resume(): void {
    if (this.utterance !== 0) this.send({ type: "resume" });
  }

  /** Stops the sound; returns the samples that the listener has heard. */
  interrupt(): number {
    const heard = this.heard();
    this.send({ type: "flush" });
    this.utterance = 0;
    return heard;
  }

  /** Samples of the open utterance that the listener has heard by now. */
  heard(): number {
    const audio = this.audio;
    if (audio === undefined || this.utterance === 0) return 0;
    return Math.floor(this.clock.heardAt(this.now(audio) - latency(audio)));
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const name of ["pointerdown", "keydown", "visibilitychange"]) {
      document.removeEventListener(name, this.wake);
    }
    this.node?.disconnect();
    this.queued = [];
    const audio = this.audio;
    this.audio = undefined;
    if (audio !== undefined && audio.state !== "closed") await audio.close();
  }

  private create(): void {
    if (this.audio !== undefined || this.closed) return;
    if (typeof AudioContext === "undefined" || typeof AudioWorkletNode === "undefined") {
      throw new YoobError(
        "unsupported",
        "This browser has no AudioWorklet, or the page is not served over HTTPS.",
      );
    }
    this.audio = new AudioContext({ latencyHint: "interactive" });
    this.audio.onstatechange = () => (this.offset = Number.NEGATIVE_INFINITY);
    for (const name of ["pointerdown", "keydown", "visibilitychange"]) {
      document.addEventListener(name, this.wake);
    }
  }

  private async open(): Promise<AudioContext> {
    this.create();
    const audio = this.audio;
    if (audio === undefined) throw new YoobError("renderer", "The avatar was destroyed.");
    try {
      await audio.audioWorklet.addModule(assetUrl("player-worklet.js", this.assetBase));
    } catch {
      throw new YoobError(
        "renderer",
        "The sound player could not be loaded. Check that player-worklet.js is served.",
      );
    }
    const node = new AudioWorkletNode(audio, "yoob-player", { numberOfInputs: 0, outputChannelCount: [1] });
    node.port.onmessage = ({ data }: MessageEvent<PlayerMessage>) => this.take(data, audio);
    node.onprocessorerror = () => {
      this.events.failed(new YoobError("renderer", "The sound player stopped. Reload the page."));
    };
    node.connect(audio.destination);
    this.node = node;
    for (const command of this.queued.splice(0)) node.port.postMessage(command);
    return audio;
  }

  private send(command: PlayerCommand, transfer: Transferable[] = []): void {
    if (this.closed) return;
    if (this.node !== undefined) {
      this.node.port.postMessage(command, transfer);
      return;
    }
    if (command.type === "flush") this.queued = [];
    else this.queued.push(command);
    this.context().catch((error: unknown) => this.events.failed(YoobError.from(error, "renderer")));
  }

  private take(report: PlayerMessage, audio: AudioContext): void {
    if (!this.clock.add(report)) return;
    const { utterance } = report;
    const delay = Math.max(0, report.time - this.now(audio) + latency(audio)) * 1000;
    if (!this.hasStarted && report.played > 0) {
      this.hasStarted = true;
      const early = (report.played / this.clock.samplesPerSecond) * 1000;
      this.events.started(utterance, performance.now() + delay - early);
    }
    this.events.moved(utterance);
    if (report.state === "finished") {
      setTimeout(() => {
        if (this.utterance !== utterance) return;
        this.utterance = 0;
        this.events.finished(utterance);
      }, delay);
    }
  }

  /** The context's time, smoothed: `currentTime` moves in steps of a hardware buffer. */
  private now(audio: AudioContext): number {
    const clock = performance.now() / 1000;
    if (audio.state !== "running") return audio.currentTime;
    this.offset = Math.max(this.offset - 0.0002, audio.currentTime - clock);
    return clock + this.offset;
  }
}

/** Seconds from the player to the ear. */
function latency(audio: AudioContext): number {
  const reported = audio.outputLatency > 0 ? audio.outputLatency : audio.baseLatency;
  return Number.isFinite(reported) ? Math.min(0.5, Math.max(0, reported)) : 0;
}
