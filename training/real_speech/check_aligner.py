"""How well the aligner does: `check_aligner.py FOLDER [PART]`.

First against synthetic speech whose times are known (flite: slt, a woman, and rms, a man), as it is and at
the quality of the game's recordings (11 kHz, MP3 of 16 kbit/s); then against the second aligner on the
recordings of a part. Prints the share of frames in speech of the same class, the same within 20 ms and 30 ms,
and how far the borders of closures (p, b, m) lie apart.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import prepare  # noqa: E402
import score  # noqa: E402
import sound  # noqa: E402
from fetch import package  # noqa: E402
from words import Dictionary, words  # noqa: E402

SENTENCES = 30
SHUT = 1


def spoken(voice, texts):
    """Yields (WAV path, text, phones) of flite, which says the times of its phones."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "speech.wav")
        for text in texts:
            shown = subprocess.run(["flite", "-voice", voice, "-psdur", "-t", text, "-o", path],
                                   capture_output=True, text=True).stdout
            start, phones = 0.0, []
            for name, end in re.findall(r"(\S+):([\d.]+)", shown):
                phones.append((start, float(end), {"ax": "AH", "axr": "ER"}.get(name, name.upper())))
                start = float(end)
            if phones:
                yield path, text, phones


def samples_of(path, poor):
    """16 kHz samples; poor ones went through MP3 of 16 kbit/s at 11 kHz. The delay of MP3 is taken off."""
    if not poor:
        command = ["ffmpeg", "-v", "error", "-i", path]
    else:
        made = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-ar", "11025", "-ac", "1", "-b:a", "16k",
                               "-f", "mp3", path + ".mp3", "-y"], check=True)
        assert made.returncode == 0
        command = ["ffmpeg", "-v", "error", "-i", path + ".mp3"]
    done = subprocess.run(command + ["-f", "f32le", "-ac", "1", "-ar", str(sound.RATE), "-"],
                          capture_output=True, check=True)
    return np.frombuffer(done.stdout, "<f4").copy()


class Comparison:
    def __init__(self):
        self._same = np.zeros(4)
        self._starts, self._ends, self._lost = [], [], 0
        self._shifts = np.zeros(11)

    def add(self, truth, found, seconds):
        count = int(seconds * 100)
        one, two = prepare.classes(truth, count), prepare.classes(found, count)
        speech = one > 0
        self._same += [speech.sum(), (one == two)[speech].sum(), score.near(one, two, 2)[speech].sum(),
                       score.near(one, two, 3)[speech].sum()]
        for shift in range(-5, 6):
            moved = np.roll(two, -shift)
            self._shifts[shift + 5] += (one == moved)[speech].sum()
        others = closures(found)
        for start, end in closures(truth):
            near = [(abs(a - start) + abs(b - end), a, b) for a, b in others if a < end + .06 and b > start - .06]
            if near:
                _, a, b = min(near)
                self._starts.append(a - start)
                self._ends.append(b - end)
            else:
                self._lost += 1

    def line(self):
        frames, same, close, near = self._same
        starts, ends = 1000 * np.array(self._starts), 1000 * np.array(self._ends)
        return ("same class %.3f, within 20 ms %.3f, within 30 ms %.3f; best shift %+d ms; %d closures: start "
                "%+.0f ms (half within %.0f, 95 %% within %.0f), end %+.0f ms (half within %.0f, 95 %% within "
                "%.0f), %d lost" % (
                    same / frames, close / frames, near / frames, 10 * (self._shifts.argmax() - 5), len(starts),
                    np.median(starts), np.median(abs(starts)), np.percentile(abs(starts), 95),
                    np.median(ends), np.median(abs(ends)), np.percentile(abs(ends), 95), self._lost))


def closures(phones):
    """(start, end) of p, b and m, neighbours joined."""
    found = []
    for start, end, name in phones:
        if name in ("P", "B", "M"):
            if found and start - found[-1][1] < .001:
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
    return found


def main():
    folder, part = sys.argv[1], (sys.argv[2:] or ["dev"])[0]
    cache = os.path.join(folder, "cache")
    sys.path.insert(0, package(cache, "pocketsphinx"))
    import hmm
    import sentences
    import sphinx
    known, first = Dictionary(package(cache, "pocketsphinx")), sphinx.Sphinx()
    texts = [text for text in sentences.held_out_sentences(SENTENCES) if all(w in known for w in words(text))]
    for poor in (False, True):
        second, items = hmm.Aligner(), []
        by_sphinx, by_second, both = Comparison(), Comparison(), Comparison()
        for voice in ("slt", "rms"):
            for path, text, truth in spoken(voice, texts):
                samples, said = samples_of(path, poor), words(text)
                found = first.align(samples, " ".join(said))
                if found:
                    number = second.add(samples, [known.phones(word) for word in said])
                    items.append((truth, found, number, len(samples) / sound.RATE))
        second.run(log=lambda *_, **__: None)
        for truth, found, number, seconds in items:
            other = second.result(number)
            by_sphinx.add(truth, found, seconds)
            by_second.add(truth, other, seconds)
            both.add(other, found, seconds)
        name = "flite, as the game's recordings" if poor else "flite"
        print("%s, %d sentences" % (name, len(items)))
        print("  PocketSphinx against the truth:", by_sphinx.line())
        print("  second aligner against the truth:", by_second.line())
        print("  PocketSphinx against the second:", both.line(), flush=True)
    both = Comparison()
    with open(os.path.join(folder, part + ".jsonl")) as file:
        for line in map(json.loads, file):
            both.add(line["second"], line["phones"], line["seconds"])
    print("%s\n  PocketSphinx against the second:" % part, both.line())


if __name__ == "__main__":
    main()
