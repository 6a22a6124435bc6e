import assert from "node:assert/strict";
import test from "node:test";
import { planDraws } from "../dist/face/draw-plan.js";
import { placeFace } from "../dist/face/layout.js";
import { drawUniforms } from "../dist/face/renderer.js";
import { AtlasSampling } from "../dist/face/sampling.js";
import { parseManifest } from "../dist/pack.js";
import { isSafePath } from "../dist/pack-path.js";

function draw(name, options = {}) {
  return {
    name,
    firstIndex: 0,
    indexCount: 3,
    blend: 0,
    clip: 0,
    mask: 0,
    maskOnly: false,
    background: false,
    opacity: 1,
    ...options,
  };
}

function names(rounds) {
  return rounds.map((
    { masks, pictures },
  ) => [masks.map(({ name }) => name).join(), pictures.map(({ name }) => name).join()]);
}

test("masks move ahead of the pictures that they do not change", () => {
  const list = [
    draw("skin"),
    draw("white", { mask: 1 }),
    draw("iris", { clip: 1 }),
    draw("mouth", { mask: 2 }),
    draw("tongue", { clip: 2 }),
  ];
  assert.deepEqual(names(planDraws(list)), [["white,mouth", "skin,white,iris,mouth,tongue"]]);
});

test("a channel that is used again begins a round", () => {
  const list = [
    draw("neck", { mask: 4 }),
    draw("shade", { clip: 4 }),
    draw("face", { mask: 4 }),
    draw("blush", { clip: 4 }),
  ];
  assert.deepEqual(names(planDraws(list)), [["neck", "neck,shade"], ["face", "face,blush"]]);
});

test("a layer that is a mask alone is not drawn, and one without opacity neither", () => {
  const list = [
    draw("hidden", { mask: 1, maskOnly: true }),
    draw("gone", { opacity: 0 }),
    draw("seen", { clip: 1 }),
  ];
  assert.deepEqual(names(planDraws(list)), [["hidden", "seen"]]);
});

/** Two triangles that show 40 x 40 texels of an atlas of 100 x 100, from (10, 20) on, on 80 x 80 canvas units. */
const SQUARE = {
  mesh: {
    uvs: new Float32Array([0.1, 0.2, 0.5, 0.2, 0.5, 0.6, 0.1, 0.6]),
    indices: new Uint16Array([0, 1, 2, 0, 2, 3]),
  },
  frame: { positions: new Float32Array([0, 0, 80, 0, 80, 80, 0, 80]), draws: [] },
  draw: draw("square", { indexCount: 6 }),
};
const sampling = (levels) => new AtlasSampling(SQUARE.mesh, { width: 100, height: 100 }, levels);

test("a part is read from the size of the atlas that fits its size in the view, as far as there are sizes", () => {
  const level = (scale, levels) => sampling(levels).write(SQUARE.draw, SQUARE.frame, scale, new Float32Array(4), 0);
  // Half a texel a unit.
  assert.deepEqual([2, 0.5, 0.25, 0.12, 0.01].map((scale) => level(scale, 4)), [0, 0, 1, 2, 3]);
  assert.equal(level(0.01, 2), 1);
});

test("a mouth that is closed when it is first drawn is read like one that is open", () => {
  const closed = { positions: new Float32Array([0, 0, 80, 0, 80, 1, 0, 1]), draws: [] };
  assert.equal(sampling(4).write(SQUARE.draw, closed, 0.25, new Float32Array(4), 0), 1);
});

test("a part is never read where the texels of a smaller size hold its neighbours", () => {
  const bounds = (scale) => {
    const numbers = new Float32Array(4);
    sampling(4).write(SQUARE.draw, SQUARE.frame, scale, numbers, 0);
    return [...numbers].map((x) => Math.round(x * 100));
  };
  assert.deepEqual(bounds(1), [10, 20, 50, 60]);
  assert.deepEqual(bounds(0.12), [13, 23, 47, 57]);
  assert.deepEqual(bounds(0.06), [19, 29, 41, 51]);
});

const CANVAS = { width: 1080, height: 1920, cropX: 0, cropY: 190, cropSize: 1080 };

