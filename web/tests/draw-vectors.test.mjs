// Tests/Fixtures/draw-vectors.json, which the Swift package's tests read too (scripts/make-draw-vectors).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { planDraws } from "../dist/face/draw-plan.js";
import { placeFace } from "../dist/face/layout.js";
import { DRAW_NUMBERS, drawUniforms } from "../dist/face/renderer.js";
import { AtlasSampling } from "../dist/face/sampling.js";

const VECTORS = JSON.parse(
  readFileSync(new URL("../../Tests/Fixtures/draw-vectors.json", import.meta.url), "utf8"),
);

function assertNear(actual, expected, tolerance, what) {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((x, index) => assert.ok(Math.abs(x - expected[index]) <= tolerance, `${what} ${index}: ${x}`));
}

test("draw lists become the rounds of the shared vectors", () => {
  assert.ok(VECTORS.plans.length > 0);
  for (const { draws, rounds } of VECTORS.plans) {
    const seen = planDraws(draws).map(({ masks, pictures }) => ({
      masks: masks.map((draw) => draws.indexOf(draw)),
      pictures: pictures.map((draw) => draws.indexOf(draw)),
    }));
    assert.deepEqual(seen, rounds);
  }
});

test("characters lie where the shared vectors say", () => {
  assert.ok(VECTORS.layouts.length > 0);
  for (const { canvas, view, fit, square, figure, scene } of VECTORS.layouts) {
    const [width, height] = view;
    const seen = placeFace(
      canvas,
      { width, height },
      fit === "fill" ? "cover" : "contain",
      square ? "square" : "full",
    );
    for (const [place, expected] of [[seen.figure, figure], [seen.background, scene]]) {
      const wanted = [expected.x, expected.y, expected.scale];
      assertNear([place.x, place.y, place.scale], wanted, 1e-6, `${view} ${fit} ${square}`);
    }
  }
});

test("the numbers of each draw are those of the shared vectors", () => {
  assert.ok(VECTORS.frames.length > 0);
  for (const { view, layout, draws, order, numbers, ...frame } of VECTORS.frames) {
    const mesh = { uvs: new Float32Array(frame.uvs), indices: new Uint16Array(frame.indices) };
    const size = { width: frame.atlasWidth, height: frame.atlasHeight };
    const sampling = new AtlasSampling(mesh, size, frame.levels);
    const face = { positions: new Float32Array(frame.positions), draws };
    const { figure, scene: background, sceneOpacity } = layout;
    const [width, height] = view;
    order.forEach((index, place) => {
      const target = new Float32Array(DRAW_NUMBERS);
      drawUniforms(
        draws[index],
        face,
        sampling,
        { figure, background, sceneOpacity },
        width,
        height,
        target,
        0,
      );
      assertNear([...target], numbers[place], 1e-5, `${view} draw ${index}`);
    });
  }
});
