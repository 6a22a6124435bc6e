import assert from "node:assert/strict";
import test from "node:test";
import { handshakeError } from "../dist/conversation/refusal.js";

/** What a page of `origin` says of a handshake that failed; `answer` is what its fetch gives. */
async function errorOf(origin, address, answer) {
  const asked = [];
  const { location: oldLocation, fetch: oldFetch } = globalThis;
  globalThis.location = new URL(origin);
  globalThis.fetch = (url) => {
    asked.push(String(url));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  try {
    const { code, message } = await handshakeError(address);
    return { code, message, asked };
  } finally {
    globalThis.location = oldLocation;
    globalThis.fetch = oldFetch;
  }
}

const OWN = "http://127.0.0.1:8787";

for (
  const [answer, code, words] of [
    [new TypeError("refused"), "network", "cannot be reached"],
    [new Response("", { status: 403 }), "unauthorized", "refuses this page"],
    [new Response("", { status: 426 }), "unauthorized", "its key"],
    [new Response("", { status: 404 }), "unsupported", "no voice server at /v1/realtime"],
    [new Response("", { status: 502 }), "network", "502"],
  ]
) {
  test(`on its own site a handshake that fails, with ${answer.status ?? "no answer"} over HTTP, is told apart`, async () => {
    const error = await errorOf(OWN, "ws://127.0.0.1:8787/v1/realtime", answer);
    assert.equal(error.code, code);
    assert.ok(error.message.includes(words), error.message);
    assert.deepEqual(error.asked, ["http://127.0.0.1:8787/v1/realtime"]);
  });
}

test("to a server elsewhere both causes are named, and nothing is asked", async () => {
  const error = await errorOf("https://luna.example", "wss://voice.example/v1/realtime", new Response(""));
  assert.equal(error.code, "network");
  assert.match(error.message, /voice\.example cannot be reached, or it refuses pages of https:\/\/luna\.example/);
  assert.deepEqual(error.asked, []);
});