test("a tall view is covered by the canvas", () => {
  const { figure, background } = placeFace(CANVAS, { width: 390, height: 844 }, "cover", "full");
  assert.ok(figure.scale * CANVAS.width >= 390 - 1e-6);
  assert.deepEqual(figure, background);
});

test("a wide view shows head and shoulders whole, and the scene fills it", () => {
  const view = { width: 1600, height: 800 };
  const { figure, background } = placeFace(CANVAS, view, "cover", "full");
  assert.ok(figure.y + CANVAS.cropY * figure.scale >= -1e-6);
  assert.ok(figure.y + (CANVAS.cropY + CANVAS.cropSize) * figure.scale <= view.height + 1e-6);
  assert.ok(background.x <= 1e-6 && background.x + CANVAS.width * background.scale >= view.width - 1e-6);
});

test("contain shows all of the canvas", () => {
  const { figure } = placeFace(CANVAS, { width: 800, height: 600 }, "contain", "full");
  assert.equal(figure.scale, 600 / 1920);
  assert.equal(figure.y, 0);
});

test("the middle of the view is the middle of clip space", () => {
  const numbers = new Float32Array(16);
  const place = { x: 0, y: 0, scale: 1 };
  drawUniforms(
    draw("a", { clip: 2, opacity: 0.5 }),
    SQUARE.frame,
    sampling(4),
    { figure: place, background: place },
    200,
    100,
    numbers,
    0,
  );
  assert.deepEqual(
    [100 * numbers[0] + numbers[2], 50 * numbers[1] + numbers[3]].map((x) => Math.abs(x) < 1e-6),
    [true, true],
  );
  assert.deepEqual([...numbers.slice(4, 10)], [0, 1, 0, 0, 0.5, 0]);
});

test("a scene that is drawn in part leaves the character whole", () => {
  const place = { x: 0, y: 0, scale: 1 };
  const opacity = (options) => {
    const numbers = new Float32Array(16);
    const layout = { figure: place, background: place, sceneOpacity: 0.25 };
    drawUniforms(draw("a", options), SQUARE.frame, sampling(4), layout, 100, 100, numbers, 0);
    return numbers[8];
  };
  assert.equal(opacity({ background: true, opacity: 0.5 }), 0.125);
  assert.equal(opacity({ opacity: 0.5 }), 0.5);
});

const HASH = "0".repeat(64);
const MANIFEST = {
  schema: 1,
  character: "luna",
  version: "2026.01.01.1",
  engine: "puppet",
  displayName: "Luna",
  width: 1080,
  height: 1920,
  poster: "poster.jpg",
  files: [{ path: "poster.jpg", size: 3, sha256: HASH, tier: 0 }],
};

test("a manifest of the contract is accepted", () => {
  assert.equal(parseManifest(MANIFEST).displayName, "Luna");
});

for (
  const [what, change, code] of [
    ["a newer schema", { schema: 2 }, "unsupported"],
    ["no files", { files: undefined }, "invalid-assets"],
    [
      "a path out of the pack",
      { files: [{ path: "../poster.jpg", size: 1, sha256: HASH }] },
      "invalid-assets",
    ],
    [
      "a hash in capitals",
      { files: [{ path: "poster.jpg", size: 1, sha256: "A".repeat(64) }] },
      "invalid-assets",
    ],
    ["a poster that is not listed", { poster: "other.jpg" }, "invalid-assets"],
    ["a canvas of nothing", { width: 0 }, "invalid-assets"],
    ["an id with a slash", { character: "a/b" }, "invalid-assets"],
    ["a size below zero", { files: [{ path: "poster.jpg", size: -1, sha256: HASH }] }, "invalid-assets"],
  ]
) {
  test(`a manifest with ${what} is refused`, () => {
    assert.throws(() => parseManifest({ ...MANIFEST, ...change }), { code });
  });
}

test("paths stay inside the pack", () => {
  assert.ok(isSafePath("a/b.png"));
  for (const path of ["", "/a", "a//b", "./a", "a/..", "a\\b", "a".repeat(513)]) {
    assert.ok(!isSafePath(path), path);
  }
});
