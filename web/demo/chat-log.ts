import { timingDetails } from "./timing.js";

type Role = "user" | "assistant";

/** Messages kept on the page. */
const MOST_MESSAGES = 200;
/** How near to its end a log counts as read to the end. */
const AT_END_PIXELS = 40;

/** The conversation as text, the newest message last. */
export class ChatLog {
  private readonly list: HTMLElement;
  private readonly open = new Map<Role, HTMLLIElement>();
  private timing: Record<string, number> | undefined;
  private lastReply: HTMLLIElement | undefined;
  /** Whether the newest message is kept in view: until the reader scrolls back. */
  private follows = true;
  /** Where the log was scrolled to, to see a reader go back before the browser tells it. */
  private lastTop = 0;

  constructor(list: HTMLElement) {
    this.list = list;
    list.addEventListener("scroll", () => {
      this.follows = this.isAtEnd;
      this.lastTop = list.scrollTop;
      this.showEdges();
    });
    list.addEventListener("toggle", () => this.scroll(), true);
    new ResizeObserver(() => this.scroll()).observe(list);
  }

  /** What the log shows, oldest first. */
  get lines(): { role: string; text: string; final: boolean; cutOff: boolean; unsent: boolean }[] {
    return [...this.list.querySelectorAll<HTMLLIElement>("li[data-role]")].map((item) => ({
      role: item.dataset["role"] ?? "",
      text: item.querySelector(".bubble")?.textContent ?? "",
      final: item.getAttribute("aria-busy") !== "true",
      cutOff: item.classList.contains("cut"),
      unsent: item.classList.contains("unsent"),
    }));
  }

  /** A grey line for whoever has not spoken yet. */
  hint(text: string): void {
    const item = document.createElement("li");
    item.className = "hint";
    item.textContent = text;
    this.list.append(item);
  }

  /** A grey line among the messages, once where it would follow itself; none where nothing was said. */
  note(text: string): void {
    const last = this.list.lastElementChild;
    if (this.lines.every(({ unsent }) => unsent) || (last?.className === "note" && last.textContent === text)) return;
    const item = document.createElement("li");
    item.className = "note";
    item.textContent = text;
    this.list.append(item);
    this.scroll();
  }

  /**
   * Shows `text` as the running message of `role`; an empty final one is taken back, and one that was cut off
   * says so.
   */
  show(role: Role, text: string, final: boolean, itemId: string, cutOff = false): void {
    if (text.length === 0) {
      if (final) {
        this.open.get(role)?.remove();
        this.open.delete(role);
      }
      return;
    }
    const item = this.open.get(role) ?? this.add(role);
    const bubble = item.querySelector(".bubble");
    item.dataset["item"] = itemId;
    if (bubble !== null && bubble.textContent !== text) bubble.textContent = text;
    if (cutOff) this.cut(item);
    item.setAttribute("aria-busy", final ? "false" : "true");
    if (final) this.open.delete(role);
    this.scroll();
  }

  /** Shows a message that was typed; what the user is saying at the same time goes on. */
  typed(text: string): HTMLLIElement {
    const said = this.open.get("user");
    const item = this.add("user");
    this.open.delete("user");
    if (said !== undefined) this.open.set("user", said);
    (item.querySelector(".bubble") as HTMLElement).textContent = text;
    this.scroll();
    return item;
  }

  /** Marks a typed message as not sent; its button takes it away and calls `again`. */
  markUnsent(item: HTMLLIElement, again: () => void): void {
    item.classList.add("unsent");
    const note = document.createElement("p");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Send again";
    button.addEventListener("click", () => {
      item.remove();
      again();
    });
    note.append("Not sent. ", button);
    item.append(note);
    this.scroll();
  }

  /** Takes a message back. */
  withdraw(itemId: string): void {
    for (const item of this.list.querySelectorAll<HTMLLIElement>("li[data-item]")) {
      if (item.dataset["item"] === itemId) item.remove();
    }
    for (const [role, item] of this.open) {
      if (item.dataset["item"] === itemId) this.open.delete(role);
    }
  }

  /** A new turn begins: its timings belong to the next reply. */
  beginTurn(): void {
    this.timing = undefined;
    this.lastReply = undefined;
  }

  /** Shows how long the reply took, under it. */
  time(metrics: Record<string, number>): void {
    this.timing = metrics;
    if (this.lastReply !== undefined) this.attach(this.lastReply, metrics);
  }

  private add(role: Role): HTMLLIElement {
    this.list.querySelector(".hint")?.remove();
    const item = document.createElement("li");
    item.className = role;
    item.dataset["role"] = role;
    const who = document.createElement("span");
    who.className = "unseen";
    who.textContent = role === "user" ? "You: " : "Luna: ";
    const bubble = document.createElement("div");
    bubble.className = "bubble";
    item.append(who, bubble);
    this.list.append(item);
    this.open.set(role, item);
    if (role === "user") this.followAgain();
    if (role === "assistant") {
      this.lastReply = item;
      if (this.timing !== undefined) this.attach(item, this.timing);
    }
    while (this.list.childElementCount > MOST_MESSAGES) this.list.firstElementChild?.remove();
    return item;
  }

  /** A dash for the eye, a word for the ear. */
  private cut(item: HTMLLIElement): void {
    if (item.classList.contains("cut")) return;
    item.classList.add("cut");
    const word = document.createElement("span");
    word.className = "unseen";
    word.textContent = " (interrupted)";
    item.querySelector(".bubble")?.after(word);
  }

  private attach(item: HTMLLIElement, metrics: Record<string, number>): void {
    const old = item.querySelector("details");
    const details = timingDetails(metrics);
    details.open = old?.open ?? false;
    old?.remove();
    item.append(details);
    this.scroll();
  }

  private followAgain(): void {
    this.follows = true;
    this.lastTop = 0;
  }

  private get isAtEnd(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight < AT_END_PIXELS;
  }

  private scroll(): void {
    if (this.list.scrollTop < this.lastTop && !this.isAtEnd) this.follows = false;
    if (this.follows) {
      this.list.scrollTop = this.list.scrollHeight;
      this.lastTop = this.list.scrollTop;
    }
    this.showEdges();
  }

  /** The log fades at an edge behind which there is more. */
  private showEdges(): void {
    const { scrollHeight, scrollTop, clientHeight, classList } = this.list;
    classList.toggle("above", scrollTop > 1);
    classList.toggle("below", scrollHeight - scrollTop - clientHeight > 1);
  }
}
