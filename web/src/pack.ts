import { YoobError } from "./errors.js";
import { parseStrictJSON } from "./json.js";
import { type LeastPace, Pace } from "./pace.js";
import { hasClash, isSafePath } from "./pack-path.js";
import type { CharacterManifest, ManifestFile, YoobProgress } from "./types.js";
import { isOlder, isVersion, VERSION } from "./version.js";

/** The largest manifest that is read. */
const LARGEST_MANIFEST_BYTES = 4 << 20;
/** The largest file that a pack may name. */
const LARGEST_FILE_BYTES = 64 << 20;
/** A manifest comes within 15 s, whatever its size: at 20 kB/s those are 300 kB, three times the largest of ours. */
const MANIFEST_PACE: LeastPace = { bytes: Number.POSITIVE_INFINITY, milliseconds: 15_000 };
/** A file brings 500 B/s over 15 s: a seventh of what each of six gets that share 20 kB/s. */
const FILE_PACE: LeastPace = { bytes: 7500, milliseconds: 15_000 };
const MANIFEST = "character.json";
const HINT = "Serve the character's folder, characters/ID/pack, at that address.";

/** Checks what a manifest says; throws `invalid-assets`, or `unsupported` for what this version cannot draw. */
export function parseManifest(value: unknown): CharacterManifest {
  const fail = (what: string): never => {
    throw new YoobError("invalid-assets", `The character's manifest is not valid: ${what}.`);
  };
  if (typeof value !== "object" || value === null) return fail("it is not an object");
  const manifest = value as Partial<CharacterManifest>;
  if (manifest.schema !== 1) {
    throw new YoobError("unsupported", "The character needs a newer version of this software.");
  }
  if (typeof manifest.engine !== "string") return fail("it names no engine");
  if (manifest.engine !== "puppet") {
    throw new YoobError("unsupported", "This software cannot draw this kind of character; choose another.");
  }
  const { minSDK } = manifest;
  if (minSDK !== undefined && minSDK !== null) {
    if (typeof minSDK !== "string" || !isVersion(minSDK)) return fail("minSDK");
    if (isOlder(VERSION, minSDK)) {
      const message = `The character needs version ${minSDK} of this software; this is ${VERSION}.`;
      throw new YoobError("unsupported", message);
    }
  }
  if (typeof manifest.character !== "string" || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(manifest.character)) {
    return fail("the character's id");
  }
  for (const key of ["width", "height"] as const) {
    const size = manifest[key];
    if (typeof size !== "number" || !(size >= 1 && size <= 4096)) return fail(key);
  }
  if (!Array.isArray(manifest.files)) return fail("it lists no files");
  const seen = new Set<string>();
  for (const file of manifest.files as (Partial<ManifestFile> | null)[]) {
    if (typeof file !== "object" || file === null) return fail("an entry of its files");
    if (typeof file.path !== "string" || !isSafePath(file.path) || seen.has(file.path)) {
      return fail("a file's path");
    }
    seen.add(file.path);
    const size = file.size;
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0 || size > LARGEST_FILE_BYTES) {
      return fail(`the size of ${file.path}`);
    }
    if (typeof file.sha256 !== "string" || !/^[0-9a-f]{64}$/.test(file.sha256)) {
      return fail(`the hash of ${file.path}`);
    }
  }
  if (hasClash([...seen])) return fail("two of its paths are one file on some systems");
  if (typeof manifest.poster !== "string" || !seen.has(manifest.poster)) return fail("the poster");
  return { displayName: manifest.character, version: "", ...manifest } as CharacterManifest;
}

/** Reads the files of a pack over HTTP and checks each against its SHA-256. */
export class PackLoader {
  private readonly base: URL;
  private readonly onProgress: (progress: YoobProgress) => void;
  private readonly abort = new AbortController();
  private completed = 0;
  private total = 0;

  constructor(pack: string, onProgress: (progress: YoobProgress) => void) {
    this.base = new URL(pack.endsWith("/") ? pack : `${pack}/`, document.baseURI);
    this.onProgress = onProgress;
  }

  /** Stops every download. */
  cancel(): void {
    this.abort.abort();
  }

