import { YoobError } from "./errors.js";
import type { CharacterManifest, ManifestFile, YoobProgress } from "./types.js";

/** The largest manifest that is read. */
const LARGEST_MANIFEST_BYTES = 4 << 20;
/** The largest file that a pack may name. */
const LARGEST_FILE_BYTES = 64 << 20;

/** Checks what a manifest says; throws `invalid-assets`, or `unsupported` for a newer schema. */
export function parseManifest(value: unknown): CharacterManifest {
  const fail = (what: string): never => {
    throw new YoobError("invalid-assets", `The character's manifest is not valid: ${what}.`);
  };
  if (typeof value !== "object" || value === null) return fail("it is not an object");
  const manifest = value as Partial<CharacterManifest>;
  if (manifest.schema !== 1) {
    throw new YoobError("unsupported", "The character needs a newer version of this software.");
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
  for (const file of manifest.files as Partial<ManifestFile>[]) {
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
  if (typeof manifest.poster !== "string" || !seen.has(manifest.poster)) return fail("the poster");
  return { displayName: manifest.character, engine: "puppet", version: "", ...manifest } as CharacterManifest;
}

/** Whether a path stays inside its pack. */
export function isSafePath(path: string): boolean {
  if (path.length === 0 || path.length > 512 || path.startsWith("/") || path.includes("\\")) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
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
    const response = await this.request("character.json");
    const text = await response.text().catch(() => "");
    if (text.length > LARGEST_MANIFEST_BYTES) {
      throw new YoobError("invalid-assets", "The character's manifest is larger than 4 MiB.");
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new YoobError("invalid-assets", "The character's manifest is not JSON.");
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
    const response = await this.request(path);
    const bytes = await this.read(response, entry);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (hex !== entry.sha256) {
      throw new YoobError("invalid-assets", `${path} is not the file that the character's maker published.`);
    }
    return bytes;
  }

  private async request(path: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(new URL(path, this.base), { signal: this.abort.signal });
    } catch {
      throw new YoobError(
        "network",
        "The character could not be loaded. Check the connection and try again.",
      );
    }
    if (response.ok) return response;
    if (response.status === 404) {
      throw new YoobError("unsupported", `There is no character at ${this.base.href}.`);
    }
    if (response.status === 401 || response.status === 403) {
      throw new YoobError("unauthorized", "The server did not allow this character to be loaded.");
    }
    throw new YoobError("network", `The server answered ${response.status} for ${path}.`);
  }

  private async read(response: Response, entry: ManifestFile): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(entry.size);
    let length = 0;
    try {
      const reader = response.body?.getReader();
      for (;;) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) break;
        if (length + piece.value.length > entry.size) {
          throw new YoobError("invalid-assets", `${entry.path} is larger than its manifest says.`);
        }
        bytes.set(piece.value, length);
        length += piece.value.length;
        this.completed += piece.value.length;
        this.report();
      }
    } catch (error) {
      if (error instanceof YoobError) throw error;
      throw new YoobError("network", "The download of the character was interrupted. Try again.");
    }
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
