import type { YoobTurnMetrics } from "./events.js";

/** Packets of which the capture time is remembered: one minute. */
const MOST_PACKETS = 3000;

/** Measures each turn on the page: from the end of the user's words to the first audible sample. */
export class TurnTimer {
  private sentMs = 0;
  private packets: { endMs: number; at: number }[] = [];
  private turnBegan: number | undefined;
  private audibleAt: number | undefined;
  private server: YoobTurnMetrics = {};

  /** A new connection counts its sound from zero. */
  reset(): void {
    this.sentMs = 0;
    this.packets = [];
    this.turnBegan = undefined;
  }

  /** A packet that ended at `at` was sent. */
  sent(milliseconds: number, at: number): void {
    this.sentMs += milliseconds;
    this.packets.push({ endMs: this.sentMs, at });
    if (this.packets.length > MOST_PACKETS) this.packets.splice(0, 500);
  }

  /** The user's words ended `audioMs` into the sound that was sent. */
  speechStopped(audioMs: number, now: number): void {
    const packet = this.packets.find(({ endMs }) => endMs >= audioMs);
    this.begin(packet === undefined ? now : packet.at - (packet.endMs - audioMs));
  }

  /** The user's message was sent at `at`. */
  begin(at: number): void {
    this.turnBegan = at;
    this.audibleAt = undefined;
    this.server = {};
  }

  /** The reply was heard; the turn's timings, once a turn. */
  audible(at: number): YoobTurnMetrics | undefined {
    if (this.turnBegan === undefined || this.audibleAt !== undefined) return undefined;
    this.audibleAt = at;
    return this.timings();
  }

  /** The server's timings; the turn's timings when the reply was heard already. */
  measured(metrics: YoobTurnMetrics): YoobTurnMetrics | undefined {
    this.server = { ...this.server, ...metrics };
    return this.audibleAt === undefined ? undefined : this.timings();
  }

  private timings(): YoobTurnMetrics {
    const total = Math.max(0, Math.round((this.audibleAt ?? 0) - (this.turnBegan ?? 0)));
    return { ...this.server, heard_ms: total };
  }
}
