/**
 * Addresses of the files that ship beside this module. Each address is written out in full, because
 * bundlers look for exactly this form.
 */
export function assetUrl(name: "face.wasm" | "player-worklet.js" | "capture-worklet.js", base?: string): URL {
  if (base !== undefined) return new URL(name, new URL(base, document.baseURI));
  switch (name) {
    case "face.wasm":
      return new URL("./face.wasm", import.meta.url);
    case "player-worklet.js":
      return new URL("./player-worklet.js", import.meta.url);
    case "capture-worklet.js":
      return new URL("./capture-worklet.js", import.meta.url);
  }
}
