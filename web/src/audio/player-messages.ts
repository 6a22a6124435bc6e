import type { PlayerReport } from "./player-core.js";

/** What the page asks of the player in the audio thread. */
export type PlayerCommand =
  | { type: "begin"; utterance: number; rate: number }
  | { type: "push"; samples: Float32Array }
  | { type: "end" }
  | { type: "pause" }
  | { type: "resume" }
  | { type: "flush" };

/** What the player tells the page; `time` is the context's time at which `played` holds. */
export interface PlayerMessage extends PlayerReport {
  time: number;
}
