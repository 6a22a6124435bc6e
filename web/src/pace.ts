import { YoobError } from "./errors.js";

/** What a download must bring, in bytes, in each window of so many milliseconds. */
export interface LeastPace {
  bytes: number;
  milliseconds: number;
}

/** Ends a download that is too slow, as when its server has stopped to send. */
export class Pace {
  /** Why the download was ended; undefined while it was not. */
  fault: YoobError | undefined;
  private received = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: string,
    private readonly least: LeastPace,
    private readonly end: () => void,
  ) {
    this.open();
  }

  /** Counts bytes that came. */
  add(bytes: number): void {
    this.received += bytes;
  }

  /** No longer watches. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /** A window that ends far too late is no fault the first time: the computer slept, or the page did. */
  private open(hasOverslept = false): void {
    this.received = 0;
    const { bytes, milliseconds } = this.least;
    const latest = Date.now() + 2 * milliseconds;
    this.timer = setTimeout(() => {
      if (this.received >= bytes) return this.open();
      if (!hasOverslept && Date.now() > latest) return this.open(true);
      const speed = `${this.received} bytes in ${milliseconds / 1000} s`;
      this.fault = new YoobError("network", `${this.host} sends too slowly (${speed}). Try again.`);
      this.end();
    }, milliseconds);
  }
}
