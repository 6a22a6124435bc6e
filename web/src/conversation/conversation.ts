import { base64FromPcm, bytesFromBase64 } from "../audio/pcm.js";
import type { YoobAvatar } from "../avatar.js";
import { YoobError } from "../errors.js";
import { isTransientClose, reconnectDelay } from "./addresses.js";
import { conversationAddress, type YoobConversationOptions } from "./options.js";
import { sessionUpdate, type YoobConversationState } from "./events.js";
import { prosodyFrames } from "./prosody-frames.js";
import { type RealtimeAction, RealtimeProtocol } from "./realtime.js";
import { ReplyCaptions } from "./reply-captions.js";
import { RealtimeSocket } from "./socket.js";
import { TurnTimer } from "./turn-timer.js";
import { visemeFrames } from "./viseme-frames.js";

const RATE = 24_000;
const PACKET_MS = 20;
const MOST_WAITING_PIECES = 128;

/** What the face gets to know ahead of the sound. */
interface FacePiece {
  itemId: string;
  kind: "visemes" | "prosody";
  startMs: number;
  frames: Float32Array;
}

/**
 * A spoken conversation through an avatar, over the OpenAI Realtime protocol.
 *
 * ```ts
 * const conversation = new YoobConversation(avatar, { url: "wss://example.com/v1/realtime" });
 * button.onclick = () => conversation.start().catch(() => {});   // asks for the microphone; onError is told
 * ```
 */
export class YoobConversation {
  private readonly avatar: YoobAvatar;
  private readonly options: YoobConversationOptions;
  private protocol = new RealtimeProtocol();
  private readonly captions: ReplyCaptions;
  private readonly timer = new TurnTimer();
  private socket: RealtimeSocket | undefined;
  private connecting: Promise<void> | undefined;
  private currentState: YoobConversationState = "idle";
  /** From start to stop, reconnections included; its abort ends whatever is still being opened. */
  private session: AbortController | undefined;
  private isInterrupting = false;
  private starting = 0;
  private attempts = 0;
  private lastServerCode: string | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private openItem: string | undefined;
  private readonly itemOf = new Map<number, string>();
  private waitingPieces: FacePiece[] = [];
  private listeners: (() => void)[] = [];

  /** Throws `unsupported` unless exactly one of `url`, `getVoiceSession` and `getClientSecret` is given. */
  constructor(avatar: YoobAvatar, options: YoobConversationOptions) {
    const ways = [options.url, options.getVoiceSession, options.getClientSecret].filter((way) =>
      way !== undefined
    );
    if (ways.length !== 1) {
      throw new YoobError("unsupported", "Pass exactly one of url, getVoiceSession and getClientSecret.");
    }
    this.avatar = avatar;
    this.options = options;
    this.captions = new ReplyCaptions(({ text, words, final, itemId, cutOff }) => {
      options.onAssistantTranscript?.(text, final, itemId, cutOff);
      avatar.caption({ role: "assistant", text, words, final, cutOff });
    });
  }

  get state(): YoobConversationState {
    return this.currentState;
  }

  /**
   * Opens the conversation; call it from a click or a key press. With `microphone: false` the user
   * types only; a later call opens the microphone. Throws what the connection or the microphone throw;
   * resolves without a conversation when `stop()` comes first.
   */
  async start(options: { deviceId?: string | null; microphone?: boolean } = {}): Promise<void> {
    const wasOpen = this.socket !== undefined;
    const unlocked = this.avatar.unlockAudio();
    this.avatar.prepare().catch(() => undefined);
    const session = this.session ?? this.activate();
    const { deviceId, microphone = true } = options;
    const listens = microphone
      ? this.avatar.microphone.start(deviceId === undefined ? {} : { deviceId })
      : undefined;
    this.starting++;
    const opened = Promise.allSettled([unlocked, this.connect(session.signal), listens]);
    const results = await Promise.race([opened, stopOf(session.signal).catch(() => undefined)]);
    // Stopped in the meantime: there is nothing to report.
    if (results === undefined || this.session !== session) return;
    this.starting--;
    const failure = results.find((result) => result.status === "rejected");
    if (failure?.status === "rejected") {
      const error = YoobError.from(failure.reason, "network");
      if (!wasOpen) this.finish();
      this.options.onError?.(error);
      throw error;
    }
    if (!wasOpen && this.options.greet === true) this.perform(this.protocol.greet());
  }

  /**
   * Sends a typed message; opens a conversation without microphone when none is open. Resolves to whether it
   * was sent; `onError` is told why not.
   */
  async sendText(text: string): Promise<boolean> {
    const message = text.trim();
    if (message.length === 0) return false;
    if (this.socket === undefined) await this.start({ microphone: false }).catch(() => undefined);
    if (this.socket === undefined) return false;
    this.timer.begin(performance.now());
    this.perform(this.protocol.sendText(message));
    return true;
  }

  /** Stops what is being said, as the user wishes; the conversation goes on. */
  interrupt(): void {
    this.perform(this.protocol.stopReply());
  }

