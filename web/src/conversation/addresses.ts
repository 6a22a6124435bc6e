import { YoobError } from "../errors.js";

/** Hosts of voice sessions that are trusted without being named: the page's own, and this machine. */
export const DEFAULT_VOICE_HOSTS: readonly string[] = [
  ...(typeof location === "undefined" ? [] : [location.hostname]),
  "127.0.0.1",
  "localhost",
];

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Whether `url` is a WebSocket address on one of `hosts`; `*.d` matches subdomains of d only. */
export function isAllowedVoiceUrl(url: string, hosts: readonly string[] = DEFAULT_VOICE_HOSTS): boolean {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return false;
  }
  const secure = parsed.protocol === "wss:" ||
    (parsed.protocol === "ws:" && LOOPBACK.includes(parsed.hostname));
  if (!secure || parsed.username !== "" || parsed.password !== "") return false;
  return hosts.some((host) =>
    host.startsWith("*.")
      ? parsed.hostname.endsWith(host.slice(1)) && parsed.hostname !== host.slice(2)
      : parsed.hostname === host
  );
}

const CLOSES: Record<number, string> = {
  1011: "The voice service was disconnected. Try again.",
  1013: "The voice service is busy, perhaps with another page. Close that page, or try again in a moment.",
  4000: "The voice service does not understand this version. Reload the page.",
  4001: "The voice service refused the call.",
  4002: "The call was not opened in time. Try again.",
  4003: "This call was already used. Start a new one.",
  4008: "The usage limit of this call is reached.",
  4009: "The call reached its time limit.",
  4010: "The call ended because nothing was said for a while.",
  4029: "There are too many calls just now. Try again later.",
};

/** The error of a WebSocket that the voice service closed. */
export function voiceCloseError(code: number, reason: string): YoobError {
  const message = CLOSES[code] ?? `The voice service was disconnected (${code}).`;
  return new YoobError("voice-session", message, { closeCode: code, closeReason: reason });
}

/** Whether opening the same call again can help. */
export function isTransientClose(code: number): boolean {
  return [1001, 1005, 1006, 1011, 1012, 1014].includes(code);
}

/** Milliseconds before attempt `attempt` (1 for the first); `random` is 0...1. */
export function reconnectDelay(attempt: number, random: number): number {
  const delay = Math.min(10_000, 500 * 2 ** Math.min(10, attempt - 1));
  return Math.round(delay * (0.8 + 0.4 * random));
}
