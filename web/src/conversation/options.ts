import { YoobError } from "../errors.js";
import { DEFAULT_VOICE_HOSTS, isAllowedVoiceUrl, voiceCloseError } from "./addresses.js";
import type { RealtimeSessionOptions, YoobConversationState, YoobTurnMetrics } from "./events.js";
import type { SocketAddress } from "./socket.js";

/** A voice session as the backend gives it. */
export interface YoobVoiceSession {
  voice_token: string;
  url: string;
  voice_session_id?: string;
  model?: string;
  max_seconds?: number;
  credits_per_minute?: number;
  expires_at?: string;
}

/** How a conversation is held; exactly one of `url`, `getVoiceSession` and `getClientSecret`. */
export interface YoobConversationOptions extends Omit<RealtimeSessionOptions, "extensions"> {
  /** Address of a voice server that needs no key, such as one's own. */
  url?: string;
  /** Asks one's backend for a voice session; called for each connection. */
  getVoiceSession?: () => Promise<YoobVoiceSession>;
  /** Asks one's backend for a client secret of OpenAI; called for each connection. */
  getClientSecret?: () => Promise<string>;
  /** Realtime address for client secrets; default: the provider's public one. */
  baseURL?: string;
  /** Hosts that a voice session may name; default: the page's own and this machine. */
  voiceHosts?: readonly string[];
  /** The character speaks first. Default false. */
  greet?: boolean;
  /** Opens a lost connection again. Default true. */
  reconnect?: boolean;
  onState?: (state: YoobConversationState) => void;
  /** What the user said; `text` replaces what came before it in the same turn. */
  onUserTranscript?: (text: string, final: boolean, itemId: string) => void;
  /**
   * What the listener has heard of the reply; `text` replaces what came before it in the same reply.
   * `cutOff` comes with the final text of a reply that was stopped before its end.
   */
  onAssistantTranscript?: (text: string, final: boolean, itemId: string, cutOff: boolean) => void;
  /** A message is taken back: the user went on speaking, and it comes again whole. */
  onWithdrawn?: (itemId: string) => void;
  /** Timings of a turn: `heard_ms`, from the user's last word to the first audible sample, and the server's. */
  onMetrics?: (metrics: YoobTurnMetrics) => void;
  /**
   * A lost connection was opened again. The server began a new conversation: it does not remember what was
   * said before, and a page that still shows it should say so.
   */
  onReconnected?: () => void;
  onError?: (error: YoobError) => void;
}

/** Where to connect to; throws `unauthorized`, `out-of-credit` or `voice-session`. */
export async function conversationAddress(options: YoobConversationOptions): Promise<SocketAddress> {
  if (options.getClientSecret !== undefined) {
    const secret = await options.getClientSecret().catch((error: unknown) => {
      throw YoobError.from(error, "unauthorized");
    });
    const url = new URL(options.baseURL ?? "wss://api.openai.com/v1/realtime");
    url.searchParams.set("model", options.model ?? "gpt-realtime");
    return { url: url.href, protocols: ["realtime", `openai-insecure-api-key.${secret}`] };
  }
  if (options.getVoiceSession !== undefined) {
    const session = await options.getVoiceSession().catch((error: unknown) => {
      throw YoobError.from(error, "unauthorized");
    });
    return voiceSessionAddress(session, options.voiceHosts ?? DEFAULT_VOICE_HOSTS);
  }
  const url = new URL(options.url ?? "", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : url.protocol === "http:" ? "ws:" : url.protocol;
  if (options.model !== undefined) url.searchParams.set("model", options.model);
  return { url: url.href, protocols: ["realtime"] };
}

/** The address in a backend's answer, which may be an error body. */
export function voiceSessionAddress(session: unknown, hosts: readonly string[]): SocketAddress {
  const body = (typeof session === "object" && session !== null ? session : {}) as
    & Partial<YoobVoiceSession>
    & {
      code?: unknown;
      error?: unknown;
    };
  if (body.code === "quota_exceeded") {
    throw new YoobError("out-of-credit", "There is no credit left for the voice.");
  }
  if (body.code !== undefined || body.error !== undefined) {
    const reason = typeof body.error === "string" ? body.error : "The backend refused the voice session.";
    throw new YoobError("unauthorized", reason);
  }
  if (typeof body.url !== "string" || typeof body.voice_token !== "string") {
    throw voiceCloseError(0, "no session");
  }
  if (!isAllowedVoiceUrl(body.url, hosts)) {
    throw new YoobError("voice-session", "The voice session names a host that is not allowed here.", {
      closeCode: 0,
    });
  }
  return { url: body.url, protocols: ["realtime", `yoob-voice-grant.${body.voice_token}`] };
}
