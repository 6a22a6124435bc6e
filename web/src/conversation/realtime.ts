import { YoobError } from "../errors.js";
import type { TimedWord } from "./captions.js";
import { arrayOf, type JsonObject, numberOf, objectOf, textOf, type YoobTurnMetrics } from "./events.js";

/** What the owner of the protocol has to do. */
export type RealtimeAction =
  | { kind: "opened" }
  | { kind: "send"; event: JsonObject }
  | { kind: "stateChanged" }
  /** Stop the sound now and report what was heard to `interrupted()`. */
  | { kind: "interrupt" }
  | { kind: "audio"; itemId: string; base64: string }
  | { kind: "audioEnd"; itemId: string }
  /** Hold the sound, because the user may be interrupting, or go on with it. */
  | { kind: "hold"; itemId: string; held: boolean }
  | { kind: "userText"; itemId: string; text: string; final: boolean }
  /** `spoken` text comes with sound; other text is all there is. */
  | { kind: "replyText"; itemId: string; delta: string; spoken: boolean }
  | { kind: "replyDone"; itemId: string; text: string; spoken: boolean }
  | { kind: "words"; itemId: string; words: TimedWord[] }
  | { kind: "visemes"; itemId: string; startMs: number; rate: number; frames: unknown[] }
  | { kind: "prosody"; itemId: string; startMs: number; rate: number; pitch: unknown[]; marks: unknown[] }
  /** The message is taken back: the user went on, and it comes again whole. */
  | { kind: "withdrawn"; itemId: string }
  | { kind: "speechStarted"; audioMs: number }
  | { kind: "speechStopped"; audioMs: number }
  | { kind: "metrics"; metrics: YoobTurnMetrics }
  | { kind: "error"; error: YoobError };

/** Names of replies and items that are remembered. */
const MOST_REMEMBERED = 64;
/** Codes of errors that change nothing for the user: a reply that is over, settings that are kept. */
const HARMLESS = [
  "response_cancel",
  "no_active_response",
  "cannot_update_voice",
  // A hosted relay refuses so what its operator has fixed.
  "yoob_voice_locked",
  "yoob_instructions_locked",
];

/**
 * The client's side of a realtime conversation, without I/O: events in, actions out.
 *
 * It knows which reply is running, which items are still being heard, and drops what belongs to
 * replies that were cancelled.
 */
export class RealtimeProtocol {
  private isOpen = false;
  private response: string | undefined;
  private awaitsReply = false;
  private userSpeaks = false;
  private sounding = false;
  /** Items whose sound was handed over and not yet heard to the end, in order. */
  private playback: string[] = [];
  private readonly cancelled = new Recent();
  private readonly userTexts = new Map<string, string>();
  private readonly partialItems = new Recent();
  private readonly droppedItems = new Recent();

  get state(): "connecting" | "listening" | "thinking" | "speaking" {
    if (!this.isOpen) return "connecting";
    if (this.sounding) return "speaking";
    if (this.userSpeaks) return "listening";
    if (this.playback.length > 0 || this.awaitsReply || this.response !== undefined) return "thinking";
    return "listening";
  }

  /** The item that is heard, or about to be. */
  get currentItem(): string | undefined {
    return this.playback[0];
  }

  /** Takes one event of the server; unknown ones are ignored. */
  receive(event: JsonObject): RealtimeAction[] {
    const before = this.state;
    const actions = this.handle(event);
    if (this.state !== before) actions.push({ kind: "stateChanged" });
    return actions;
  }

  /** The user typed `text`: what runs is stopped, and a reply is asked for. */
  sendText(text: string): RealtimeAction[] {
    const actions = this.stopReply();
    this.awaitsReply = true;
    this.userSpeaks = false;
    const content = [{ type: "input_text", text }];
    const item = { type: "message", role: "user", content };
    actions.push({ kind: "send", event: { type: "conversation.item.create", item } });
    actions.push({ kind: "send", event: { type: "response.create" } });
    actions.push({ kind: "stateChanged" });
    return actions;
  }

  /** Asks for a reply without a message of the user. */
  greet(): RealtimeAction[] {
    this.awaitsReply = true;
    return [{ kind: "send", event: { type: "response.create" } }, { kind: "stateChanged" }];
  }

  /**
   * The user wants the reply to stop. The sound stops first, so that `interrupted()` tells what was heard
   * before the cancellation, at which the server would guess it.
   */
  stopReply(): RealtimeAction[] {
    const isRunning = this.response !== undefined || this.awaitsReply;
    const actions = this.dropReply();
    if (isRunning) actions.push({ kind: "send", event: { type: "response.cancel" } });
    return actions;
  }

