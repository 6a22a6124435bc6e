import { PlayerCore } from "../audio/player-core.js";
import type { PlayerCommand, PlayerMessage } from "../audio/player-messages.js";

/** Blocks between two reports: 128 samples each, so about 90 reports a second at 48 kHz. */
const BLOCKS_PER_REPORT = 4;

class PlayerProcessor extends AudioWorkletProcessor {
  private readonly core = new PlayerCore(sampleRate);
  private blocks = 0;
  private lastState = "";

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<PlayerCommand>) => {
      if (data.type === "begin") this.core.begin(data.utterance, data.rate);
      else if (data.type === "push") this.core.push(data.samples);
      else if (data.type === "end") this.core.end();
      else if (data.type === "pause") this.core.pause();
      else if (data.type === "resume") this.core.resume();
      else this.core.flush();
    };
  }

  override process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const block = outputs[0]?.[0];
    if (block === undefined) return true;
    this.core.render(block);
    const report = this.core.report;
    const changed = report.state !== this.lastState;
    if (changed || (report.state === "playing" && ++this.blocks % BLOCKS_PER_REPORT === 0)) {
      this.lastState = report.state;
      const message: PlayerMessage = { ...report, time: currentTime + block.length / sampleRate };
      this.port.postMessage(message);
    }
    return true;
  }
}

registerProcessor("yoob-player", PlayerProcessor);
