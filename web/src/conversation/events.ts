/** A JSON object off the wire. */
export type JsonObject = Record<string, unknown>;

/** How a conversation stands. */
export type YoobConversationState = "idle" | "connecting" | "listening" | "thinking" | "speaking" | "ended";

/** Timings of a turn by stage, in milliseconds. */
export type YoobTurnMetrics = Record<string, number>;

/** When the server takes the user's turn as over. */
export type YoobTurnDetection =
  | { type: "server_vad"; silenceMs?: number; threshold?: number; prefixPaddingMs?: number }
  | { type: "semantic_vad"; eagerness?: "low" | "medium" | "high" | "auto" };

/** What the session asks of the server. */
export interface RealtimeSessionOptions {
  model?: string | undefined;
  voice?: string | undefined;
  instructions?: string | undefined;
  /** 0.25...1.5. */
  speed?: number | undefined;
  turnDetection?: YoobTurnDetection | undefined;
  /** null turns it off. */
  noiseReduction?: "far_field" | "near_field" | null | undefined;
  /** null turns captions of the user off. */
  transcriptionModel?: string | null | undefined;
  /** Asks for the extensions of our own server: word times, mouth frames, melody, partial captions, timings. */
  extensions?: boolean | undefined;
}

export const EXTENSIONS = [
  "yoob.words",
  "yoob.visemes",
  "yoob.prosody",
  "yoob.partials",
  "yoob.hold",
  "yoob.metrics",
];

/** The `session.update` of a conversation, defaults filled in. */
export function sessionUpdate(options: RealtimeSessionOptions): JsonObject {
  const turn = options.turnDetection ?? { type: "server_vad" };
  const detection: JsonObject = turn.type === "server_vad"
    ? {
      type: "server_vad",
      threshold: turn.threshold ?? 0.5,
      prefix_padding_ms: turn.prefixPaddingMs ?? 300,
      silence_duration_ms: turn.silenceMs ?? 450,
      create_response: true,
      interrupt_response: true,
    }
    : {
      type: "semantic_vad",
      eagerness: turn.eagerness ?? "auto",
      create_response: true,
      interrupt_response: true,
    };
  const noise = options.noiseReduction === undefined ? "far_field" : options.noiseReduction;
  const model = options.transcriptionModel === undefined
    ? "gpt-4o-mini-transcribe"
    : options.transcriptionModel;
  const format: JsonObject = { type: "audio/pcm", rate: 24_000 };
  const session: JsonObject = {
    type: "realtime",
    output_modalities: ["audio"],
    audio: {
      input: {
        format,
        turn_detection: detection,
        noise_reduction: noise === null ? null : { type: noise },
        transcription: model === null ? null : { model },
      },
      output: {
        format,
        speed: options.speed ?? 1.08,
        ...(options.voice === undefined ? {} : { voice: options.voice }),
      },
    },
  };
  if (options.instructions !== undefined) session["instructions"] = options.instructions;
  if (options.extensions === true) session["include"] = EXTENSIONS;
  return { type: "session.update", session };
}

export function textOf(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

export function numberOf(object: JsonObject, key: string): number {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function objectOf(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function arrayOf(object: JsonObject, key: string): unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}
