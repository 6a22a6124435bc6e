import { MicrophonePacketizer } from "../audio/packets.js";

class CaptureProcessor extends AudioWorkletProcessor {
  private readonly packetizer = new MicrophonePacketizer(sampleRate);
  private readonly silence = new Float32Array(128);

  override process(inputs: Float32Array[][]): boolean {
    const samples = inputs[0]?.[0] ?? this.silence;
    for (const packet of this.packetizer.push(samples)) {
      this.port.postMessage(packet, [packet.pcm.buffer]);
    }
    return true;
  }
}

registerProcessor("yoob-capture", CaptureProcessor);
