import assert from "node:assert/strict";
import test from "node:test";
import { MicrophonePacketizer, PACKET_SAMPLES } from "../dist/audio/packets.js";
import { base64FromPcm, bytesFromBase64, floatsFromPcm, pcmFromFloats } from "../dist/audio/pcm.js";

test("a second of 48 kHz becomes fifty packets of 480 samples", () => {
  const packetizer = new MicrophonePacketizer(48000);
  const packets = [];
  for (let n = 0; n < 48000 + 128; n += 128) packets.push(...packetizer.push(new Float32Array(128)));
  assert.equal(packets.length, 50);
  assert.ok(packets.every(({ pcm }) => pcm.length === PACKET_SAMPLES));
});

test("the level is four times the root mean square, at most one", () => {
  const packetizer = new MicrophonePacketizer(24000);
  assert.ok(Math.abs(packetizer.push(new Float32Array(480).fill(0.1))[0].level - 0.4) < 1e-6);
  assert.equal(packetizer.push(new Float32Array(480).fill(0.9))[0].level, 1);
});

test("silence still makes packets, at level zero", () => {
  assert.equal(new MicrophonePacketizer(24000).push(new Float32Array(960))[1].level, 0);
});

test("sound that is too loud is clipped, not wrapped", () => {
  assert.deepEqual([...pcmFromFloats(Float32Array.of(1.7, -1.7, 0))], [32767, -32768, 0]);
});

test("PCM survives base64 and back", () => {
  const pcm = Int16Array.from({ length: 9000 }, (_, n) => ((n * 7919) % 65536) - 32768);
  assert.deepEqual(new Int16Array(bytesFromBase64(base64FromPcm(pcm))), pcm);
});

test("half a sample is refused", () => {
  assert.throws(() => floatsFromPcm(new ArrayBuffer(3)), { code: "invalid-audio" });
});

test("text that is not base64 is refused", () => {
  assert.throws(() => bytesFromBase64("§§"), { code: "invalid-audio" });
});
