// The package as users get it, without a bundler: one face, still and always the same.
import { YoobAvatar } from "/dist/index.js";

const avatar = new YoobAvatar({
  container: document.querySelector("#face"),
  pack: "/characters/luna-anime/",
  crop: "square",
  renderer: new URLSearchParams(location.search).get("renderer"),
  onError: (error) => (window.drawn = `${error.code}: ${error.message}`),
});

// Time stands still, so that two pictures can be compared.
const first = performance.now();
performance.now = () => first;
const request = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (callback) => request(() => callback(first));

const canvas = () => document.querySelector("#face canvas");
let original;

/** Every number of the picture, a quarter of the size, after a frame was drawn. */
window.picture = () =>
  new Promise((resolve) => {
    request(() => {
      const small = new OffscreenCanvas(120, 120);
      const context = small.getContext("2d");
      context.drawImage(canvas(), 0, 0, 120, 120);
      resolve([...context.getImageData(0, 0, 120, 120).data]);
    });
  });
window.loseDevice = () => canvas().getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
window.isAnotherCanvas = () => canvas() !== null && canvas() !== original;

await avatar.prepare();
original = canvas();
window.drawn = avatar.renderer;
