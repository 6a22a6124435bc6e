// A renderer by itself, with a picture whose every texel is known: what it draws at the edges of a part.
import { atlasLevels } from "/dist/face/renderer.js";
import { WebGL2Renderer } from "/dist/face/webgl2.js";
import { WebGPURenderer } from "/dist/face/webgpu.js";

const SIDE = 128;
const draw = {
  firstIndex: 0,
  indexCount: 3,
  blend: 0,
  clip: 0,
  mask: 0,
  maskOnly: false,
  background: false,
  opacity: 1,
};

/** A picture that is clear left of `from` and white right of it. */
async function atlas(from) {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(from, 0, SIDE - from, SIDE);
  return atlasLevels(await (await canvas.convertToBlob()).arrayBuffer());
}

/** The alphas, 0...255, of triangles at `positions` (canvas units) that show the texels of `uvs`. */
window.alphas = async (kind, { samples, from, positions, uvs, size, scale }) => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const count = positions.length / 2;
  const mesh = {
    vertexCount: count,
    uvs: new Float32Array(uvs.map((x) => x / SIDE)),
    indices: new Uint16Array([...Array(count).keys()]),
  };
  const source = { mesh, atlas: await atlas(from), samples, onLost: () => undefined };
  const renderer = kind === "webgl2"
    ? new WebGL2Renderer(canvas, source)
    : new WebGPURenderer(canvas, await WebGPURenderer.device(true), source);
  const place = { x: 0, y: 0, scale };
  renderer.draw(
    { positions: new Float32Array(positions), draws: [{ ...draw, indexCount: count }] },
    { figure: place, background: place },
  );
  const copy = new OffscreenCanvas(size, size).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  renderer.destroy();
  return [...copy.getImageData(0, 0, size, size).data].filter((_, index) => index % 4 === 3);
};
window.drawn = true;
