import assert from "node:assert/strict";
import test from "node:test";
import {
  isAllowedVoiceUrl,
  isTransientClose,
  reconnectDelay,
  voiceCloseError,
} from "../dist/conversation/addresses.js";
import { voiceSessionAddress } from "../dist/conversation/options.js";
import { TurnTimer } from "../dist/conversation/turn-timer.js";
import { prosodyFrames } from "../dist/conversation/prosody-frames.js";
import { visemeFrames } from "../dist/conversation/viseme-frames.js";

for (
  const [url, allowed] of [
    ["wss://voice.example.com/v1/realtime", true],
    ["wss://example.com/v1/realtime", false],
    ["wss://voice.example.com.evil.org/", false],
    ["ws://voice.example.com/", false],
    ["ws://127.0.0.1:8787/v1/realtime", true],
    ["wss://user:key@voice.example.com/", false],
    ["https://voice.example.com/", false],
    ["not an address", false],
  ]
) {
  test(`${url} is ${allowed ? "allowed" : "refused"} for *.example.com and this machine`, () => {
    assert.equal(isAllowedVoiceUrl(url, ["*.example.com", "127.0.0.1"]), allowed);
  });
}

test("a voice session carries its token as a subprotocol", () => {
  const address = voiceSessionAddress({ url: "ws://localhost:1/v1/realtime", voice_token: "yv1.a" }, [
    "localhost",
  ]);
  assert.deepEqual(address.protocols, ["realtime", "yoob-voice-grant.yv1.a"]);
});

for (
  const [body, code] of [
    [{ code: "quota_exceeded" }, "out-of-credit"],
    [{ error: "no" }, "unauthorized"],
    [{}, "voice-session"],
    [null, "voice-session"],
    [{ url: "wss://elsewhere.org", voice_token: "x" }, "voice-session"],
  ]
) {
  test(`the backend's answer ${JSON.stringify(body)} is ${code}`, () => {
    assert.throws(() => voiceSessionAddress(body, ["localhost"]), { code });
  });
}

test("a close carries its code and words for the user", () => {
  const error = voiceCloseError(4009, "session_time_limit");
  assert.equal(error.code, "voice-session");
  assert.deepEqual(error.details, { closeCode: 4009, closeReason: "session_time_limit" });
});

test("lost connections are opened again, refusals are not", () => {
  assert.ok([1006, 1001, 1011, 1012].every(isTransientClose));
  assert.ok(![1000, 1013, 4001, 4003, 4009, 4029].some(isTransientClose));
});

test("waits double up to ten seconds, with jitter", () => {
  assert.deepEqual([1, 2, 3, 4].map((attempt) => reconnectDelay(attempt, 0.5)), [500, 1000, 2000, 4000]);
  assert.equal(reconnectDelay(40, 0.5), 10000);
  assert.equal(reconnectDelay(1, 0), 400);
  assert.equal(reconnectDelay(1, 1), 600);
});

test("a turn is measured from the capture of the last word to the first audible sample", () => {
  const timer = new TurnTimer();
  for (let n = 1; n <= 100; n++) timer.sent(20, 1000 + n * 20);
  timer.speechStopped(1500, 3100);
  assert.deepEqual(timer.audible(3400), { heard_ms: 900 });
  assert.equal(timer.audible(3500), undefined);
  assert.deepEqual(timer.measured({ stt_ms: 40 }), { stt_ms: 40, heard_ms: 900 });
});

test("the server's timings are kept until the reply is heard", () => {
  const timer = new TurnTimer();
  timer.begin(100);
  assert.equal(timer.measured({ stt_ms: 5 }), undefined);
  assert.deepEqual(timer.audible(350), { stt_ms: 5, heard_ms: 250 });
});

test("a new connection counts its sound from zero", () => {
  const timer = new TurnTimer();
  timer.sent(1000, 1000);
  timer.reset();
  timer.sent(20, 5000);
  timer.speechStopped(20, 9000);
  assert.deepEqual(timer.audible(5600), { heard_ms: 600 });
});

test("mouth frames come to a hundred a second", () => {
  const frame = (index) => Array.from({ length: 15 }, (_, k) => (k === index ? 1 : 0));
  const frames = visemeFrames([frame(1), frame(2)], 50);
  assert.equal(frames.length, 4 * 15);
  assert.deepEqual([frames[1], frames[15 + 1], frames[30 + 2], frames[45 + 2]], [1, 1, 1, 1]);
});

test("mouth frames that are not numbers, or not fifteen, are dropped", () => {
  assert.equal(visemeFrames([[1, 2, 3]], 100), undefined);
  assert.equal(visemeFrames([Array(15).fill("x")], 100), undefined);
  assert.equal(visemeFrames([], 100), undefined);
  assert.equal(visemeFrames([Array(15).fill(1)], 0), undefined);
  assert.equal(visemeFrames([Array(15).fill(1)], Number.MIN_VALUE), undefined);
  assert.equal(visemeFrames([Array(15).fill(1)], 0.001), undefined);
});

test("a melody becomes Hz and mark for each 20 ms, whatever its rate", () => {
  assert.deepEqual([...prosodyFrames([200, 0], [1, 2], 50)], [200, 1, 0, 2]);
  assert.deepEqual([...prosodyFrames([200, 100], [1, 0], 25)], [200, 1, 200, 1, 100, 0, 100, 0]);
  assert.deepEqual([...prosodyFrames([1, 2, 3, 4], [0, 0, 1, 1], 100)], [1, 0, 3, 1]);
});

test("a pitch that no voice has is silence, and marks may be missing or unknown", () => {
  assert.deepEqual([...prosodyFrames([-1, 1e9, 120, 130], [7, "x"], 50)], [0, 0, 0, 0, 120, 0, 130, 0]);
});

test("a melody that is none is dropped", () => {
  assert.equal(prosodyFrames([], [], 50), undefined);
  assert.equal(prosodyFrames([100, "x"], [0, 0], 50), undefined);
  assert.equal(prosodyFrames([Number.NaN], [0], 50), undefined);
  assert.equal(prosodyFrames([100], [0], 0), undefined);
  assert.equal(prosodyFrames([100], [0], Number.MIN_VALUE), undefined);
  assert.equal(prosodyFrames(Array(30_001).fill(100), [], 50), undefined);
});

test("weights out of range are clamped", () => {
  const frames = visemeFrames([Array(15).fill(7)], 100);
  assert.ok(frames.every((weight) => weight === 1));
});
