import { assetUrl } from "./assets.js";
import type { MicrophonePacket } from "./audio/packets.js";
import { Emitter } from "./emitter.js";
import { YoobError } from "./errors.js";

export type YoobMicrophoneState = "off" | "starting" | "live" | "muted" | "failed";

/** What a microphone reports. */
export interface YoobMicrophoneEvents {
  /** 20 ms of 24 kHz mono PCM16. Not sent while muted. */
  audio: Int16Array<ArrayBuffer>;
  /** Loudness, 0...1, about 20 times a second. */
  level: number;
  state: YoobMicrophoneState;
  /** Devices were plugged in or removed. */
  devices: MediaDeviceInfo[];
  error: YoobError;
}

const LEVEL_EVERY_MS = 50;
const CHECK_EVERY_MS = 500;
const STALLED_AFTER_MS = 1600;
/** How long a woken context, and then a reopened device, may take to deliver. */
const WAKE_MS = 300;
const REOPEN_MS = 800;

/**
 * The user's microphone, captured with echo cancellation in the context that plays the character.
 *
 * An input that stalls is woken, then reopened once; an unplugged one is replaced by the default.
 */
export class YoobMicrophone {
  private readonly emitter = new Emitter<YoobMicrophoneEvents>();
  private readonly context: () => Promise<AudioContext>;
  private readonly assetBase: string | undefined;
  private currentState: YoobMicrophoneState = "off";
  private selected: string | null = null;
  private isMuted = false;
  private currentLevel = 0;
  private lastLevel = 0;
  private lastPacket = 0;
  private repair: "none" | "woken" | "reopened" = "none";
  private stream: MediaStream | undefined;
  private nodes: AudioNode[] = [];
  private timer: ReturnType<typeof setInterval> | undefined;
  private generation = 0;
  private moduleFor: AudioContext | undefined;

  /** `context` gives the audio context of the avatar. */
  constructor(context: () => Promise<AudioContext>, assetBase?: string) {
    this.context = context;
    this.assetBase = assetBase;
  }

  get state(): YoobMicrophoneState {
    return this.currentState;
  }

  get muted(): boolean {
    return this.isMuted;
  }

  /** The chosen device; null is the system's choice. */
  get deviceId(): string | null {
    return this.selected;
  }

  /** Loudness of the last packet, 0...1. */
  get level(): number {
    return this.currentLevel;
  }

  /** Adds a listener; the returned function removes it. */
  on<Name extends keyof YoobMicrophoneEvents>(
    name: Name,
    listener: (value: YoobMicrophoneEvents[Name]) => void,
  ): () => void {
    return this.emitter.on(name, listener);
  }

  /** The inputs of this machine; labels are empty until access was granted once. */
  async devices(): Promise<MediaDeviceInfo[]> {
    const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    return all.filter((device) => device.kind === "audioinput");
  }

  /** Opens the microphone; asks for permission. Throws `unauthorized`, `unsupported` or `renderer`. */
  async start(options: { deviceId?: string | null } = {}): Promise<void> {
    if (options.deviceId !== undefined) this.selected = options.deviceId;
    if (this.currentState === "live" || this.currentState === "muted" || this.currentState === "starting") {
      return;
    }
    this.setState("starting");
    try {
      await this.open();
    } catch (error) {
      const failure = microphoneError(error);
      this.fail(failure);
      throw failure;
    }
    if (this.stream === undefined) return;
    navigator.mediaDevices.addEventListener("devicechange", this.devicesChanged);
    this.timer ??= setInterval(() => this.check(), CHECK_EVERY_MS);
    void this.devicesChanged();
  }

  /** Switches to another input, at once when the microphone is open; null is the system's choice. */
  async select(deviceId: string | null): Promise<void> {
    this.selected = deviceId;
    if (this.currentState !== "live" && this.currentState !== "muted") return;
    await this.reopen();
  }

  /** While muted nothing is captured or sent. */
  setMuted(muted: boolean): void {
    this.isMuted = muted;
    this.stream?.getAudioTracks().forEach((track) => (track.enabled = !muted));
    if (muted) this.setLevel(0);
    if (this.currentState === "live" || this.currentState === "muted") {
      this.setState(muted ? "muted" : "live");
    }
  }

  /** Closes the microphone. */
  stop(): void {
    this.close();
    this.setState("off");
  }