  /** The manifest; throws `network`, `unsupported` or `invalid-assets`. */
  async manifest(): Promise<CharacterManifest> {
    const tooLarge = new YoobError("invalid-assets", "The character's manifest is larger than 4 MiB.");
    // A byte-order mark stays, and is no JSON.
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let length = 0;
    const pieces: Uint8Array[] = [];
    await this.download(MANIFEST, MANIFEST_PACE, (piece) => {
      length += piece.length;
      if (length > LARGEST_MANIFEST_BYTES) throw tooLarge;
      pieces.push(piece);
    }, (announced) => {
      if (announced > LARGEST_MANIFEST_BYTES) throw tooLarge;
    });
    let text = "";
    let value: unknown;
    try {
      for (const piece of pieces) text += decoder.decode(piece, { stream: true });
      text += decoder.decode();
      JSON.parse(text);
    } catch {
      throw new YoobError(
        "invalid-assets",
        `${this.base.href}${MANIFEST} is not a character's manifest. ${HINT}`,
      );
    }
    try {
      value = parseStrictJSON(text);
    } catch (error) {
      const reason = error instanceof SyntaxError ? error.message : "it cannot be read";
      throw new YoobError("invalid-assets", `The character's manifest is not valid: ${reason}.`);
    }
    const manifest = parseManifest(value);
    this.total = manifest.files.reduce((sum, file) => sum + file.size, 0);
    this.report();
    return manifest;
  }

  /** The verified bytes of `path`. */
  async file(manifest: CharacterManifest, path: string): Promise<ArrayBuffer> {
    const entry = manifest.files.find((file) => file.path === path);
    if (entry === undefined) throw new YoobError("invalid-assets", `The character has no file ${path}.`);
    const bytes = await this.read(entry);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (hex !== entry.sha256) {
      throw new YoobError("invalid-assets", `${path} is not the file that the character's maker published.`);
    }
    return bytes;
  }

  /** The address of `path`, which is always inside the pack. */
  private address(path: string): URL {
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), this.base);
    const isSafe = path === MANIFEST || isSafePath(path);
    if (isSafe && url.href.startsWith(new URL(".", this.base).href)) return url;
    throw new YoobError("invalid-assets", "The character names a file outside its folder.");
  }

  /** Hands over the body as it arrives; an error of `take` or `begin` ends the download and is thrown. */
  private async download(
    path: string,
    least: LeastPace,
    take: (piece: Uint8Array) => void,
    begin: (announced: number) => void = () => undefined,
  ): Promise<void> {
    const url = this.address(path);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    if (this.abort.signal.aborted) end();
    this.abort.signal.addEventListener("abort", end);
    const pace = new Pace(url.host, least, end);
    try {
      const response = await this.answer(url, path, ending.signal);
      try {
        begin(Number(response.headers.get("content-length") ?? 0));
      } catch (error) {
        await response.body?.cancel().catch(() => undefined);
        throw error;
      }
      await readPieces(response, ending.signal, (piece) => {
        pace.add(piece.length);
        take(piece);
      });
    } catch (error) {
      end();
      throw pace.fault ?? error;
    } finally {
      pace.stop();
      this.abort.signal.removeEventListener("abort", end);
    }
  }

  private async answer(url: URL, path: string, signal: AbortSignal): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(url, { signal });
    } catch {
      const own = globalThis.location?.origin;
      const reason = own === undefined || this.base.origin === own
        ? "Check the connection and try again."
        : `Check the connection, and that ${this.base.host} lets pages of ${own} load it.`;
      throw new YoobError("network", `The character could not be loaded. ${reason}`);
    }
    if (response.ok) return response;
    if (response.status === 404) {
      throw new YoobError("unsupported", `There is no ${path} at ${this.base.href}. ${HINT}`);
    }
    if (response.status === 401 || response.status === 403) {
      throw new YoobError("unauthorized", "The server did not allow this character to be loaded.");
    }
    throw new YoobError("network", `The server answered ${response.status} for ${path}.`);
  }

  private async read(entry: ManifestFile): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(entry.size);
    let length = 0;
    await this.download(entry.path, FILE_PACE, (piece) => {
      if (length + piece.length > entry.size) {
        throw new YoobError("invalid-assets", `${entry.path} is larger than its manifest says.`);
      }
      bytes.set(piece, length);
      length += piece.length;
      this.completed += piece.length;
      this.report();
    });
    if (length !== entry.size) {
      throw new YoobError("network", `The download of ${entry.path} was cut off. Try again.`);
    }
    return bytes.buffer;
  }

  private report(): void {
    const { completed, total } = this;
    this.onProgress({
      completedBytes: completed,
      totalBytes: total,
      fraction: total > 0 ? completed / total : 0,
    });
  }
}

/** Reads a body until its end, or until `signal` asks to stop; an error of `take` is thrown. */
async function readPieces(
  response: Response,
  signal: AbortSignal,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const reader = response.body?.getReader();
  // A body that was made by a page, rather than fetched, knows nothing of the signal.
  const end = (): void => void reader?.cancel().catch(() => undefined);
  signal.addEventListener("abort", end);
  try {
    for (;;) {
      const piece = await reader?.read();
      if (signal.aborted) throw new Error("ended");
      if (piece === undefined || piece.done) return;
      take(piece.value);
    }
  } catch (error) {
    end();
    if (error instanceof YoobError) throw error;
    throw new YoobError("network", "The download of the character was interrupted. Try again.");
  } finally {
    signal.removeEventListener("abort", end);
  }
}
