import assert from "node:assert/strict";
import test from "node:test";
import { CaptionTrack } from "../dist/conversation/captions.js";
import { ReplyCaptions } from "../dist/conversation/reply-captions.js";

const WORDS = [
  { text: "Hello", startMs: 0, endMs: 400 },
  { text: "there,", startMs: 400, endMs: 800 },
  { text: "friend.", startMs: 1000, endMs: 1500 },
];

test("a word appears when it begins to be heard", () => {
  const track = new CaptionTrack();
  track.addText("Hello there, friend.");
  track.addWords(WORDS);
  assert.equal(track.heard(0), "");
  assert.equal(track.heard(399), "Hello");
  assert.equal(track.heard(999), "Hello there,");
  assert.equal(track.heard(1000), "Hello there, friend.");
});

test("without word times the text spreads over the sound and is cut at a space", () => {
  const track = new CaptionTrack();
  track.addText("one two three four");
  track.addAudio(1800);
  track.finish();
  assert.equal(track.heard(900), "one two");
  assert.equal(track.heard(1800), "one two three four");
});

test("while a reply still arrives its caption does not run ahead of the voice", () => {
  const track = new CaptionTrack();
  track.addText("a sentence that was written long before it is spoken");
  track.addAudio(200);
  assert.equal(track.heard(1000), "a sentence that");
});

test("an interrupted reply keeps the words that were heard, and is marked as cut off", () => {
  const shown = [];
  const captions = new ReplyCaptions(({ text, final, cutOff }) => shown.push([text, final, cutOff]));
  captions.addText("i", "Hello there, friend.", true);
  captions.addWords("i", WORDS);
  captions.heard("i", 100);
  captions.heard("i", 200);
  captions.close("i", 500);
  assert.deepEqual(shown, [["Hello", false, false], ["Hello there,", true, true]]);
});

test("a reply that is stopped behind its last word is not cut off, unless more of it was to come", () => {
  for (const isComplete of [true, false]) {
    const shown = [];
    const captions = new ReplyCaptions(({ text, cutOff }) => shown.push([text, cutOff]));
    captions.setText("i", "Hello there, friend!", true);
    captions.addWords("i", WORDS);
    if (isComplete) captions.finish("i");
    captions.close("i", 5000);
    assert.deepEqual(shown, [["Hello there, friend.", !isComplete]]);
  }
});

test("a reply that was heard to the end shows its text as written", () => {
  const shown = [];
  const captions = new ReplyCaptions((caption) => shown.push(caption));
  captions.addWords("i", WORDS);
  captions.setText("i", "Hello there, friend!", true);
  captions.finish("i");
  captions.played("i", 1500);
  assert.equal(shown.length, 1);
  const [{ text, words, final, cutOff }] = shown;
  assert.deepEqual([text, words.length, final, cutOff], ["Hello there, friend!", 3, true, false]);
});

test("a reply whose sound broke off ends at the last word that was heard, and is marked as cut off", () => {
  for (const words of [WORDS, []]) {
    const shown = [];
    const captions = new ReplyCaptions(({ text, final, cutOff }) => shown.push([text, final, cutOff]));
    captions.setText("i", "Hello there, friend. A long story follows.", true);
    captions.addWords("i", words);
    captions.addAudio("i", 900);
    captions.played("i", 900);
    assert.deepEqual(shown, [["Hello there,", true, true]]);
  }
});

test("text without sound is shown at once", () => {
  const shown = [];
  const captions = new ReplyCaptions(({ text, final }) => shown.push([text, final]));
  captions.addText("i", "Hi", false);
  captions.setText("i", "Hi.", false);
  assert.deepEqual(shown, [["Hi", false], ["Hi.", true]]);
});

test("a reply of which nothing was heard shows nothing", () => {
  const shown = [];
  const captions = new ReplyCaptions(({ text }) => shown.push(text));
  captions.addText("i", "Hello", true);
  captions.close("i", 0);
  assert.deepEqual(shown, []);
});
