import assert from "node:assert/strict";
import test from "node:test";
import { SpeechQueue } from "../dist/speech-queue.js";

class Output {
  calls = [];
  position = 0;
  begin(utterance, rate) {
    this.calls.push(`begin ${utterance} ${rate}`);
  }
  push(samples) {
    this.calls.push(`push ${samples.length}`);
  }
  end() {
    this.calls.push("end");
  }
  pause() {
    this.calls.push("pause");
  }
  resume() {
    this.calls.push("resume");
  }
  interrupt() {
    this.calls.push("interrupt");
    return this.position;
  }
  heard() {
    return this.position;
  }
}

function make() {
  const output = new Output();
  return { output, queue: new SpeechQueue(output) };
}

test("the first sound opens an utterance", () => {
  const { output, queue } = make();
  queue.speak(new Float32Array(10), 24000);
  queue.end();
  assert.deepEqual(output.calls, ["begin 1 24000", "push 10", "end"]);
});

test("the next utterance begins when the last one was heard", () => {
  const { output, queue } = make();
  queue.speak(new Float32Array(10), 24000);
  queue.end();
  queue.speak(new Float32Array(20), 16000);
  queue.end();
  assert.equal(output.calls.length, 3);
  queue.finish(1);
  assert.deepEqual(output.calls.slice(3), ["begin 2 16000", "push 20", "end"]);
});

test("an interruption drops all and tells what was heard", () => {
  const { output, queue } = make();
  queue.speak(new Float32Array(24000), 24000);
  queue.end();
  queue.speak(new Float32Array(20), 24000);
  output.position = 12000;
  assert.equal(queue.interrupt(), 500);
  assert.equal(queue.current, undefined);
  assert.equal(queue.interrupt(), 0);
});

test("after an interruption speech goes on with a new utterance", () => {
  const { output, queue } = make();
  queue.speak(new Float32Array(10), 24000);
  queue.interrupt();
  queue.speak(new Float32Array(10), 24000);
  assert.equal(output.calls.at(-2), "begin 2 24000");
});

test("a rate that changes inside an utterance is refused", () => {
  const { queue } = make();
  queue.speak(new Float32Array(10), 24000);
  assert.throws(() => queue.speak(new Float32Array(10), 16000), { code: "invalid-audio" });
});

for (const rate of [7999, 48001, 24000.5, Number.NaN]) {
  test(`a rate of ${rate} is refused`, () => {
    assert.throws(() => make().queue.speak(new Float32Array(10), rate), { code: "invalid-audio" });
  });
}

test("the end of an utterance that was interrupted is ignored", () => {
  const { queue } = make();
  queue.speak(new Float32Array(10), 24000);
  queue.interrupt();
  const next = queue.speak(new Float32Array(10), 24000);
  assert.equal(queue.finish(1), undefined);
  assert.equal(queue.current, next);
});

test("the first audible sample is found across chunks", () => {
  const { queue } = make();
  queue.speak(new Float32Array(100), 24000);
  const utterance = queue.speak(Float32Array.of(0, 0.001, 0.2), 24000);
  assert.equal(utterance.firstAudible, 102);
});

test("an utterance longer than half an hour is refused", () => {
  const { queue } = make();
  assert.throws(() => queue.speak({ length: 8000 * 1801 }, 8000), { code: "invalid-audio" });
});

test("holding reaches the sound that is heard, and nothing where there is none", () => {
  const { output, queue } = make();
  queue.pause();
  queue.resume();
  assert.deepEqual(output.calls, []);
  queue.speak(new Float32Array(10), 24000);
  queue.pause();
  queue.resume();
  assert.deepEqual(output.calls.slice(-2), ["pause", "resume"]);
});