  private async open(): Promise<void> {
    const generation = ++this.generation;
    if (navigator.mediaDevices?.getUserMedia === undefined) {
      throw new YoobError("unsupported", "The microphone needs a page served over HTTPS or from localhost.");
    }
    const audio: MediaTrackConstraints = {
      channelCount: 1,
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...(this.selected === null ? {} : { deviceId: { exact: this.selected } }),
    };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    const stopTracks = (): void => stream.getTracks().forEach((track) => track.stop());
    try {
      const context = await this.context();
      if (this.moduleFor !== context) {
        await context.audioWorklet.addModule(assetUrl("capture-worklet.js", this.assetBase));
        this.moduleFor = context;
      }
      void context.resume().catch(() => undefined);
      if (generation !== this.generation) return stopTracks();
      this.connect(context, stream);
    } catch (error) {
      stopTracks();
      throw error;
    }
  }

  private connect(context: AudioContext, stream: MediaStream): void {
    this.release();
    this.stream = stream;
    const source = context.createMediaStreamSource(stream);
    const capture = new AudioWorkletNode(context, "yoob-capture", {
      numberOfOutputs: 1,
      outputChannelCount: [1],
    });
    capture.port.onmessage = ({ data }: MessageEvent<MicrophonePacket>) => this.take(data);
    const silent = context.createGain();
    silent.gain.value = 0;
    source.connect(capture).connect(silent).connect(context.destination);
    this.nodes = [source, capture, silent];
    for (const track of stream.getAudioTracks()) {
      track.enabled = !this.isMuted;
      track.onended = () => void this.unplugged();
    }
    this.lastPacket = performance.now();
    this.setState(this.isMuted ? "muted" : "live");
  }

  private take(packet: MicrophonePacket): void {
    this.lastPacket = performance.now();
    this.repair = "none";
    if (this.isMuted) return;
    this.emitter.emit("audio", packet.pcm);
    this.currentLevel = Math.max(packet.level, this.currentLevel * 0.8);
    if (this.lastPacket - this.lastLevel >= LEVEL_EVERY_MS) this.setLevel(this.currentLevel);
  }

  private setLevel(level: number): void {
    this.currentLevel = level;
    this.lastLevel = performance.now();
    this.emitter.emit("level", level);
  }

  /** Wakes, then reopens, an input that delivers nothing. */
  private check(): void {
    if (
      document.visibilityState === "hidden" || (this.currentState !== "live" && this.currentState !== "muted")
    ) return;
    const quiet = performance.now() - this.lastPacket;
    if (this.repair === "none" && quiet > STALLED_AFTER_MS) {
      this.repair = "woken";
      void this.context().then((context) => context.resume()).catch(() => undefined);
    } else if (this.repair === "woken" && quiet > STALLED_AFTER_MS + WAKE_MS) {
      this.repair = "reopened";
      void this.reopen(true);
    } else if (this.repair === "reopened" && quiet > REOPEN_MS) {
      this.fail(
        new YoobError(
          "renderer",
          "The microphone delivers no sound. Choose another one, or plug it in again.",
        ),
      );
    }
  }

  private async unplugged(): Promise<void> {
    if (this.currentState !== "live" && this.currentState !== "muted") return;
    this.selected = null;
    await this.reopen();
  }

  private async reopen(keepRepair = false): Promise<void> {
    if (!keepRepair) this.repair = "none";
    try {
      await this.open();
    } catch (error) {
      if (this.selected !== null) {
        this.selected = null;
        return this.reopen(keepRepair);
      }
      this.fail(microphoneError(error));
    }
  }

  private readonly devicesChanged = async (): Promise<void> => {
    this.emitter.emit("devices", await this.devices().catch(() => []));
  };

  private fail(error: YoobError): void {
    this.close();
    this.setState("failed");
    this.emitter.emit("error", error);
  }

  private close(): void {
    this.generation++;
    clearInterval(this.timer);
    this.timer = undefined;
    this.repair = "none";
    navigator.mediaDevices?.removeEventListener("devicechange", this.devicesChanged);
    this.release();
    this.setLevel(0);
  }

  private release(): void {
    for (const node of this.nodes) node.disconnect();
    this.nodes = [];
    for (const track of this.stream?.getTracks() ?? []) {
      track.onended = null;
      track.stop();
    }
    this.stream = undefined;
  }

  private setState(state: YoobMicrophoneState): void {
    if (this.currentState === state) return;
    this.currentState = state;
    this.emitter.emit("state", state);
  }
}

/** The error of a refused or missing microphone, in words for the user. */
function microphoneError(error: unknown): YoobError {
  if (error instanceof YoobError) return error;
  const name = error instanceof DOMException ? error.name : "";
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return new YoobError(
        "unauthorized",
        "The browser does not allow the microphone on this page. Allow it in the site settings and try again.",
      );
    case "NotFoundError":
    case "OverconstrainedError":
      return new YoobError("unsupported", "No microphone was found. Plug one in and try again.");
    case "NotReadableError":
    case "AbortError":
      return new YoobError(
        "renderer",
        "The microphone is used by another program. Close it there and try again.",
      );
    default:
      return YoobError.from(error, "renderer");
  }
}