  /** Ends the conversation and closes the microphone; the character stays. */
  stop(): void {
    if (this.session !== undefined) this.finish();
  }

  private activate(): AbortController {
    const session = new AbortController();
    this.session = session;
    const { avatar } = this;
    this.listeners = [
      avatar.microphone.on("audio", (pcm) => this.sendPacket(pcm)),
      avatar.microphone.on("error", (error) => {
        if (this.starting === 0) this.options.onError?.(error);
      }),
      avatar.on("started", ({ utterance }) => {
        if (this.itemOf.has(utterance)) this.perform(this.protocol.playbackStarted());
      }),
      avatar.on("audible", ({ utterance, at }) => {
        if (this.itemOf.has(utterance)) this.report(this.timer.audible(at));
      }),
      avatar.on("moved", ({ utterance, heardMs }) => {
        const itemId = this.itemOf.get(utterance);
        if (itemId !== undefined) this.captions.heard(itemId, heardMs);
      }),
      avatar.on("finished", (event) => this.utteranceFinished(event)),
    ];
    return session;
  }

  private connect(signal: AbortSignal): Promise<void> {
    if (this.socket !== undefined) return Promise.resolve();
    if (this.connecting !== undefined) return this.connecting;
    const connecting = this.open(signal).finally(() => {
      if (this.connecting === connecting) this.connecting = undefined;
    });
    this.connecting = connecting;
    return connecting;
  }

  /** Opens the socket and waits for the server's greeting; `signal` closes it until then. */
  private async open(signal: AbortSignal): Promise<void> {
    this.setState("connecting");
    const stopped = stopOf(signal);
    const address = await Promise.race([conversationAddress(this.options), stopped]);
    const protocol = new RealtimeProtocol();
    let opened: () => void = () => undefined;
    let failed: (error: YoobError) => void = () => undefined;
    const ready = new Promise<void>((resolve, reject) => {
      opened = resolve;
      failed = reject;
    });
    ready.catch(() => undefined);
    let isReady = false;
    let refusal: YoobError | undefined;
    const socket = await RealtimeSocket.open(
      address,
      (event) => {
        for (const action of protocol.receive(event)) {
          if (action.kind === "opened") opened();
          else if (action.kind === "error" && !isReady) refusal = action.error;
          else if (isReady) this.perform([action]);
        }
      },
      (error) => {
        failed(refusal ?? error);
        if (isReady) this.lost(error);
      },
      signal,
    );
    await Promise.race([ready, stopped]).catch((error: unknown) => {
      socket.close();
      throw error;
    });
    this.protocol = protocol;
    this.socket = socket;
    this.timer.reset();
    this.lastServerCode = undefined;
    socket.send(sessionUpdate({ ...this.options, extensions: this.options.getClientSecret === undefined }));
    isReady = true;
    const isAgain = this.attempts > 0;
    this.attempts = 0;
    this.setState(protocol.state);
    if (isAgain) this.options.onReconnected?.();
  }

  /** The connection ended by itself: it is opened again, later and later, where that can help. */
  private lost(error: YoobError): void {
    const { session } = this;
    this.socket = undefined;
    this.openItem = undefined;
    this.avatar.endSpeech();
    this.avatar.resume();
    if (session === undefined) return;
    const code = error.details.closeCode ?? 1006;
    const expired = this.lastServerCode === "session_expired";
    if ((!isTransientClose(code) && !expired) || this.options.reconnect === false) {
      this.finish();
      // A server that says why before it closes has been reported already.
      if (code !== 1000 || this.lastServerCode === undefined) this.options.onError?.(error);
      return;
    }
    this.setState("connecting");
    this.options.onError?.(
      new YoobError("network", "The connection to the voice server was lost. Trying again…"),
    );
    this.retryLater(session.signal);
  }

  private retryLater(signal: AbortSignal): void {
    this.attempts++;
    this.retry = setTimeout(() => {
      this.connect(signal).catch((error: unknown) => {
        if (signal.aborted) return;
        const failure = YoobError.from(error, "network");
        if (failure.code === "network" || isTransientClose(failure.details.closeCode ?? 0)) {
          return this.retryLater(signal);
        }
        this.finish();
        this.options.onError?.(failure);
      });
    }, reconnectDelay(this.attempts, Math.random()));
  }

  private finish(): void {
    this.session?.abort();
    this.session = undefined;
    this.starting = 0;
    this.attempts = 0;
    clearTimeout(this.retry);
    this.isInterrupting = true;
    this.avatar.interrupt();
    this.isInterrupting = false;
    for (const remove of this.listeners.splice(0)) remove();
    // A microphone that failed keeps saying so.
    if (this.avatar.microphone.state !== "failed") this.avatar.microphone.stop();
    this.socket?.close();
    this.socket = undefined;
    this.connecting = undefined;
    this.openItem = undefined;
    this.itemOf.clear();
    this.waitingPieces = [];
    this.protocol = new RealtimeProtocol();
    this.setState("ended");
  }

  private perform(actions: RealtimeAction[]): void {
    for (const action of actions) this.performOne(action);
  }

