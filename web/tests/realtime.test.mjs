import assert from "node:assert/strict";
import test from "node:test";
import { sessionUpdate } from "../dist/conversation/events.js";
import { RealtimeProtocol } from "../dist/conversation/realtime.js";

function open() {
  const protocol = new RealtimeProtocol();
  protocol.receive({ type: "session.created", session: {} });
  return protocol;
}

function audio(response, item, delta = "AAAA") {
  return { type: "response.output_audio.delta", response_id: response, item_id: item, delta };
}

/** A protocol in the middle of a reply that is heard. */
function speaking() {
  const protocol = open();
  protocol.receive({ type: "response.created", response: { id: "r1" } });
  protocol.receive(audio("r1", "i1"));
  protocol.playbackStarted();
  return protocol;
}

function sent(actions) {
  return actions.filter((action) => action.kind === "send").map((action) => action.event);
}

function kinds(actions) {
  return actions.map((action) => action.kind);
}

test("a turn passes from listening over thinking and speaking back to listening", () => {
  const protocol = new RealtimeProtocol();
  const states = [protocol.state];
  const take = (actions) => states.push(protocol.state) && actions;
  take(protocol.receive({ type: "session.created" }));
  take(protocol.receive({ type: "input_audio_buffer.speech_started", audio_start_ms: 10 }));
  take(protocol.receive({ type: "input_audio_buffer.speech_stopped", audio_end_ms: 900 }));
  take(protocol.receive({ type: "response.created", response: { id: "r1" } }));
  take(protocol.receive(audio("r1", "i1")));
  take(protocol.playbackStarted());
  take(protocol.receive({ type: "response.done", response: { id: "r1", status: "completed" } }));
  take(protocol.playbackFinished());
  assert.deepEqual(states, [
    "connecting",
    "listening",
    "listening",
    "thinking",
    "thinking",
    "thinking",
    "speaking",
    "speaking",
    "listening",
  ]);
});

test("the user's voice stops the sound, and what was heard is told", () => {
  const protocol = speaking();
  const actions = protocol.receive({ type: "input_audio_buffer.speech_started", audio_start_ms: 5 });
  assert.ok(kinds(actions).includes("interrupt"));
  assert.deepEqual(sent(actions), []);
  assert.deepEqual(sent(protocol.interrupted(730.9)), [
    { type: "conversation.item.truncate", item_id: "i1", content_index: 0, audio_end_ms: 730 },
  ]);
  assert.equal(protocol.state, "listening");
});

test("nothing is truncated when nothing was heard", () => {
  const protocol = speaking();
  protocol.receive({ type: "input_audio_buffer.speech_started" });
  assert.deepEqual(sent(protocol.interrupted(0)), []);
  assert.deepEqual(sent(speaking().interrupted(0.7)), []);
});

test("the truncation names the item that is heard, not the one that waits", () => {
  const protocol = speaking();
  protocol.receive(audio("r1", "i2"));
  assert.equal(sent(protocol.interrupted(100))[0].item_id, "i1");
  const next = speaking();
  next.receive(audio("r1", "i2"));
  next.playbackFinished();
  assert.equal(sent(next.interrupted(100))[0].item_id, "i2");
});

test("late events of a cancelled reply are ignored", () => {
  const protocol = speaking();
  protocol.receive({ type: "input_audio_buffer.speech_started" });
  protocol.interrupted(100);
  assert.deepEqual(protocol.receive(audio("r1", "i1")), []);
  assert.deepEqual(protocol.receive({ type: "yoob.words", item_id: "i1", words: [] }), []);
  assert.deepEqual(
    protocol.receive({ type: "response.done", response: { id: "r1", status: "cancelled" } }),
    [],
  );
});

test("the next reply after a cancelled one is heard", () => {
  const protocol = speaking();
  protocol.receive({ type: "input_audio_buffer.speech_started" });
  protocol.interrupted(100);
  protocol.receive({ type: "response.created", response: { id: "r2" } });
  assert.deepEqual(kinds(protocol.receive(audio("r2", "i2"))), ["audio"]);
});

test("a stop by the user silences the reply before it cancels it", () => {
  const actions = speaking().stopReply();
  assert.deepEqual(kinds(actions), ["interrupt", "send"]);
  assert.deepEqual(sent(actions), [{ type: "response.cancel" }]);
});

test("a stop after the reply was written stops the sound alone", () => {
  const protocol = speaking();
  protocol.receive({ type: "response.done", response: { id: "r1", status: "completed" } });
  const actions = protocol.stopReply();
  assert.deepEqual(sent(actions), []);
  assert.ok(kinds(actions).includes("interrupt"));
});

test("a typed message stops the reply and asks for another", () => {
  const actions = speaking().sendText("Stop there");
  assert.deepEqual(
    sent(actions).map((event) => event.type),
    ["response.cancel", "conversation.item.create", "response.create"],
  );
  assert.deepEqual(sent(actions)[1].item.content, [{ type: "input_text", text: "Stop there" }]);
});

test("a completed reply keeps sounding; a failed one stops with its message", () => {
  const done = speaking().receive({ type: "response.done", response: { id: "r1", status: "completed" } });
  assert.deepEqual(kinds(done), ["audioEnd"]);
  const status_details = { error: { code: "x", message: "No model." } };
  const failed = speaking().receive({
    type: "response.done",
    response: { id: "r1", status: "failed", status_details },
  });
  assert.ok(kinds(failed).includes("interrupt"));
  assert.equal(failed.find((action) => action.kind === "error").error.message, "No model.");
});

