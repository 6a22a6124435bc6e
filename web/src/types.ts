import type { YoobError } from "./errors.js";

/** Where an avatar stands between creation and speech. */
export type YoobPhase =
  | "not-prepared"
  | "downloading"
  | "warming"
  | "ready"
  | "speaking"
  | "failed"
  | "stopped";

/** Bytes of the character that have arrived. */
export interface YoobProgress {
  completedBytes: number;
  totalBytes: number;
  /** 0...1; 0 while the total is unknown. */
  fraction: number;
}

/** One file of a pack. */
export interface ManifestFile {
  path: string;
  size: number;
  /** 64 lowercase hexadecimal digits. */
  sha256: string;
  /** 0 poster, 1 idle, 2 models, 3 the rest. */
  tier: number;
}

/** What a character pack says about itself. */
export interface CharacterManifest {
  schema: number;
  character: string;
  version: string;
  engine: string;
  displayName: string;
  /** Canvas size in canvas units. */
  width: number;
  height: number;
  /** Path of the poster picture. */
  poster: string;
  minSDK?: string;
  /** The square around head and shoulders, in canvas units. */
  crop?: { x: number; y: number; size: number };
  files: ManifestFile[];
}

/** The six moods of a face. */
export type YoobEmotion = "neutral" | "happy" | "sad" | "angry" | "surprised" | "thinking";

/** A short movement that is made once. */
export type YoobGesture = "nod" | "shake" | "tilt" | "wink";

/** Where a face looks; a point is in -1...1 of the view, x to the right, y up. */
export type YoobGaze = "automatic" | "viewer" | "away" | { x: number; y: number };

/** Mouth shapes at a moment of the utterance that is being heard. */
export interface YoobViseme {
  /** Seconds of the utterance. */
  time: number;
  /** 15 weights in the order of `VISEMES`; they sum to about 1. */
  weights: Float32Array;
}

/** Names of the mouth shapes, in the order of a frame's weights. */
export const VISEMES = [
  "sil",
  "PP",
  "FF",
  "TH",
  "DD",
  "kk",
  "CH",
  "SS",
  "nn",
  "RR",
  "aa",
  "E",
  "ih",
  "oh",
  "ou",
] as const;

/** A word of a caption with its place in the sound. */
export interface YoobWord {
  text: string;
  /** Seconds of the utterance. */
  start: number;
  end: number;
}

/** What was said, as far as it has been heard. */
export interface YoobCaption {
  role: "user" | "assistant";
  text: string;
  /** Empty where the voice gives no word times. */
  words: YoobWord[];
  final: boolean;
  /** Whether the reply was stopped here. */
  cutOff?: boolean;
}

/** Session tokens as the backend gives them. */
export interface YoobCredentials {
  session_token: string;
  download_token: string;
  heartbeat_seconds?: number;
  api_base?: string;
  cdn_base?: string;
}

/** How an avatar is made. */
export interface YoobAvatarOptions {
  /** The element that the character fills. */
  container: HTMLElement;
  /** Address of a local pack: the folder that holds `character.json`. */
  pack?: string;
  /** Id of a character on a CDN. Needs `getCredentials`. */
  character?: string;
  version?: string;
  getCredentials?: () => Promise<YoobCredentials>;
  /** `cover` (default) fills the container, `contain` shows the whole picture. */
  fit?: "cover" | "contain";
  /** `full` (default) is the whole canvas, `square` head and shoulders. */
  crop?: "full" | "square";
  /**
   * How much of the scene behind the character is drawn, 0...1: the less, the more of the page's own ground is
   * seen. Default 1.
   */
  sceneOpacity?: number;
  /** Seed of blinks and other idle motion; equal seeds move alike. Default 1. */
  seed?: number;
  /** Forces a renderer; default: WebGPU where there is an adapter, else WebGL2. */
  renderer?: "webgpu" | "webgl2";
  /** Folder of `face.wasm` and the worklets; default: beside this module. */
  assetBase?: string;
  onPhase?: (phase: YoobPhase) => void;
  onProgress?: (progress: YoobProgress) => void;
  onError?: (error: YoobError) => void;
  /** Called for each drawn frame while an utterance is heard. */
  onViseme?: (viseme: YoobViseme) => void;
  onCaption?: (caption: YoobCaption) => void;
}
