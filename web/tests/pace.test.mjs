import assert from "node:assert/strict";
import test from "node:test";
import { Pace } from "../dist/pace.js";

const LEAST = { bytes: 100, milliseconds: 1000 };

/** Runs `body` with a clock that stands; `fire(late)` ends the open window so many milliseconds too late. */
function withClock(t, body) {
  let now = 5000;
  let pending;
  t.mock.method(Date, "now", () => now);
  t.mock.method(globalThis, "setTimeout", (callback, delay) => {
    pending = { callback, at: now + delay };
    return 1;
  });
  body((late = 0) => {
    const { callback, at } = pending;
    now = at + late;
    callback();
  });
}

test("a window without bytes ends the download", (t) => {
  withClock(t, (fire) => {
    let ends = 0;
    const pace = new Pace("cdn.example", LEAST, () => (ends += 1));
    pace.add(100);
    fire();
    assert.equal(ends, 0);
    pace.add(99);
    fire();
    assert.equal(ends, 1);
    assert.match(pace.fault.message, /99 bytes in 1 s/);
  });
});

test("a computer that slept gets another window, but not one after the other", (t) => {
  withClock(t, (fire) => {
    let ends = 0;
    const pace = new Pace("cdn.example", LEAST, () => (ends += 1));
    fire(60_000);
    assert.equal(pace.fault, undefined);
    pace.add(100);
    fire();
    fire(60_000);
    assert.equal(ends, 0);
    fire(60_000);
    assert.equal(ends, 1);
  });
});