test("errors about replies that are over already are harmless", () => {
  const error = { type: "invalid_request_error", code: "response_cancel_not_active", message: "x" };
  assert.deepEqual(open().receive({ type: "error", error }), []);
});

test("a voice that cannot change is harmless", () => {
  for (const code of ["cannot_update_voice", "yoob_voice_locked", "yoob_instructions_locked"]) {
    assert.deepEqual(open().receive({ type: "error", error: { code, message: "x" } }), []);
  }
});

test("a busy server is a voice-session error", () => {
  const error = { code: "yoob_busy", message: "Luna is talking in another page." };
  const [action] = open().receive({ type: "error", error });
  assert.equal(action.error.code, "voice-session");
  assert.equal(action.error.message, "Luna is talking in another page.");
});

test("partial captions of our server replace each other, and deltas are not added to them", () => {
  const protocol = open();
  const [partial] = protocol.receive({ type: "yoob.partial", item_id: "u1", text: "what is" });
  assert.deepEqual(partial, { kind: "userText", itemId: "u1", text: "what is", final: false });
  const delta = {
    type: "conversation.item.input_audio_transcription.delta",
    item_id: "u1",
    delta: "what is",
  };
  assert.deepEqual(protocol.receive(delta), []);
});

test("transcription deltas of other servers add up", () => {
  const protocol = open();
  const type = "conversation.item.input_audio_transcription.delta";
  protocol.receive({ type, item_id: "u1", delta: "what " });
  assert.equal(protocol.receive({ type, item_id: "u1", delta: "is" })[0].text, "what is");
});

test("a message that is taken back is named", () => {
  const event = { type: "conversation.item.deleted", item_id: "u1" };
  assert.deepEqual(open().receive(event), [{ kind: "withdrawn", itemId: "u1" }]);
});

test("a turn without words goes back to listening", () => {
  const protocol = open();
  protocol.receive({ type: "input_audio_buffer.speech_stopped" });
  protocol.receive({
    type: "conversation.item.input_audio_transcription.completed",
    item_id: "u",
    transcript: " ",
  });
  assert.equal(protocol.state, "listening");
});

test("unknown events and events without fields change nothing", () => {
  const protocol = open();
  for (
    const type of ["rate_limits.updated", "yoob.unheard_of", "", "response.done", "error", "yoob.visemes"]
  ) {
    protocol.receive({ type });
  }
  assert.equal(protocol.state, "listening");
});

test("events of any shape are survived", () => {
  const protocol = open();
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const types = [
    "response.created",
    "response.done",
    "yoob.words",
    "yoob.visemes",
    "yoob.prosody",
    "yoob.hold",
    "yoob.metrics",
    "error",
    "response.output_audio.delta",
    "conversation.item.input_audio_transcription.delta",
    "session.created",
    "input_audio_buffer.speech_started",
    "input_audio_buffer.speech_stopped",
  ];
  const values = [null, 0, -1, "x", "", [], {}, [null, 3, {}], { id: 4 }, { id: "r" }, true, Number.NaN];
  const pick = (list) => list[Math.floor(random() * list.length)];
  for (let n = 0; n < 20000; n++) {
    const event = { type: pick(types) };
    for (
      const key of [
        "response",
        "item_id",
        "response_id",
        "delta",
        "words",
        "frames",
        "pitch",
        "marks",
        "held",
        "error",
        "stages",
        "rate",
      ]
    ) {
      if (random() < 0.5) event[key] = pick(values);
    }
    protocol.receive(event);
    if (random() < 0.1) protocol.interrupted(random() * 1000);
    if (random() < 0.1) protocol.playbackFinished();
  }
  assert.ok(["listening", "thinking", "speaking"].includes(protocol.state));
});

test("the session asks for the defaults of the contract", () => {
  const { session } = sessionUpdate({});
  assert.equal(session.type, "realtime");
  assert.deepEqual(session.audio.input.turn_detection, {
    type: "server_vad",
    threshold: 0.5,
    prefix_padding_ms: 300,
    silence_duration_ms: 450,
    create_response: true,
    interrupt_response: true,
  });
  assert.deepEqual(session.audio.input.noise_reduction, { type: "far_field" });
  assert.deepEqual(session.audio.input.transcription, { model: "gpt-4o-mini-transcribe" });
  assert.equal(session.audio.output.speed, 1.08);
  assert.equal(session.include, undefined);
});

test("our own server is asked for its extensions", () => {
  assert.deepEqual(sessionUpdate({ extensions: true }).session.include, [
    "yoob.words",
    "yoob.visemes",
    "yoob.prosody",
    "yoob.partials",
    "yoob.hold",
    "yoob.metrics",
  ]);
});

test("options can be turned off", () => {
  const { session } = sessionUpdate({
    noiseReduction: null,
    transcriptionModel: null,
    turnDetection: { type: "semantic_vad" },
  });
  assert.equal(session.audio.input.noise_reduction, null);
  assert.equal(session.audio.input.transcription, null);
  assert.equal(session.audio.input.turn_detection.eagerness, "auto");
});
