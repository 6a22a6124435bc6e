import { pcmFromFloats } from "./pcm.js";
import { PcmResampler } from "./resampler.js";

/** Samples in a packet: 20 ms at 24 kHz. */
export const PACKET_SAMPLES = 480;
/** Rate of the packets. */
export const PACKET_RATE = 24_000;

/** A packet of microphone sound and how loud it is. */
export interface MicrophonePacket {
  /** 480 samples of 24 kHz mono PCM16. */
  pcm: Int16Array<ArrayBuffer>;
  /** 0...1: four times the root mean square, at most 1. */
  level: number;
}

/** Cuts a stream of device samples into 20 ms packets of 24 kHz PCM16. */
export class MicrophonePacketizer {
  private readonly resampler: PcmResampler;
  private readonly pending = new Float32Array(PACKET_SAMPLES);
  private filled = 0;

  constructor(deviceRate: number) {
    this.resampler = new PcmResampler(deviceRate, PACKET_RATE);
  }

  /** The packets that `samples` complete. */
  push(samples: Float32Array): MicrophonePacket[] {
    const converted = this.resampler.process(samples);
    const packets: MicrophonePacket[] = [];
    let offset = 0;
    while (offset < converted.length) {
      const count = Math.min(PACKET_SAMPLES - this.filled, converted.length - offset);
      this.pending.set(converted.subarray(offset, offset + count), this.filled);
      this.filled += count;
      offset += count;
      if (this.filled === PACKET_SAMPLES) {
        packets.push({ pcm: pcmFromFloats(this.pending), level: level(this.pending) });
        this.filled = 0;
      }
    }
    return packets;
  }
}

function level(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.min(1, Math.sqrt(sum / samples.length) * 4);
}
