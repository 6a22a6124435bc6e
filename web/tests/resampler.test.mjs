import assert from "node:assert/strict";
import test from "node:test";
import { PcmResampler } from "../dist/audio/resampler.js";

function tone(rate, hertz, seconds) {
  return Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, n) => Math.sin((2 * Math.PI * hertz * n) / rate),
  );
}

function convert(resampler, samples, packet) {
  const out = [];
  for (let at = 0; at < samples.length; at += packet) {
    out.push(...resampler.process(samples.subarray(at, at + packet)));
  }
  out.push(...resampler.flush());
  return Float32Array.from(out);
}

for (
  const [from, to] of [[24000, 48000], [24000, 44100], [48000, 24000], [44100, 24000], [8000, 48000], [
    22050,
    48000,
  ], [16000, 24000]]
) {
  test(`a tone keeps its shape from ${from} to ${to} Hz`, () => {
    const resampler = new PcmResampler(from, to);
    const got = convert(resampler, tone(from, 440, 0.5), 480);
    const shift = Math.round((resampler.delay * to) / from);
    let worst = 0;
    for (let n = 2000; n < Math.round(to * 0.4); n++) {
      const time = n / to - resampler.delay / from;
      worst = Math.max(worst, Math.abs(got[n] - Math.sin(2 * Math.PI * 440 * time)));
    }
    assert.ok(worst < 2e-3, `error ${worst}, shift ${shift}`);
  });
}

test("the sound does not depend on how it is cut into packets", () => {
  const samples = tone(24000, 700, 0.3);
  const whole = convert(new PcmResampler(24000, 44100), samples, samples.length);
  const pieces = convert(new PcmResampler(24000, 44100), samples, 37);
  assert.deepEqual(pieces, whole);
});

test("what the lower rate cannot carry is taken out", () => {
  const got = convert(new PcmResampler(48000, 16000), tone(48000, 11000, 0.3), 480);
  const loudest = got.slice(500, 4000).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  assert.ok(loudest < 1e-3, `loudest ${loudest}`);
});

test("the length is right to a sample after a minute of packets", () => {
  const resampler = new PcmResampler(44100, 24000);
  let count = 0;
  for (let n = 0; n < 6000; n++) count += resampler.process(new Float32Array(441)).length;
  count += resampler.flush().length;
  assert.ok(Math.abs(count - 60 * 24000 - (resampler.delay * 24000) / 44100) <= 1, `count ${count}`);
});

test("equal rates pass through", () => {
  const samples = tone(24000, 300, 0.01);
  assert.deepEqual(new PcmResampler(24000, 24000).process(samples), samples);
});

test("a rate that is not a number of samples is refused", () => {
  assert.throws(() => new PcmResampler(0, 48000), RangeError);
  assert.throws(() => new PcmResampler(24000, 44100.5), RangeError);
});
