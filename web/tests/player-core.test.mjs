import assert from "node:assert/strict";
import test from "node:test";
import { PlayerCore } from "../dist/audio/player-core.js";

const BLOCK = 128;

function render(core, blocks) {
  const out = [];
  for (let i = 0; i < blocks; i++) {
    const block = new Float32Array(BLOCK);
    core.render(block);
    out.push(...block);
  }
  return out;
}

function ones(count) {
  return new Float32Array(count).fill(0.5);
}

test("an utterance waits for its cushion, then plays", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(480));
  render(core, 1);
  assert.equal(core.report.state, "holding");
  core.push(ones(960));
  render(core, 1);
  assert.equal(core.report.state, "playing");
});

test("a short utterance starts when it is complete", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(100));
  core.end();
  assert.ok(render(core, 1).some((sample) => sample > 0.4));
  assert.equal(core.report.state, "finished");
  assert.equal(core.report.played, 100);
});

test("every sample is played once, and the count ends at what arrived", () => {
  const core = new PlayerCore(48000);
  core.begin(1, 24000);
  core.push(ones(6000));
  core.push(ones(6000));
  core.end();
  const out = render(core, 400);
  assert.equal(core.report.state, "finished");
  assert.equal(core.report.played, 12000);
  const sum = out.reduce((total, sample) => total + sample, 0);
  assert.ok(Math.abs(sum / 0.5 / 24000 - 1) < 0.01, `energy ${sum}`);
});

test("the count follows the sound to a millisecond at another device rate", () => {
  const core = new PlayerCore(44100);
  core.begin(1, 16000);
  core.push(ones(16000));
  render(core, 100);
  assert.ok(Math.abs(core.report.played - (100 * BLOCK * 16000) / 44100) < 32);
});

test("an underrun freezes the count and is heard as silence", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(1280));
  render(core, 12);
  assert.equal(core.report.state, "starved");
  const frozen = core.report.played;
  assert.ok(render(core, 10).every((sample) => sample === 0));
  assert.equal(core.report.played, frozen);
  assert.equal(core.report.underruns, 1);
});

test("after an underrun the sound goes on with a larger cushion", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(1280));
  render(core, 12);
  core.push(ones(2000));
  render(core, 1);
  assert.equal(core.report.state, "starved");
  core.push(ones(2000));
  render(core, 1);
  assert.equal(core.report.state, "playing");
});

test("a short tail goes on after a moment", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(1280));
  render(core, 12);
  core.push(ones(400));
  render(core, 30);
  assert.equal(core.report.played, 1680);
});

test("a flush fades out within one block and leaves silence", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(24000));
  render(core, 10);
  core.flush();
  const fade = render(core, 1);
  assert.ok(fade[0] > 0.4 && fade[BLOCK - 1] < 0.01);
  assert.ok(render(core, 20).every((sample) => sample === 0));
  assert.equal(core.report.state, "idle");
});

test("an utterance after a flush starts from zero", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(24000));
  render(core, 10);
  core.flush();
  core.begin(2, 16000);
  assert.deepEqual({ ...core.report, state: "" }, {
    utterance: 2,
    played: 0,
    received: 0,
    state: "",
    underruns: 0,
  });
});

test("a flush before the first sound drops the utterance", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(100));
  core.flush();
  core.push(ones(24000));
  assert.ok(render(core, 20).every((sample) => sample === 0));
});

const ramp = (count) => Float32Array.from({ length: count }, (_, index) => (index + 1) / count);

test("held sound goes on with the next sample: nothing is lost, nothing comes twice", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ramp(6000));
  core.end();
  const before = render(core, 10);
  core.pause();
  const fade = render(core, 1);
  assert.equal(core.report.state, "paused");
  const held = core.report.played;
  assert.ok(render(core, 50).every((sample) => sample === 0));
  assert.equal(core.report.played, held);
  core.resume();
  const after = render(core, 60);
  assert.equal(core.report.state, "finished");
  assert.equal(core.report.played, 6000);
  const sound = [...before, ...fade, ...after].slice(0, 6000);
  const border = before.length;
  sound.forEach((sample, index) => {
    const fades = index >= border && index < border + 2 * BLOCK;
    if (!fades) assert.ok(Math.abs(sample - (index + 1) / 6000) < 0.02, `${index}: ${sample}`);
    else assert.ok(sample <= (index + 1) / 6000 + 0.02);
  });
});

test("a hold before the first sound, and one of starved sound, end with resume", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.pause();
  core.push(ones(2400));
  render(core, 10);
  assert.equal(core.report.state, "paused");
  assert.equal(core.report.played, 0);
  core.resume();
  render(core, 30);
  assert.equal(core.report.state, "starved");
  core.pause();
  core.push(ones(4800));
  render(core, 10);
  assert.equal(core.report.state, "paused");
  core.resume();
  core.end();
  render(core, 60);
  assert.equal(core.report.state, "finished");
  assert.equal(core.report.played, 7200);
});

test("held sound that is flushed is silent, and the next utterance plays", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(6000));
  render(core, 5);
  core.pause();
  render(core, 2);
  core.flush();
  core.resume();
  assert.ok(render(core, 20).every((sample) => sample === 0));
  core.begin(2, 24000);
  core.push(ones(2400));
  core.end();
  assert.ok(render(core, 5).some((sample) => sample > 0.4));
});

test("a pause that is taken back at once is not heard", () => {
  const core = new PlayerCore(24000);
  core.begin(1, 24000);
  core.push(ones(6000));
  render(core, 5);
  core.pause();
  core.resume();
  assert.ok(render(core, 5).every((sample) => sample > 0.45));
});
