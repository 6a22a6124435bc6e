import { YoobError } from "../errors.js";
import { voiceCloseError } from "./addresses.js";
import type { JsonObject } from "./events.js";
import { handshakeError } from "./refusal.js";

const CONNECT_TIMEOUT_MS = 15_000;
/** Unsent bytes beyond which microphone packets are dropped: some ten seconds of sound. */
const MOST_UNSENT_BYTES = 700_000;

/** How to reach a voice server. */
export interface SocketAddress {
  url: string;
  protocols: string[];
}

/** A WebSocket of JSON messages. */
export class RealtimeSocket {
  private readonly socket: WebSocket;
  private closedByUs = false;

  /**
   * Resolves when the socket is open; throws `network`, `unauthorized` or `unsupported`, and
   * `session-ended` when `signal` aborts first, which closes the socket.
   */
  static open(
    address: SocketAddress,
    onEvent: (event: JsonObject) => void,
    onClose: (error: YoobError) => void,
    signal: AbortSignal,
  ): Promise<RealtimeSocket> {
    return new Promise((resolve, reject) => {
      const stopped = new YoobError("session-ended", "The conversation was stopped.");
      if (signal.aborted) return reject(stopped);
      let opened = false;
      const socket = new WebSocket(address.url, address.protocols);
      const wrapper = new RealtimeSocket(socket);
      const stop = (): void => {
        clearTimeout(timer);
        wrapper.close();
        reject(stopped);
      };
      signal.addEventListener("abort", stop, { once: true });
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        wrapper.close();
        reject(new YoobError("network", "The voice server did not answer within 15 seconds. Try again."));
      }, CONNECT_TIMEOUT_MS);
      socket.onopen = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        opened = true;
        resolve(wrapper);
      };
      socket.onmessage = ({ data }: MessageEvent<unknown>) => {
        const event = typeof data === "string" ? parse(data) : undefined;
        if (event !== undefined && !wrapper.closedByUs) onEvent(event);
      };
      socket.onclose = ({ code, reason }) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        if (wrapper.closedByUs) return;
        wrapper.closedByUs = true;
        if (opened) return onClose(voiceCloseError(code, reason));
        void handshakeError(address.url).then(reject);
      };
    });
  }

  private constructor(socket: WebSocket) {
    this.socket = socket;
  }

  send(event: JsonObject): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(event));
  }

  /** Sends sound unless the connection lags far behind; returns whether it was sent. */
  sendAudio(base64: string): boolean {
    if (this.socket.readyState !== WebSocket.OPEN || this.socket.bufferedAmount > MOST_UNSENT_BYTES) {
      return false;
    }
    this.socket.send(`{"type":"input_audio_buffer.append","audio":"${base64}"}`);
    return true;
  }

  close(): void {
    this.closedByUs = true;
    this.socket.close(1000);
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
