import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { parseStrictJSON } from "../dist/json.js";
import { PackLoader, parseManifest } from "../dist/pack.js";
import { isSafePath } from "../dist/pack-path.js";
import { isOlder, VERSION } from "../dist/version.js";

const HASH = "0".repeat(64);

function manifest(changes = {}) {
  return {
    schema: 1,
    character: "luna",
    engine: "puppet",
    width: 100,
    height: 200,
    poster: "poster.jpg",
    files: [{ path: "poster.jpg", size: 3, sha256: HASH, tier: 0 }],
    ...changes,
  };
}

/** Loads `path` of a pack from a server that answers with `answer`; returns the addresses asked for. */
async function withServer(answer, use) {
  const asked = [];
  const { document: oldDocument, fetch: oldFetch } = globalThis;
  globalThis.document = { baseURI: "https://example.com/page/" };
  globalThis.fetch = (url) => asked.push(String(url)) && Promise.resolve(answer);
  try {
    await use(new PackLoader("/packs/luna", () => undefined));
  } finally {
    globalThis.document = oldDocument;
    globalThis.fetch = oldFetch;
  }
  return asked;
}

test("paths that an address would read as something else are refused", () => {
  const unsafe = ["", "/x", "../x", "a/../x", "a//x", "./x", "%2e%2e/x", "a?b", "a#b", "https:evil.com/x"];
  for (const path of [...unsafe, "a\\b", "a\tb", "a\u0000", "a\u007f", "a\ud800"]) {
    assert.equal(isSafePath(path), false, JSON.stringify(path));
  }
});

test("ordinary names are allowed, spaces and other alphabets too", () => {
  for (const path of ["poster.jpg", "a/b/c.bin", "..a", "my poster.png", "grüße/ñ.png", "🌙.png"]) {
    assert.equal(isSafePath(path), true, path);
  }
});

test("a file is asked for inside the pack, its name escaped", async () => {
  const entry = { path: "a b/ñ&.png", size: 3, sha256: HASH, tier: 0 };
  const asked = await withServer(new Response("abc"), async (loader) => {
    await assert.rejects(loader.file(manifest({ files: [entry] }), entry.path), { code: "invalid-assets" });
  });
  assert.deepEqual(asked, ["https://example.com/packs/luna/a%20b/%C3%B1%26.png"]);
});

test("a path outside the pack is never asked for", async () => {
  const entry = { path: "https:evil.com/x", size: 3, sha256: HASH, tier: 0 };
  const asked = await withServer(new Response("abc"), async (loader) => {
    await assert.rejects(loader.file(manifest({ files: [entry] }), entry.path), { code: "invalid-assets" });
  });
  assert.deepEqual(asked, []);
});

test("another engine is unsupported, and none is not valid", () => {
  assert.throws(() => parseManifest(manifest({ engine: "mesh" })), { code: "unsupported" });
  assert.throws(() => parseManifest(manifest({ engine: undefined })), { code: "invalid-assets" });
});

test("a character for a newer version is unsupported", () => {
  assert.throws(() => parseManifest(manifest({ minSDK: "999.0.0" })), { code: "unsupported" });
  assert.throws(() => parseManifest(manifest({ minSDK: "soon" })), { code: "invalid-assets" });
  assert.equal(parseManifest(manifest({ minSDK: VERSION })).character, "luna");
});

test("versions are compared by their numbers", () => {
  assert.ok(isOlder("0.9.0", "0.10.0") && isOlder("1.2.3", "1.2.4") && isOlder("0.9.9", "1.0.0"));
  assert.ok(!isOlder("1.0.0", "0.9.9") && !isOlder("1.0.0", "1.0.0"));
});

test("the version is the package's", () => {
  const file = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  assert.equal(VERSION, JSON.parse(file).version);
});

test("entries that are no files are not valid", () => {
  for (const entry of [null, undefined, 3, "poster.jpg", []]) {
    assert.throws(() => parseManifest(manifest({ files: [entry] })), { code: "invalid-assets" });
  }
});

test("a manifest that says it is too large is not read", async () => {
  const answer = new Response("{}", { headers: { "content-length": String((4 << 20) + 1) } });
  await withServer(answer, (loader) => assert.rejects(loader.manifest(), { code: "invalid-assets" }));
  assert.equal(await answer.text().catch(() => "refused"), "refused");
});

test("a manifest without an end is read to 4 MiB only", async () => {
  let given = 0;
  const body = new ReadableStream({
    pull(controller) {
      given += 1 << 16;
      controller.enqueue(new Uint8Array(1 << 16).fill(32));
    },
  });
  await withServer(
    new Response(body),
    (loader) => assert.rejects(loader.manifest(), { code: "invalid-assets" }),
  );
  assert.ok(given <= (4 << 20) + (4 << 16), `${given} bytes were read`);
});