  private performOne(action: RealtimeAction): void {
    const { options, captions } = this;
    switch (action.kind) {
      case "opened":
        return;
      case "send":
        return this.socket?.send(action.event);
      case "stateChanged":
        return this.setState(this.socket === undefined ? this.currentState : this.protocol.state);
      case "interrupt": {
        this.isInterrupting = true;
        const heardMs = this.avatar.interrupt();
        this.isInterrupting = false;
        this.openItem = undefined;
        return this.perform(this.protocol.interrupted(heardMs));
      }
      case "audio":
        return this.speak(action.itemId, action.base64);
      case "hold":
        return action.held ? this.avatar.pause() : this.avatar.resume();
      case "audioEnd":
        if (this.openItem === action.itemId) this.closeItem();
        return captions.finish(action.itemId);
      case "userText":
        options.onUserTranscript?.(action.text, action.final, action.itemId);
        return this.avatar.caption({ role: "user", text: action.text, words: [], final: action.final });
      case "withdrawn":
        captions.forget(action.itemId);
        return options.onWithdrawn?.(action.itemId);
      case "replyText":
        return captions.addText(action.itemId, action.delta, action.spoken);
      case "replyDone":
        return captions.setText(action.itemId, action.text, action.spoken);
      case "words":
        return captions.addWords(action.itemId, action.words);
      case "visemes": {
        const frames = visemeFrames(action.frames, action.rate);
        if (frames !== undefined) this.addPiece({ ...action, frames });
        return;
      }
      case "prosody": {
        const frames = prosodyFrames(action.pitch, action.marks, action.rate);
        if (frames !== undefined) this.addPiece({ ...action, frames });
        return;
      }
      case "speechStarted":
        return;
      case "speechStopped":
        return this.timer.speechStopped(action.audioMs, performance.now());
      case "metrics":
        return this.report(this.timer.measured(action.metrics));
      case "error":
        this.lastServerCode = action.error.details.serverCode;
        return options.onError?.(action.error);
    }
  }

  private speak(itemId: string, base64: string): void {
    try {
      if (this.openItem !== undefined && this.openItem !== itemId) {
        this.captions.finish(this.openItem);
        this.closeItem();
      }
      const pcm = bytesFromBase64(base64);
      const utterance = this.avatar.speak(pcm, RATE);
      this.captions.addAudio(itemId, (pcm.byteLength * 500) / RATE);
      if (this.openItem === itemId || utterance === 0) return;
      this.openItem = itemId;
      this.itemOf.set(utterance, itemId);
      const isOwn = (piece: FacePiece) => piece.itemId === itemId;
      for (const piece of this.waitingPieces.filter(isOwn)) this.giveToFace(piece);
      this.waitingPieces = this.waitingPieces.filter((piece) => !isOwn(piece));
    } catch (error) {
      this.options.onError?.(YoobError.from(error, "invalid-audio"));
    }
  }

  private closeItem(): void {
    this.openItem = undefined;
    this.avatar.endSpeech();
  }

  /** Mouth frames and melody may come before the first sound of their item. */
  private addPiece({ itemId, kind, startMs, frames }: FacePiece): void {
    const piece = { itemId, kind, startMs, frames };
    if (this.openItem === itemId) return this.giveToFace(piece);
    this.waitingPieces.push(piece);
    if (this.waitingPieces.length > MOST_WAITING_PIECES) this.waitingPieces.shift();
  }

  private giveToFace({ kind, startMs, frames }: FacePiece): void {
    if (kind === "visemes") this.avatar.addVisemes(frames, startMs);
    else this.avatar.addProsody(frames, startMs);
  }

  private utteranceFinished(event: { utterance: number; heardMs: number; interrupted: boolean }): void {
    const itemId = this.itemOf.get(event.utterance);
    if (itemId === undefined) return;
    this.itemOf.delete(event.utterance);
    if (!event.interrupted) {
      this.captions.played(itemId, event.heardMs);
      return this.perform(this.protocol.playbackFinished());
    }
    this.captions.close(itemId, event.heardMs);
    if (this.isInterrupting) return;
    this.openItem = undefined;
    const stops = this.protocol.stopReply().filter((action) => action.kind === "send");
    // What was heard is told before the cancellation, at which the server would guess it.
    this.perform([...this.protocol.interrupted(event.heardMs), ...stops]);
  }

  private sendPacket(pcm: Int16Array): void {
    if (this.socket?.sendAudio(base64FromPcm(pcm)) === true) this.timer.sent(PACKET_MS, performance.now());
  }

  private report(metrics: Record<string, number> | undefined): void {
    if (metrics !== undefined) this.options.onMetrics?.(metrics);
  }

  private setState(state: YoobConversationState): void {
    if (state === this.currentState) return;
    this.currentState = state;
    this.avatar.attention = state === "listening" || state === "thinking" || state === "speaking"
      ? state
      : "idle";
    this.options.onState?.(state);
  }
}

/** Rejects with `session-ended` when `signal` aborts. */
function stopOf(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new YoobError("session-ended", "The conversation was stopped."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  stopped.catch(() => undefined);
  return stopped;
}
