import assert from "node:assert/strict";
import test from "node:test";
import { YoobConversation } from "../dist/conversation/conversation.js";

/** A socket whose server is the test. */
class TestSocket {
  static OPEN = 1;
  static all = [];
  readyState = 0;
  bufferedAmount = 0;
  sent = [];
  isClosed = false;

  constructor() {
    TestSocket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
    this.readyState = 3;
  }

  open() {
    this.readyState = 1;
    this.onopen();
  }

  receive(event) {
    this.onmessage({ data: JSON.stringify(event) });
  }

  drop(code) {
    this.readyState = 3;
    this.onclose({ code, reason: "" });
  }
}

globalThis.WebSocket = TestSocket;

/** An avatar of which `heardMs` of the utterance were heard when it is interrupted. */
class TestAvatar {
  heardMs = 0;
  /** What the face got to know ahead of the sound. */
  given = [];
  listeners = new Map();
  microphone = { state: "off", on: () => () => undefined, start: () => Promise.resolve(), stop: () => undefined };

  on(name, listener) {
    this.listeners.set(name, listener);
    return () => this.listeners.delete(name);
  }

  emit(name, value) {
    this.listeners.get(name)?.(value);
  }

  unlockAudio() {
    return Promise.resolve();
  }

  prepare() {
    return Promise.resolve();
  }

  speak() {
    return 1;
  }

  interrupt() {
    this.emit("finished", { utterance: 1, heardMs: this.heardMs, interrupted: true });
    return this.heardMs;
  }

  addVisemes(frames, startMs) {
    this.given.push(["visemes", frames.length, startMs]);
  }

  addProsody(frames, startMs) {
    this.given.push(["prosody", [...frames], startMs]);
  }

  pause() {
    this.given.push("pause");
  }

  resume() {
    this.given.push("resume");
  }

  endSpeech() {}
  caption() {}
}

/** Lets every promise that can settle settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function setting(options = {}) {
  TestSocket.all = [];
  const avatar = new TestAvatar();
  const errors = [];
  const conversation = new YoobConversation(avatar, {
    getClientSecret: () => Promise.resolve("secret"),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { avatar, conversation, errors };
}

async function greet(socket) {
  socket.open();
  await settle();
  socket.receive({ type: "session.created" });
  await settle();
}

/** A conversation in which 700 ms of a reply were heard. */
async function speaking(options = {}) {
  const { avatar, conversation } = setting(options);
  const started = conversation.start();
  await settle();
  const [socket] = TestSocket.all;
  await greet(socket);
  await started;
  socket.receive({ type: "response.created", response: { id: "r1" } });
  socket.receive({ type: "response.output_audio.delta", response_id: "r1", item_id: "i1", delta: "AAAA" });
  avatar.emit("started", { utterance: 1 });
  avatar.heardMs = 700;
  socket.sent = [];
  return { avatar, conversation, socket };
}

const types = (socket) => socket.sent.map((event) => event.type);

test("melody and mouth frames reach the face with their reply, early ones too, and others do not", async () => {
  const { avatar, socket } = await speaking();
  const melody = { type: "yoob.prosody", rate: 50, pitch: [0, 181], marks: [0, 1] };
  socket.receive({ ...melody, response_id: "r1", item_id: "i1", start_ms: 400 });
  socket.receive({ type: "yoob.visemes", response_id: "r1", item_id: "i1", start_ms: 400, rate: 100, frames: [Array(15).fill(0)] });
  socket.receive({ ...melody, pitch: ["x"], response_id: "r1", item_id: "i1", start_ms: 800 });
  assert.deepEqual(avatar.given, [["prosody", [0, 0, 181, 1], 400], ["visemes", 15, 400]]);
  socket.receive({ type: "response.done", response: { id: "r1" } });
  avatar.given = [];
  socket.receive({ type: "response.created", response: { id: "r2" } });
  socket.receive({ ...melody, response_id: "r2", item_id: "i2", start_ms: 0 });
  assert.deepEqual(avatar.given, []);
  avatar.speak = () => 2;
  socket.receive({ type: "response.output_audio.delta", response_id: "r2", item_id: "i2", delta: "AAAA" });
  assert.deepEqual(avatar.given, [["prosody", [0, 0, 181, 1], 0]]);
});

test("a reply is held and goes on as the server says, no other one, and the connection's end ends the hold", async () => {
  const { avatar, conversation, socket } = await speaking();
  avatar.given = [];
  const hold = { type: "yoob.hold", response_id: "r1", item_id: "i1" };
  socket.receive({ ...hold, held: true });
  socket.receive({ ...hold, held: true, response_id: "r0", item_id: "i0" });
  socket.receive({ ...hold, held: false });
  assert.deepEqual(avatar.given, ["pause", "resume"]);
  assert.deepEqual(types(socket), []);
  socket.receive({ ...hold, held: true });
  avatar.given = [];
  socket.drop(1006);
  await settle();
  assert.deepEqual(avatar.given, ["resume"]);
  conversation.stop();
});