test("a valid manifest is read from its pieces", async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(manifest({ displayName: "Lüna" })));
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  await withServer(new Response(body), async (loader) => {
    assert.equal((await loader.manifest()).displayName, "Lüna");
  });
});

test("manifests of any shape are survived", () => {
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const values = [null, undefined, 0, -1, "x", "", [], {}, [null], [{}], "1.2", true, Number.NaN];
  const names = Object.keys(manifest({ minSDK: "0.0.1" }));
  for (let n = 0; n < 5000; n++) {
    const changes = {};
    for (const name of names) {
      if (random() < 0.3) changes[name] = values[Math.floor(random() * values.length)];
    }
    try {
      parseManifest(manifest(changes));
    } catch (error) {
      assert.ok(error.code === "invalid-assets" || error.code === "unsupported", String(error));
    }
  }
});

for (const [what, answer, code] of [
  ["is not there", new Response("", { status: 404 }), "unsupported"],
  ["is the page of an app", new Response("<!doctype html>"), "invalid-assets"],
]) {
  test(`a manifest that ${what} is told with its address and what to serve there`, async () => {
    await withServer(answer, async (loader) => {
      await assert.rejects(loader.manifest(), (error) => {
        assert.equal(error.code, code);
        assert.match(error.message, /https:\/\/example\.com\/packs\/luna\//);
        assert.match(error.message, /characters\/ID\/pack/);
        return true;
      });
    });
  });
}

/** The verdict of this SDK over the bytes of a manifest, in the words of the vectors. */
async function verdict(bytes) {
  let found = "accepted";
  await withServer(new Response(bytes), async (loader) => {
    await loader.manifest().catch((error) => {
      found = error.code === "invalid-assets" ? "invalid-manifest" : error.code;
    });
  });
  return found;
}

test("names and paths of manifests are judged as the published vectors say", async () => {
  const file = new URL("../../Tests/Fixtures/pack-vectors.json", import.meta.url);
  const { manifests } = JSON.parse(readFileSync(file, "utf8"));
  const judged = manifests.filter(({ rule }) => rule === "names" || rule === "paths");
  assert.ok(judged.length > 40, `${judged.length} vectors`);
  for (const { name, expected, envelope } of judged) {
    let found = "invalid-envelope";
    try {
      found = await verdict(Buffer.from(parseStrictJSON(envelope).payload, "base64"));
    } catch (error) {
      assert.ok(error instanceof SyntaxError, String(error));
    }
    assert.equal(found, expected, name);
  }
});

/** A body that brings `pieces` and then nothing, without an end. */
function stalled(...pieces) {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
    },
  });
}

/** Lets what is due happen, with the clock of `context` so many seconds later. */
async function pass(context, seconds) {
  for (let second = 0; second < seconds; second++) {
    await new Promise(setImmediate);
    context.mock.timers.tick(1000);
  }
  await new Promise(setImmediate);
}

test("a manifest that takes longer than 15 s ends with the server's name", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  await withServer(new Response(stalled(Uint8Array.of(123))), async (loader) => {
    const ended = assert.rejects(loader.manifest(), (error) => {
      assert.equal(error.code, "network");
      assert.match(error.message, /example\.com sends too slowly \(1 bytes in 15 s\)/);
      return true;
    });
    await pass(context, 16);
    await ended;
  });
});

test("a file that brings less than 500 B/s over 15 s ends, however long it went well before", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let feed;
  const body = new ReadableStream({ start: (controller) => void (feed = controller) });
  const entry = { path: "poster.jpg", size: 100_000, sha256: HASH, tier: 0 };
  await withServer(new Response(body), async (loader) => {
    let isOver = false;
    const ended = assert.rejects(loader.file(manifest({ files: [entry] }), entry.path), (error) => {
      isOver = true;
      assert.match(error.message, /example\.com sends too slowly \(14 bytes in 15 s\)/);
      return true;
    });
    await pass(context, 1);
    for (let second = 1; second < 45; second++) {
      feed.enqueue(new Uint8Array(600));
      await pass(context, 1);
    }
    assert.equal(isOver, false);
    for (let second = 0; second < 15 && !isOver; second++) {
      if (second < 14) feed.enqueue(new Uint8Array(1));
      await pass(context, 1);
    }
    await ended;
  });
});

test("a download that is cancelled ends at once and leaves no timer", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  await withServer(new Response(stalled()), async (loader) => {
    const ended = assert.rejects(loader.manifest(), { code: "network" });
    await new Promise(setImmediate);
    loader.cancel();
    await ended;
    await pass(context, 60);
  });
});
