import {
  YoobAvatar,
  YoobConversation,
  type YoobConversationState,
  YoobError,
  type YoobPhase,
} from "../src/index.js";
import { ChatLog } from "./chat-log.js";

/** In the dark the scene behind Luna lets the page's own ground through. */
const DARK_SCENE = 0.14;
const PACK = "/characters/luna-anime/";
const STATUS: Record<YoobConversationState, string> = {
  idle: "Ready",
  connecting: "Connecting…",
  listening: "Listening",
  thinking: "Thinking…",
  speaking: "Speaking",
  ended: "Ready",
};
const PREPARING: Partial<Record<YoobPhase, string>> = {
  downloading: "Luna is on her way…",
  warming: "Almost there…",
  failed: "Luna cannot be shown",
};

/** A server keeps a conversation as long as its connection; the page's log stays. */
const FORGOTTEN = "A new conversation: Luna does not remember what was said before.";

function find<Kind extends HTMLElement>(selector: string): Kind {
  const element = document.querySelector<Kind>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
}

const talk = find<HTMLButtonElement>("#talk");
const mute = find<HTMLButtonElement>("#mute");
const hush = find<HTMLButtonElement>("#hush");
const device = find<HTMLSelectElement>("#device");
const level = find<HTMLElement>("#level");
const status = find<HTMLElement>("#status");
const alertBox = find<HTMLElement>("#alert");
const retry = find<HTMLButtonElement>("#alert button");
const composer = find<HTMLFormElement>("#composer");
const text = find<HTMLInputElement>("#text");
const progress = find<HTMLProgressElement>("#progress");
const log = new ChatLog(find("#log"));
let metrics: Record<string, number> = {};

const avatar = new YoobAvatar({
  container: find("#character"),
  pack: PACK,
  onProgress: ({ fraction }) => (progress.value = fraction),
  onPhase: (phase) => {
    progress.classList.toggle("done", phase !== "downloading" && phase !== "warming");
    refresh();
  },
  onError: (error) => complain(error),
});
const darkness = matchMedia("(prefers-color-scheme: dark)");
const light = (): number => (avatar.sceneOpacity = darkness.matches ? DARK_SCENE : 1);
darkness.addEventListener("change", light);
light();
const microphone = avatar.microphone;

const conversation = new YoobConversation(avatar, {
  url: new URL("/v1/realtime", location.href).href,
  onState: (state) => {
    if (state === "listening" || state === "speaking") alertBox.hidden = true;
    if (state === "thinking") log.beginTurn();
    refresh();
  },
  onUserTranscript: (words, final, itemId) => log.show("user", words, final, itemId),
  onAssistantTranscript: (words, final, itemId, cutOff) =>
    log.show("assistant", words, final, itemId, cutOff),
  onWithdrawn: (itemId) => log.withdraw(itemId),
  onMetrics: (timings) => {
    metrics = timings;
    log.time(timings);
  },
  onReconnected: () => log.note(FORGOTTEN),
  onError: (error) => complain(error),
});

/** Shows what the controls can do now. */
function refresh(): void {
  const { state } = conversation;
  const open = state !== "idle" && state !== "ended";
  const listens = microphone.state === "live" || microphone.state === "muted" ||
    microphone.state === "starting";
  const talking = open && listens;
  talk.setAttribute("aria-pressed", String(talking));
  (talk.lastElementChild as HTMLElement).textContent = talking ? "End" : "Talk";
  mute.disabled = !listens;
  mute.setAttribute("aria-pressed", String(microphone.muted));
  hush.disabled = state !== "speaking" && state !== "thinking";
  const preparing = open ? undefined : PREPARING[avatar.phase];
  const typing = state === "listening" && !listens;
  const muted = microphone.muted && talking && state === "listening";
  status.textContent = preparing ?? (typing ? "Write, or press Talk" : muted ? "Muted" : STATUS[state]);
  status.dataset["state"] = preparing !== undefined
    ? avatar.phase
    : typing || !open
    ? "ready"
    : muted
    ? "muted"
    : state;
}

function complain(error: YoobError): void {
  const note = error.code === "unauthorized" || error.code === "unsupported"
    ? canStillType(error)
    : error.message;
  find<HTMLElement>("#alert p").textContent = note;
  retry.hidden = avatar.phase !== "failed";
  alertBox.hidden = false;
  refresh();
}

function canStillType(error: YoobError): string {
  return microphone.state === "failed" ? `${error.message} You can still write to Luna.` : error.message;
}

/** Shows a typed message and sends it; one that did not reach Luna says so and can be sent again. */
async function send(message: string): Promise<void> {
  if (conversation.state === "ended") log.note(FORGOTTEN);
  const item = log.typed(message);
  if (await conversation.sendText(message)) return;
  log.markUnsent(item, () => {
    alertBox.hidden = true;
    text.focus();
    void send(message);
  });
}

async function showDevices(): Promise<void> {
  const devices = await microphone.devices().catch(() => []);
  const options = devices
    .filter(({ deviceId }) => deviceId !== "" && deviceId !== "default")
    .map(({ deviceId, label }, index) => new Option(label || `Microphone ${index + 1}`, deviceId));
  device.replaceChildren(new Option("System default", ""), ...options);
  device.value = microphone.deviceId ?? "";
}

talk.addEventListener("click", () => {
  if (talk.getAttribute("aria-pressed") === "true") return conversation.stop();
  alertBox.hidden = true;
  if (conversation.state === "ended") log.note(FORGOTTEN);
  conversation.start({ deviceId: device.value || null }).then(showDevices, () => undefined);
});
mute.addEventListener("click", () => {
  microphone.setMuted(!microphone.muted);
  refresh();
});
hush.addEventListener("click", () => conversation.interrupt());
device.addEventListener("change", () => void microphone.select(device.value || null));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !hush.disabled) conversation.interrupt();
});
composer.addEventListener("submit", (event) => {
  event.preventDefault();
  const message = text.value.trim();
  if (message.length === 0) return;
  text.value = "";
  void send(message);
});
retry.addEventListener("click", () => {
  alertBox.hidden = true;
  prepare();
});
microphone.on("state", refresh);
microphone.on("devices", () => void showDevices());
microphone.on("level", (value) => {
  level.setAttribute("aria-valuenow", String(Math.round(value * 100)));
  (level.firstElementChild as HTMLElement).style.transform = `scaleX(${value.toFixed(3)})`;
});

function prepare(): void {
  avatar.prepare().catch(() => undefined);
}

log.hint("Press Talk and ask Luna something, or write to her. Everything stays on this machine.");
void showDevices();
prepare();
refresh();

/** What this page exposes: a read-only view of itself for tests and for curious people. */
const view = {
  lips: () => avatar.lips,
  captions: () => log.lines,
  get phase() {
    return avatar.phase;
  },
  get state() {
    return conversation.state;
  },
  get playedMs() {
    return avatar.playedMs;
  },
  get renderer() {
    return avatar.renderer;
  },
  get microphone() {
    return microphone.state;
  },
  get metrics() {
    return { ...metrics };
  },
};
Object.defineProperty(window, "yoobDemo", { value: Object.freeze(view), writable: false });
