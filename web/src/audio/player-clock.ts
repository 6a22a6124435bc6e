import type { PlayerMessage } from "./player-messages.js";

/** Reports kept: more than half a second of them. */
const KEPT = 64;

/**
 * Where the listener is in the open utterance, from the player's reports.
 *
 * Between reports the position runs on at the utterance's rate while the player plays, and never
 * passes the next report: an underrun freezes it.
 */
export class PlayerClock {
  private reports: PlayerMessage[] = [];
  private utterance = 0;
  private rate = 24_000;

  /** Rate of the utterance. */
  get samplesPerSecond(): number {
    return this.rate;
  }

  /** Starts to follow an utterance. */
  begin(utterance: number, rate: number): void {
    this.utterance = utterance;
    this.rate = rate;
    this.reports = [];
  }

  /** Takes a report; reports of other utterances are ignored. */
  add(report: PlayerMessage): boolean {
    if (report.utterance !== this.utterance) return false;
    this.reports.push(report);
    if (this.reports.length > KEPT) this.reports.shift();
    return true;
  }

  /** Samples of the utterance heard at `time` of the audio context, latency already taken off. */
  heardAt(time: number): number {
    for (let i = this.reports.length - 1; i >= 0; i--) {
      const report = this.reports[i] as PlayerMessage;
      if (report.time > time) continue;
      const next = this.reports[i + 1];
      if (report.state !== "playing" && next === undefined) return report.played;
      const running = report.state === "playing"
        ? report.played + (time - report.time) * this.rate
        : report.played;
      return Math.min(running, next?.played ?? report.received, report.received);
    }
    const first = this.reports[0];
    if (first === undefined || first.state !== "playing") return 0;
    return Math.max(0, first.played - (first.time - time) * this.rate);
  }
}
