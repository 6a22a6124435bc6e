// The package as users get it, without a bundler: one face whose time moves only when it is asked for a
// picture, so that pictures can be compared.
import { YoobAvatar } from "/dist/index.js";

let steps = 0;
let waiting;
const request = window.requestAnimationFrame.bind(window);
const canvas = () => document.querySelector("#face canvas");

function numbers() {
  const small = new OffscreenCanvas(120, 120);
  const context = small.getContext("2d");
  context.drawImage(canvas(), 0, 0, 120, 120);
  return [...context.getImageData(0, 0, 120, 120).data];
}

performance.now = () => 1000;
window.requestAnimationFrame = (callback) =>
  request(() => {
    if (waiting !== undefined) steps++;
    callback(1000 + 50 * steps);
    waiting?.(numbers());
    waiting = undefined;
  });

/** Every number of the next frame, drawn smaller. */
window.picture = () => new Promise((resolve) => (waiting = resolve));
window.loseDevice = () => canvas().getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();

let original;
window.isAnotherCanvas = () => canvas() !== null && canvas() !== original;

const avatar = new YoobAvatar({
  container: document.querySelector("#face"),
  pack: "/characters/luna-anime/",
  crop: "square",
  renderer: new URLSearchParams(location.search).get("renderer"),
  onError: (error) => (window.drawn = `${error.code}: ${error.message}`),
});
await avatar.prepare();
original = canvas();
window.drawn = avatar.renderer;
