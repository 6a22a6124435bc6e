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

  private open(): void {
    this.received = 0;
    this.timer = setTimeout(() => {
      if (this.received >= this.least.bytes) return this.open();
      const speed = `${this.received} bytes in ${this.least.milliseconds / 1000} s`;
      this.fault = new YoobError("network", `${this.host} sends too slowly (${speed}). Try again.`);
      this.end();
    }, this.least.milliseconds);
  }
}
