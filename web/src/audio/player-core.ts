import { PcmResampler } from "./resampler.js";

/** What the player reports about the open utterance. */
export interface PlayerReport {
  utterance: number;
  /** Samples of the utterance, at its own rate, that left the player. */
  played: number;
  /** Samples of the utterance that arrived. */
  received: number;
  state: "idle" | "holding" | "playing" | "paused" | "starved" | "finished";
  underruns: number;
}

/** Sound that must be queued before an utterance starts; grows with underruns. */
const FIRST_CUSHION_MS = 40;
const CUSHION_STEP_MS = 40;
const LARGEST_CUSHION_MS = 300;
/** Sound that must be queued before an utterance goes on after it ran dry. */
const RESUME_MS = 160;
/** A shorter tail goes on after this long. */
const TAIL_WAIT_MS = 120;
/** Input samples that are resampled in one step. */
const SLICE = 256;

/**
 * Plays one utterance at a time and counts the samples that really left.
 *
 * Runs inside the audio thread. An underrun freezes the count; `flush()` fades the sound out
 * within the next block and drops the rest.
 */
export class PlayerCore {
  private readonly deviceRate: number;
  private utterance = 0;
  private rate = 24_000;
  private resampler: PcmResampler;
  private chunks: Float32Array[] = [];
  private chunkOffset = 0;
  private queued = 0;
  private received = 0;
  private ended = false;
  private flushed = false;
  private ready: Float32Array = new Float32Array(0);
  private readyOffset = 0;
  private output = 0;
  private state: PlayerReport["state"] = "idle";
  private underruns = 0;
  private cushionMs = FIRST_CUSHION_MS;
  private starvedFor = 0;
  private fading = false;
  private pausing = false;
  private rising = false;

  constructor(deviceRate: number) {
    this.deviceRate = deviceRate;
    this.resampler = new PcmResampler(this.rate, deviceRate);
  }

  /** Opens an utterance; one that is open is dropped. */
  begin(utterance: number, rate: number): void {
    this.drop();
    this.utterance = utterance;
    this.rate = rate;
    this.resampler = new PcmResampler(rate, this.deviceRate);
    this.received = 0;
    this.output = 0;
    this.ended = false;
    this.flushed = false;
    this.fading = false;
    this.pausing = false;
    this.rising = false;
    this.state = "holding";
  }

  /** Queues samples of the open utterance. */
  push(samples: Float32Array): void {
    if (this.state === "idle" || this.state === "finished" || samples.length === 0) return;
    this.chunks.push(samples);
    this.queued += samples.length;
    this.received += samples.length;
  }

  /** No more samples follow. */
  end(): void {
    this.ended = true;
  }

  /** Fades out within the next block and keeps the rest. */
  pause(): void {
    if (this.state === "playing") this.pausing = true;
    else if (this.state === "holding" || this.state === "starved") this.state = "paused";
  }

  /** Goes on with the sample after the last one that left. */
  resume(): void {
    if (this.pausing) {
      this.pausing = false;
    } else if (this.state === "paused") {
      this.rising = this.output > 0;
      this.state = this.output > 0 && this.hasSound() ? "playing" : this.output > 0 ? "starved" : "holding";
      this.starvedFor = 0;
    }
  }

  /** Fades out within the next block and drops the rest. */
  flush(): void {
    if (this.state === "playing") {
      this.fading = true;
    } else {
      this.drop();
      this.state = "idle";
    }
  }

  /** Fills `block` with the sound of now, silence where there is none. */
  render(block: Float32Array): void {
    block.fill(0);
    if (this.state === "holding" && this.mayStart(this.cushionMs)) this.state = "playing";
    if (this.state === "starved") {
      this.starvedFor += block.length;
      const waited = (this.starvedFor * 1000) / this.deviceRate;
      if (this.mayStart(RESUME_MS) || (this.queued > 0 && waited >= TAIL_WAIT_MS)) this.state = "playing";
    }
    if (this.state !== "playing") return;
    const count = this.read(block);
    this.output += count;
    if (this.rising) {
      for (let i = 0; i < block.length; i++) block[i] = (block[i] as number) * (i / block.length);
      this.rising = false;
    }
    if (this.fading || this.pausing) {
      for (let i = 0; i < block.length; i++) block[i] = (block[i] as number) * (1 - i / block.length);
    }
    if (this.fading) {
      this.drop();
      this.state = "idle";
      this.fading = false;
    } else if (this.pausing && (count === block.length || !this.ended)) {
      this.state = "paused";
    } else if (count < block.length) {
      if (this.ended) {
        this.state = "finished";
      } else {
        this.state = "starved";
        this.starvedFor = 0;
        this.underruns++;
        this.cushionMs = Math.min(LARGEST_CUSHION_MS, this.cushionMs + CUSHION_STEP_MS);
      }
    }
    this.pausing = false;
  }

  get report(): PlayerReport {
    const exact = (this.output * this.rate) / this.deviceRate - this.resampler.delay;
    const played = this.state === "finished" ? this.received : Math.min(this.received, Math.max(0, exact));
    const { utterance, received, state, underruns } = this;
    return { utterance, played, received, state, underruns };
  }

  private hasSound(): boolean {
    return this.ended || this.queued > 0 || this.readyOffset < this.ready.length;
  }

  private mayStart(cushionMs: number): boolean {
    return this.ended || (this.queued * 1000) / this.rate >= cushionMs;
  }

  /** Moves up to a block of resampled sound into `block`. */
  private read(block: Float32Array): number {
    let count = 0;
    while (count < block.length) {
      if (this.readyOffset === this.ready.length && !this.refill()) break;
      const take = Math.min(block.length - count, this.ready.length - this.readyOffset);
      block.set(this.ready.subarray(this.readyOffset, this.readyOffset + take), count);
      this.readyOffset += take;
      count += take;
    }
    return count;
  }

  private refill(): boolean {
    this.readyOffset = 0;
    const chunk = this.chunks[0];
    if (chunk === undefined) {
      const tail = this.ended && !this.flushed ? this.resampler.flush() : new Float32Array(0);
      this.flushed ||= this.ended;
      this.ready = tail;
      return tail.length > 0;
    }
    const slice = chunk.subarray(this.chunkOffset, this.chunkOffset + SLICE);
    this.chunkOffset += slice.length;
    this.queued -= slice.length;
    if (this.chunkOffset === chunk.length) {
      this.chunks.shift();
      this.chunkOffset = 0;
    }
    this.ready = this.resampler.process(slice);
    return this.ready.length > 0 || this.refill();
  }

  private drop(): void {
    this.chunks = [];
    this.chunkOffset = 0;
    this.queued = 0;
    this.ready = new Float32Array(0);
    this.readyOffset = 0;
  }
}