  /** The sound was stopped after `heardMs` of the current item; returns the truncation to send. */
  interrupted(heardMs: number): RealtimeAction[] {
    const item = this.playback[0];
    this.playback = [];
    this.sounding = false;
    const actions: RealtimeAction[] = [];
    const audio_end_ms = Math.floor(heardMs);
    if (item !== undefined && audio_end_ms > 0) {
      const event = { type: "conversation.item.truncate", item_id: item, content_index: 0, audio_end_ms };
      actions.push({ kind: "send", event });
    }
    actions.push({ kind: "stateChanged" });
    return actions;
  }

  /** The listener hears the first sample of the current item. */
  playbackStarted(): RealtimeAction[] {
    this.sounding = true;
    this.awaitsReply = false;
    return [{ kind: "stateChanged" }];
  }

  /** The listener heard the last sample of the current item. */
  playbackFinished(): RealtimeAction[] {
    this.playback.shift();
    this.sounding = false;
    return [{ kind: "stateChanged" }];
  }

  private handle(event: JsonObject): RealtimeAction[] {
    const type = textOf(event, "type");
    const itemId = textOf(event, "item_id");
    switch (type) {
      case "session.created":
        this.isOpen = true;
        return [{ kind: "opened" }];
      case "input_audio_buffer.speech_started":
        return this.speechStarted(numberOf(event, "audio_start_ms"));
      case "input_audio_buffer.speech_stopped":
        this.userSpeaks = false;
        this.awaitsReply = true;
        return [{ kind: "speechStopped", audioMs: numberOf(event, "audio_end_ms") }];
      case "input_audio_buffer.timeout_triggered":
        this.userSpeaks = false;
        return [];
      case "conversation.item.input_audio_transcription.delta":
        return this.userDelta(itemId, textOf(event, "delta"));
      case "yoob.partial":
        this.partialItems.add(itemId);
        return [{ kind: "userText", itemId, text: textOf(event, "text"), final: false }];
      case "conversation.item.input_audio_transcription.completed":
        this.userTexts.delete(itemId);
        return this.userCompleted(itemId, textOf(event, "transcript"));
      case "conversation.item.input_audio_transcription.failed":
        this.userTexts.delete(itemId);
        return [];
      case "conversation.item.deleted":
        return itemId.length > 0 ? [{ kind: "withdrawn", itemId }] : [];
      case "response.created":
        this.response = textOf(objectOf(event, "response"), "id");
        this.awaitsReply = true;
        return [];
      case "response.output_audio.delta":
      case "response.output_audio.done":
      case "response.output_audio_transcript.delta":
      case "response.output_audio_transcript.done":
      case "response.output_text.delta":
      case "response.output_text.done":
        return this.replyEvent(type, itemId, event);
      case "response.done":
        return this.responseDone(objectOf(event, "response"));
      case "yoob.words":
        return this.isDropped(event)
          ? []
          : [{ kind: "words", itemId, words: timedWords(arrayOf(event, "words")) }];
      case "yoob.visemes":
        return this.isDropped(event) ? [] : [visemes(itemId, event)];
      case "yoob.prosody":
        return this.isDropped(event) ? [] : [prosody(itemId, event)];
      case "yoob.hold": {
        const isHeard = itemId === this.currentItem && !this.isDropped(event);
        return isHeard ? [{ kind: "hold", itemId, held: event["held"] === true }] : [];
      }
      case "yoob.metrics":
        return [{ kind: "metrics", metrics: metrics(event) }];
      case "error":
        return this.failed(objectOf(event, "error"));
      default:
        return [];
    }
  }

  private speechStarted(audioMs: number): RealtimeAction[] {
    this.userSpeaks = true;
    return [{ kind: "speechStarted", audioMs }, ...this.dropReply()];
  }

  private userDelta(itemId: string, delta: string): RealtimeAction[] {
    if (this.partialItems.has(itemId) || delta.length === 0) return [];
    const text = (this.userTexts.get(itemId) ?? "") + delta;
    this.userTexts.set(itemId, text);
    if (this.userTexts.size > MOST_REMEMBERED) {
      this.userTexts.delete(this.userTexts.keys().next().value ?? "");
    }
    return [{ kind: "userText", itemId, text, final: false }];
  }

  private userCompleted(itemId: string, transcript: string): RealtimeAction[] {
    if (transcript.trim().length === 0) {
      if (this.response === undefined && this.playback.length === 0) this.awaitsReply = false;
      return [{ kind: "userText", itemId, text: "", final: true }];
    }
    return [{ kind: "userText", itemId, text: transcript.trim(), final: true }];
  }

