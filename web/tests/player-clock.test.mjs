import assert from "node:assert/strict";
import test from "node:test";
import { PlayerClock } from "../dist/audio/player-clock.js";

function report(time, played, state = "playing", utterance = 1) {
  return { utterance, time, played, received: 48000, state, underruns: 0 };
}

test("between reports the position runs on at the utterance's rate", () => {
  const clock = new PlayerClock();
  clock.begin(1, 24000);
  clock.add(report(1, 2400));
  assert.equal(Math.round(clock.heardAt(1.05)), 3600);
});

test("the position never passes the next report", () => {
  const clock = new PlayerClock();
  clock.begin(1, 24000);
  clock.add(report(1, 2400));
  clock.add(report(2, 3000, "starved"));
  assert.equal(clock.heardAt(1.5), 3000);
  assert.equal(clock.heardAt(5), 3000);
});

test("a latency that reaches before the first report counts back from it", () => {
  const clock = new PlayerClock();
  clock.begin(1, 24000);
  clock.add(report(1, 2400));
  assert.equal(Math.round(clock.heardAt(0.95)), 1200);
  assert.equal(clock.heardAt(0.5), 0);
});

test("nothing is heard of an utterance without reports", () => {
  const clock = new PlayerClock();
  clock.begin(1, 24000);
  assert.equal(clock.heardAt(3), 0);
});

test("reports of an utterance that is over are ignored", () => {
  const clock = new PlayerClock();
  clock.begin(2, 24000);
  assert.equal(clock.add(report(1, 2400, "playing", 1)), false);
  assert.equal(clock.heardAt(2), 0);
});
