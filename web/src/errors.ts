/** What went wrong, as one word that a program can switch on. */
export type YoobErrorCode =
  | "unauthorized"
  | "out-of-credit"
  | "network"
  | "invalid-assets"
  | "unsupported"
  | "invalid-audio"
  | "renderer"
  | "session-ended"
  | "voice-session";

/** Facts beside the message, where there are any. */
export interface YoobErrorDetails {
  /** The WebSocket close code, for `voice-session`. */
  closeCode?: number;
  /** The WebSocket close reason, for `voice-session`. */
  closeReason?: string;
  /** Why a session ended, for `session-ended`. */
  reason?: string;
  /** The code that the server gave. */
  serverCode?: string;
}

/** An error whose `message` can be shown to a user as it is. */
export class YoobError extends Error {
  readonly code: YoobErrorCode;
  readonly details: YoobErrorDetails;

  constructor(code: YoobErrorCode, message: string, details: YoobErrorDetails = {}) {
    super(message);
    this.name = "YoobError";
    this.code = code;
    this.details = details;
  }

  /** `value` itself when it is a `YoobError`, else one of `code` with the value's message. */
  static from(value: unknown, code: YoobErrorCode): YoobError {
    if (value instanceof YoobError) return value;
    return new YoobError(code, value instanceof Error ? value.message : String(value));
  }
}
