import type { YoobWord } from "../types.js";
import { CaptionTrack, type TimedWord } from "./captions.js";

/** Replies of which captions are kept at a time. */
const MOST_TRACKS = 16;

/** The caption of a reply as it stands. */
export interface ReplyCaption {
  text: string;
  words: YoobWord[];
  final: boolean;
  itemId: string;
  /** Whether the reply was stopped before its end. */
  cutOff: boolean;
}

/** Shows the captions of replies as they are heard, each change once. */
export class ReplyCaptions {
  private readonly tracks = new Map<string, CaptionTrack>();
  private readonly show: (caption: ReplyCaption) => void;
  private shown = "";

  constructor(show: (caption: ReplyCaption) => void) {
    this.show = show;
  }

  /** More text; text without sound is shown at once. */
  addText(itemId: string, delta: string, spoken: boolean): void {
    const track = this.track(itemId);
    track.addText(delta);
    if (!spoken) this.emit(itemId, track, track.fullText, false);
  }

  setText(itemId: string, text: string, spoken: boolean): void {
    const track = this.track(itemId);
    if (text.length > 0) track.setText(text);
    if (spoken) return;
    this.emit(itemId, track, track.fullText, true);
    this.tracks.delete(itemId);
  }

  addWords(itemId: string, words: TimedWord[]): void {
    this.track(itemId).addWords(words);
  }

  addAudio(itemId: string, milliseconds: number): void {
    this.track(itemId).addAudio(milliseconds);
  }

  finish(itemId: string): void {
    this.tracks.get(itemId)?.finish();
  }

  /** The listener is `heardMs` into the item. */
  heard(itemId: string, heardMs: number): void {
    const track = this.tracks.get(itemId);
    if (track !== undefined) this.emit(itemId, track, track.heard(heardMs), false);
  }

  /** The sound that there was of the item was heard to its end, `heardMs`; more was to come unless it is finished. */
  played(itemId: string, heardMs: number): void {
    const track = this.tracks.get(itemId);
    if (track?.isComplete === false) return this.close(itemId, heardMs);
    this.tracks.delete(itemId);
    if (track !== undefined) this.emit(itemId, track, track.fullText, true);
  }

  /** The item's sound was stopped after `heardMs`. */
  close(itemId: string, heardMs: number): void {
    const track = this.tracks.get(itemId);
    if (track === undefined) return;
    this.tracks.delete(itemId);
    this.emit(itemId, track, track.heard(heardMs), true, track.isCutOff(heardMs));
  }

  /** The item is taken back. */
  forget(itemId: string): void {
    this.tracks.delete(itemId);
  }

  private track(itemId: string): CaptionTrack {
    const existing = this.tracks.get(itemId);
    if (existing !== undefined) return existing;
    const track = new CaptionTrack();
    this.tracks.set(itemId, track);
    if (this.tracks.size > MOST_TRACKS) this.tracks.delete(this.tracks.keys().next().value ?? "");
    return track;
  }

  private emit(itemId: string, track: CaptionTrack, text: string, final: boolean, cutOff = false): void {
    if (text.length === 0 || (text === this.shown && !final)) return;
    this.shown = final ? "" : text;
    const words = track.words.map((word) => ({
      text: word.text,
      start: word.startMs / 1000,
      end: word.endMs / 1000,
    }));
    this.show({ text, words, final, itemId, cutOff });
  }
}
