"""How well the phone times of Luna's voice agree with the aligner: `voice.py YOOB FOLDER [COUNT]`.

Speaks held-out sentences with `yoob say --visemes`, aligns the sound by its text with PocketSphinx, and
compares the mouth that the known phones give with the aligner's, frame by frame, by the rules of
`yoob bench lipsync`. Then counts the closures: a p, b or m of the aligner during which the mouth shows one
within 20 ms, and closures that the mouth shows where neither the aligner nor the voice has one.
"""

import json
import os
import subprocess
import sys
import wave

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import score  # noqa: E402
import sentences  # noqa: E402
import visemes  # noqa: E402
from fetch import package  # noqa: E402
from words import words  # noqa: E402

SHUT = visemes.INDEX["PP"]


def shown(weights):
    """The viseme of each frame: the strongest of the strongest of the 8 classes."""
    sums = np.zeros((len(weights), 8))
    for viseme, group in enumerate(visemes.VISUAL):
        sums[:, group] += weights[:, viseme]
    members = sums.argmax(1)[:, None] == np.array(visemes.VISUAL)[None]
    return np.where(members, weights, -1).argmax(1)


def main():
    yoob, folder, count = sys.argv[1], sys.argv[2], int((sys.argv[3:] or ["40"])[0])
    sys.path.insert(0, package(os.path.join(folder, "cache"), "pocketsphinx"))
    import sphinx
    aligner = sphinx.Sphinx()
    known = {name.upper(): value for name, value in visemes.ARPABET.items()}
    counts, own, used = 0, np.zeros(4, int), 0
    for text in sentences.held_out_sentences(count):
        wav, mouth = os.path.join(folder, "voice.wav"), os.path.join(folder, "voice.json")
        subprocess.run([yoob, "say", text, "--output", wav, "--visemes", mouth, "--quiet"], check=True)
        with wave.open(wav) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768
            rate = file.getframerate()
        with open(mouth) as file:
            told = json.load(file)
        from scipy.signal import resample_poly
        samples = resample_poly(samples, 16000, rate).astype(np.float32)
        phones = aligner.align(samples, " ".join(words(text)))
        if not phones:
            continue
        used += 1
        weights = np.array(told["frames"])
        segments = [(start, end, known.get(name, ["sil"])) for start, end, name in phones]
        truth = np.array(visemes.labels(segments, len(weights)))
        found = shown(weights)
        counts = counts + score.counts_of(truth, found)
        spoken = np.zeros(len(weights), int)
        for phone in told["phones"]:
            if phone["text"] in ("p", "b", "m"):
                middle = (phone["start"] + phone["end"]) / 2 * 100
                spoken[max(0, int(middle) - 2):int(middle) + 3] = SHUT
        own += score.closures(spoken, found)
    print(score.real_line("Luna, known phones", counts))
    print("%d sentences; against the voice's own phones: closures met %d of %d, shown ones that are right %d of %d"
          % (used, *own))


if __name__ == "__main__":
    main()