test("when the connection drops, the caption ends at the last word whose sound had arrived", async () => {
  const shown = [];
  const { avatar, conversation, socket } = await speaking({
    onAssistantTranscript: (text, final, itemId, cutOff) => shown.push([text, final, cutOff]),
  });
  const reply = { response_id: "r1", item_id: "i1" };
  const words = [["One", 0], ["two", 600], ["three", 1200]].map(([text, start]) => (
    { text, start_ms: start, end_ms: start + 500 }
  ));
  socket.receive({ type: "response.output_audio_transcript.delta", ...reply, delta: "One two three" });
  socket.receive({ type: "response.output_audio_transcript.done", ...reply, transcript: "One two three" });
  socket.receive({ type: "yoob.words", ...reply, words });
  socket.drop(1006);
  avatar.emit("finished", { utterance: 1, heardMs: 1000, interrupted: false });
  assert.deepEqual(shown, [["One two", true, true]]);
  conversation.stop();
});

test("a typed message is said to be sent when it is, and not when no conversation could be opened", async () => {
  const { conversation, errors } = setting();
  const sent = conversation.sendText("Hello");
  await settle();
  await greet(TestSocket.all[0]);
  assert.equal(await sent, true);
  assert.ok(types(TestSocket.all[0]).includes("conversation.item.create"));
  conversation.stop();
  const refused = conversation.sendText("Hello");
  await settle();
  TestSocket.all[1].open();
  TestSocket.all[1].drop(1013);
  assert.equal(await refused, false);
  assert.deepEqual(errors.map(({ code }) => code), ["voice-session"]);
  assert.equal(await conversation.sendText("  "), false);
});

test("a stop before the socket is open closes it, and the start ends quietly", async () => {
  const { conversation, errors } = setting();
  const started = conversation.start();
  await settle();
  conversation.stop();
  await started;
  assert.deepEqual(TestSocket.all.map((socket) => socket.isClosed), [true]);
  assert.equal(conversation.state, "ended");
  assert.deepEqual(errors, []);
});

test("a stop before the server's greeting closes the socket, and the start ends quietly", async () => {
  const { conversation, errors } = setting();
  const started = conversation.start();
  await settle();
  TestSocket.all[0].open();
  await settle();
  conversation.stop();
  await started;
  assert.ok(TestSocket.all[0].isClosed);
  assert.deepEqual(errors, []);
});

test("a stop before the backend has answered opens no socket", async () => {
  let answer;
  const secret = new Promise((resolve) => (answer = resolve));
  const { conversation } = setting({ getClientSecret: () => secret });
  const started = conversation.start();
  await settle();
  conversation.stop();
  await started;
  answer("secret");
  await settle();
  assert.deepEqual(TestSocket.all, []);
});

test("a start after a stop during start-up opens a conversation of its own", async () => {
  const { conversation, errors } = setting();
  const first = conversation.start();
  await settle();
  conversation.stop();
  const second = conversation.start();
  await settle();
  const [old, socket] = TestSocket.all;
  await greet(socket);
  await Promise.all([first, second]);
  assert.equal(conversation.state, "listening");
  assert.deepEqual([old.isClosed, socket.isClosed], [true, false]);
  assert.equal(TestSocket.all.length, 2);
  assert.deepEqual(errors, []);
});

test("a microphone that fails after a stop and a start does not end the new conversation", async () => {
  const { avatar, conversation } = setting();
  let refuse;
  avatar.microphone.start = () => new Promise((_, reject) => (refuse = reject));
  const first = conversation.start();
  await settle();
  conversation.stop();
  const refuseFirst = refuse;
  const second = conversation.start({ microphone: false });
  await settle();
  await greet(TestSocket.all[1]);
  refuseFirst(new Error("no"));
  await Promise.all([first, second]);
  assert.equal(conversation.state, "listening");
});

test("a stop of the reply tells what was heard, then cancels", async () => {
  const { conversation, socket } = await speaking();
  conversation.interrupt();
  assert.deepEqual(types(socket), ["conversation.item.truncate", "response.cancel"]);
  assert.equal(socket.sent[0].audio_end_ms, 700);
});

test("a typed message tells what was heard, then cancels, then asks", async () => {
  const { conversation, socket } = await speaking();
  conversation.sendText("Wait");
  assert.deepEqual(types(socket), [
    "conversation.item.truncate",
    "response.cancel",
    "conversation.item.create",
    "response.create",
  ]);
});

test("an avatar that is interrupted from outside tells what was heard, then cancels", async () => {
  const { avatar, socket } = await speaking();
  avatar.interrupt();
  assert.deepEqual(types(socket), ["conversation.item.truncate", "response.cancel"]);
});

test("a reply of which nothing was heard is cancelled only", async () => {
  const { avatar, conversation, socket } = await speaking();
  avatar.heardMs = 0;
  conversation.interrupt();
  assert.deepEqual(types(socket), ["response.cancel"]);
});

test("a connection that is opened again is told once, and the first one is not", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let reconnections = 0;
  const { conversation } = setting({ onReconnected: () => reconnections++ });
  const started = conversation.start();
  await settle();
  await greet(TestSocket.all[0]);
  await started;
  assert.equal(reconnections, 0);
  TestSocket.all[0].drop(1006);
  context.mock.timers.tick(1000);
  await settle();
  await greet(TestSocket.all[1]);
  assert.equal(reconnections, 1);
  assert.equal(conversation.state, "listening");
});

test("a stop while a lost connection is opened again closes the socket", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { conversation } = setting();
  const started = conversation.start();
  await settle();
  await greet(TestSocket.all[0]);
  await started;
  TestSocket.all[0].drop(1006);
  context.mock.timers.tick(1000);
  await settle();
  conversation.stop();
  await settle();
  assert.ok(TestSocket.all[1].isClosed);
  assert.equal(conversation.state, "ended");
});