  private replyEvent(type: string, itemId: string, event: JsonObject): RealtimeAction[] {
    if (this.isDropped(event)) return [];
    const delta = textOf(event, "delta");
    switch (type) {
      case "response.output_audio.delta":
        if (!this.playback.includes(itemId)) this.playback.push(itemId);
        return delta.length > 0 ? [{ kind: "audio", itemId, base64: delta }] : [];
      case "response.output_audio.done":
        return [{ kind: "audioEnd", itemId }];
      case "response.output_audio_transcript.delta":
      case "response.output_text.delta":
        return [{ kind: "replyText", itemId, delta, spoken: type !== "response.output_text.delta" }];
      case "response.output_audio_transcript.done":
        return [{ kind: "replyDone", itemId, text: textOf(event, "transcript"), spoken: true }];
      default:
        return [{ kind: "replyDone", itemId, text: textOf(event, "text"), spoken: false }];
    }
  }

  private responseDone(response: JsonObject): RealtimeAction[] {
    const id = textOf(response, "id");
    if (this.response !== undefined && this.response !== id) return [];
    const dropped = this.cancelled.has(id);
    this.response = undefined;
    this.awaitsReply = false;
    if (dropped) return [];
    const status = textOf(response, "status");
    if (status === "cancelled") return this.dropReply();
    if (status !== "failed") return this.playback.map((itemId) => ({ kind: "audioEnd", itemId }));
    const details = objectOf(objectOf(response, "status_details"), "error");
    const message = textOf(details, "message") || "The reply failed. Try again.";
    const error = new YoobError("network", message, { serverCode: textOf(details, "code") });
    return [...this.dropReply(), { kind: "error", error }];
  }

  /** Forgets the running reply and stops its sound; late events of it are ignored. */
  private dropReply(): RealtimeAction[] {
    if (this.response !== undefined) this.cancelled.add(this.response);
    this.response = undefined;
    this.awaitsReply = false;
    for (const item of this.playback) this.droppedItems.add(item);
    return this.playback.length > 0 ? [{ kind: "interrupt" }] : [];
  }

  private isDropped(event: JsonObject): boolean {
    const id = textOf(event, "response_id");
    return this.cancelled.has(id) || this.droppedItems.has(textOf(event, "item_id"));
  }

  private failed(error: JsonObject): RealtimeAction[] {
    const code = textOf(error, "code");
    if (HARMLESS.some((text) => code.includes(text))) return [];
    const message = textOf(error, "message") || "The voice server reported an error.";
    return [{ kind: "error", error: new YoobError(errorCode(code), message, { serverCode: code }) }];
  }
}

/** The newest names, up to a bound. */
class Recent {
  private readonly names = new Set<string>();

  add(name: string): void {
    if (name.length === 0) return;
    this.names.add(name);
    if (this.names.size > MOST_REMEMBERED) this.names.delete(this.names.values().next().value ?? "");
  }

  has(name: string): boolean {
    return this.names.has(name);
  }
}

function errorCode(code: string): YoobError["code"] {
  if (code.includes("quota") || code.includes("cap_reached")) return "out-of-credit";
  if (code.includes("api_key") || code.includes("unauthorized")) return "unauthorized";
  return code.includes("busy") ? "voice-session" : "network";
}

function timedWords(values: unknown[]): TimedWord[] {
  const words: TimedWord[] = [];
  for (const value of values) {
    if (typeof value !== "object" || value === null) continue;
    const word = value as JsonObject;
    words.push({
      text: textOf(word, "text"),
      startMs: numberOf(word, "start_ms"),
      endMs: numberOf(word, "end_ms"),
    });
  }
  return words;
}

function visemes(itemId: string, event: JsonObject): RealtimeAction {
  const rate = numberOf(event, "rate") || 100;
  return {
    kind: "visemes",
    itemId,
    startMs: numberOf(event, "start_ms"),
    rate,
    frames: arrayOf(event, "frames"),
  };
}

function prosody(itemId: string, event: JsonObject): RealtimeAction {
  return {
    kind: "prosody",
    itemId,
    startMs: numberOf(event, "start_ms"),
    rate: numberOf(event, "rate") || 50,
    pitch: arrayOf(event, "pitch"),
    marks: arrayOf(event, "marks"),
  };
}

/** Every number of the event's stages. */
function metrics(event: JsonObject): YoobTurnMetrics {
  const result: YoobTurnMetrics = {};
  for (const [name, value] of Object.entries(objectOf(event, "stages"))) {
    if (typeof value === "number" && Number.isFinite(value)) result[name] = value;
  }
  return result;
}
