import { YoobError } from "./errors.js";

/** Where an utterance's sound goes. */
export interface SpeechOutput {
  begin(utterance: number, rate: number): void;
  push(samples: Float32Array<ArrayBuffer>): void;
  end(): void;
  pause(): void;
  resume(): void;
  /** Stops the sound; returns the samples heard. */
  interrupt(): number;
  heard(): number;
}

/** A piece of mouth frames: 15 weights each, 100 a second, from frame `start` of the utterance on. */
export interface VisemePiece {
  start: number;
  frames: Float32Array;
}

/** A piece of melody: Hz and mark, 50 pairs a second, from frame `start` of the utterance on. */
export interface ProsodyPiece {
  start: number;
  frames: Float32Array;
}

/** One stretch of speech at one sample rate. */
export interface Utterance {
  readonly id: number;
  readonly rate: number;
  /** Sound that the face has not been given yet. */
  readonly faceChunks: Float32Array[];
  readonly visemes: VisemePiece[];
  readonly prosody: ProsodyPiece[];
  /** Sound that waits for the utterance's turn. */
  readonly waiting: Float32Array<ArrayBuffer>[];
  received: number;
  /** Index of the first sample that can be heard; -1 while all is silence. */
  firstAudible: number;
  ended: boolean;
}

/** The longest sound that may be queued, in seconds. */
export const LONGEST_QUEUE_SECONDS = 1800;
const AUDIBLE = 0.004;
/** Samples that the face takes in at a time. */
const FACE_CHUNK = 9600;

/**
 * Utterances in order: one is open for more sound, one is heard, and the next begins when the last
 * sample of the one before was heard.
 */
export class SpeechQueue {
  private readonly output: SpeechOutput;
  private readonly utterances: Utterance[] = [];
  private nextID = 1;

  constructor(output: SpeechOutput) {
    this.output = output;
  }

  /** The utterance that is heard, or about to be. */
  get current(): Utterance | undefined {
    return this.utterances[0];
  }

  /** The utterance that takes more sound. */
  get open(): Utterance | undefined {
    const last = this.utterances[this.utterances.length - 1];
    return last?.ended === false ? last : undefined;
  }

  /** Milliseconds of the current utterance that were heard. */
  get heardMs(): number {
    const current = this.current;
    return current === undefined ? 0 : (this.output.heard() * 1000) / current.rate;
  }

  /** Queues sound; opens an utterance when none is open. Throws `invalid-audio`. */
  speak(samples: Float32Array<ArrayBuffer>, rate: number): Utterance {
    if (!Number.isInteger(rate) || rate < 8000 || rate > 48_000) {
      throw new YoobError("invalid-audio", `The sample rate ${rate} is not between 8000 and 48000.`);
    }
    const utterance = this.open ?? this.add(rate);
    if (utterance.rate !== rate) {
      throw new YoobError(
        "invalid-audio",
        `The sample rate changed from ${utterance.rate} to ${rate}; call endSpeech() before that.`,
      );
    }
    if ((utterance.received + samples.length) / rate > LONGEST_QUEUE_SECONDS) {
      throw new YoobError(
        "invalid-audio",
        "The utterance is longer than half an hour; call endSpeech() in between.",
      );
    }
    if (utterance.firstAudible < 0) {
      const index = samples.findIndex((sample) => Math.abs(sample) > AUDIBLE);
      if (index >= 0) utterance.firstAudible = utterance.received + index;
    }
    utterance.received += samples.length;
    for (let at = 0; at < samples.length; at += FACE_CHUNK) {
      utterance.faceChunks.push(samples.slice(at, at + FACE_CHUNK));
    }
    if (utterance === this.current) this.output.push(samples);
    else utterance.waiting.push(samples);
    return utterance;
  }

  /** Closes the open utterance; without one nothing happens. */
  end(): void {
    const utterance = this.open;
    if (utterance === undefined) return;
    utterance.ended = true;
    if (utterance === this.current) this.output.end();
  }

  /** Holds the sound; without effect when nothing is heard. */
  pause(): void {
    if (this.current !== undefined) this.output.pause();
  }

  /** Goes on with the sample after the last one that was heard. */
  resume(): void {
    if (this.current !== undefined) this.output.resume();
  }

  /** Drops every utterance; returns the milliseconds of the current one that were heard. */
  interrupt(): number {
    const current = this.current;
    if (current === undefined) return 0;
    this.utterances.length = 0;
    return Math.floor((this.output.interrupt() * 1000) / current.rate);
  }

  /** The last sample of `id` was heard: the next utterance begins. */
  finish(id: number): Utterance | undefined {
    if (this.current?.id !== id) return undefined;
    const finished = this.utterances.shift();
    const next = this.current;
    if (next !== undefined) this.start(next);
    return finished;
  }

  private add(rate: number): Utterance {
    const utterance: Utterance = {
      id: this.nextID++,
      rate,
      faceChunks: [],
      visemes: [],
      prosody: [],
      waiting: [],
      received: 0,
      firstAudible: -1,
      ended: false,
    };
    this.utterances.push(utterance);
    if (this.utterances.length === 1) this.output.begin(utterance.id, rate);
    return utterance;
  }

  private start(utterance: Utterance): void {
    this.output.begin(utterance.id, utterance.rate);
    for (const samples of utterance.waiting.splice(0)) this.output.push(samples);
    if (utterance.ended) this.output.end();
  }
}
