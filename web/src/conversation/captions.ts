/** A word with its place in the item's sound, in milliseconds. */
export interface TimedWord {
  text: string;
  startMs: number;
  endMs: number;
}

/** Letters a second of ordinary speech, used until the length of the sound is known. */
const LETTERS_PER_SECOND = 15;

/**
 * The caption of one reply, shown as far as it has been heard.
 *
 * With word times each word appears as it begins. Without them the text is spread evenly over the
 * sound, cut at a space.
 */
export class CaptionTrack {
  private text = "";
  private timed: TimedWord[] = [];
  private audioMs = 0;
  private complete = false;

  /** More of the text, as it is written. */
  addText(delta: string): void {
    this.text += delta;
  }

  /** The whole text, as it stands at the end. */
  setText(text: string): void {
    this.text = text;
  }

  /** More words with times, in order. */
  addWords(words: TimedWord[]): void {
    const last = this.timed[this.timed.length - 1];
    this.timed.push(...words.filter((word) => last === undefined || word.startMs >= last.startMs));
  }

  /** More sound arrived. */
  addAudio(milliseconds: number): void {
    this.audioMs += milliseconds;
  }

  /** Text and sound are all there. */
  finish(): void {
    this.complete = true;
  }

  /** Whether text and sound are all there. */
  get isComplete(): boolean {
    return this.complete;
  }

  /** Whether a listener who has heard `heardMs` misses some of it. */
  isCutOff(heardMs: number): boolean {
    return !this.complete || this.heard(heardMs) !== this.heard(Infinity);
  }

  /** All of the text. */
  get fullText(): string {
    return this.text.length > 0 ? this.text.trim() : this.join(this.timed);
  }

  /** The words with their times. */
  get words(): readonly TimedWord[] {
    return this.timed;
  }

  /** The part that a listener has heard `heardMs` into the sound. */
  heard(heardMs: number): string {
    if (heardMs <= 0) return "";
    if (this.timed.length > 0) {
      const words = this.timed.filter((word) => word.startMs <= heardMs);
      return this.join(words);
    }
    const text = this.text.trim();
    const estimate = (text.length * 1000) / LETTERS_PER_SECOND;
    const total = this.complete && this.audioMs > 0 ? this.audioMs : Math.max(this.audioMs, estimate);
    if (total <= 0 || heardMs >= total) return text;
    const count = Math.floor((text.length * heardMs) / total);
    const cut = text.lastIndexOf(" ", count);
    return cut <= 0 ? "" : text.slice(0, cut);
  }

  private join(words: readonly TimedWord[]): string {
    return words.map((word) => word.text.trim()).filter((word) => word.length > 0).join(" ");
  }
}
