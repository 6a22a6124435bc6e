"""Makes the speech and its labels: `make_data.py OUT.pkl`, a few minutes on one core.

Every entry holds `voice`, `samples` (16-bit, 16 kHz), `labels` (one viseme a frame, -1 where unknown),
`part`: "train", "voices" (voices that training never hears) or "texts" (Luna's voice with sentences
that training never hears), `kind` ("luna", "style", "real", "synthetic", "languages", and "raised" for men of
the real ones as women), `speaker` and `sex` ("f", "m", "c" for a child, "" where unknown). What is trained on
and not real has `poor` too: its samples through a poor codec. KINDS names the kinds to make; all by default.
"""

import os
import pickle
import re
import subprocess
import sys
import tempfile
import time
from math import gcd

import numpy as np
from scipy.signal import resample_poly

import align
import copies
import features
import languages
import natural
import sentences
import visemes
from voices import espeak, festival, flite

HERE = os.path.dirname(os.path.abspath(__file__))
LUNA_SENTENCES, ESPEAK_SENTENCES = 2400, 1300


def to_16k(samples, rate):
    common = gcd(features.RATE, rate)
    return resample_poly(samples, features.RATE // common, rate // common).astype(np.float32)


def luna(texts, seed, slowest, fastest):
    """Yields (16 kHz samples, phones with the voice's own times): Luna's voice, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        listed, made = os.path.join(folder, "texts"), os.path.join(folder, "luna.npz")
        with open(listed, "w") as file:
            file.write("\n".join(texts))
        environment = dict(os.environ, PYTHONPATH=os.environ.get("LUNA_PACKAGES", ""))
        subprocess.run([sys.executable, os.path.join(HERE, "voices", "luna.py"), listed, made, str(seed),
                        str(slowest), str(fastest)], check=True, env=environment)
        with np.load(made) as data:
            for index in range(int(data["count"])):
                samples = to_16k(data["x%d" % index].astype(np.float32) / 32768, 24000)
                names = [str(name) for name in data["s%d" % index]]
                yield samples, align.phones_of(names, data["d%d" % index].tolist(), 600 / 24000)


class Collection:
    def __init__(self):
        self.entries, self._started = [], time.time()

    def add(self, part, voice, samples, segments, kind="synthetic", sex=""):
        count = -(-len(samples) // features.HOP)
        if count < 50:
            return
        self.entries.append(dict(
            part=part, voice=voice, kind=kind, speaker=voice, sex=sex,
            samples=(samples * 32767).clip(-32767, 32767).astype(np.int16),
            labels=np.array(visemes.labels(segments, count), np.int8)))

    def add_all(self, part, spoken, kind="synthetic"):
        before = len(self.entries)
        name = ""
        for voice, samples, rate, segments in spoken:
            name = voice
            self.add(part, voice, to_16k(samples, rate), segments, kind, sex_of(voice))
        self._report(part, name, before)

    def add_natural(self, kind, name, spoken):
        before = len(self.entries)
        for speaker, sex, samples, segments in spoken:
            self.add("train", "%s:%s" % (name, speaker), samples, segments, kind, sex)
        self._report("train", name, before)

    def add_luna(self, part, texts, seed):
        """Luna's voice, aligned."""
        before = len(self.entries)
        aligner, sounds = align.Aligner(), []
        for samples, phones in luna(texts, seed, 0.85, 1.2):
            aligner.add(samples, phones)
            sounds.append(samples)
        aligner.run()
        for index, samples in enumerate(sounds):
            self.add(part, "luna", samples, natural.spoken_segments(aligner.result(index)), "luna", "f")
        self._report(part, "luna", before)

    def _report(self, part, name, before):
        added = self.entries[before:]
        minutes = sum(len(entry["samples"]) for entry in added) / features.RATE / 60
        print("%-7s %-28s %5d utterances %6.1f minutes (%.0f s)" % (
            part, name, len(added), minutes, time.time() - self._started), flush=True)


def sex_of(voice):
    """By the name of an espeak-ng, flite or festival voice."""
    return "f" if re.search(r"\+f|Annie|Linda|steph|slt", voice) else "m"


def main():
    collection = Collection()
    kinds = os.environ.get("KINDS", "luna style real synthetic languages").split()
    folder = os.path.dirname(os.path.abspath(sys.argv[1]))
    if "style" in kinds:
        collection.add_natural("style", "pseudo", natural.pseudo(folder, to_16k))
        collection.add_natural("style", "kokoro", natural.kokoro(folder, to_16k))
    if "real" in kinds:
        collection.add_natural("real", "sky", natural.sky(folder, to_16k))
        collection.add_natural("real", "queen", natural.recordings(os.environ["LIPSYNC_DATA"], to_16k))
    if "languages" in kinds:
        for seed, language in enumerate(languages.SENTENCES):
            collection.add_all("train", espeak.speak_language(language, languages.SENTENCES[language], 50 + seed),
                               "languages")
    if "luna" in kinds:
        collection.add_luna("train", sentences.training_sentences(LUNA_SENTENCES, 11), 1)
        collection.add_luna("texts", sentences.held_out_sentences(120), 2)
    if "synthetic" in kinds:
        add_synthetic(collection)
    add_copies(collection.entries)
    share = np.bincount(np.concatenate([e["labels"] for e in collection.entries]), minlength=15)
    print(dict(zip(visemes.NAMES, (share / share.sum()).round(3))))
    with open(sys.argv[1], "wb") as file:
        pickle.dump(collection.entries, file)


def add_copies(entries):
    """Adds the copies of the training speech that are made once."""
    entries += copies.women_of_men(entries, 9)
    copies.poor([e for e in entries if e["part"] == "train" and e["kind"] != "real"])


def add_synthetic(collection):
    collection.add_all("train", espeak.speak(sentences.training_sentences(ESPEAK_SENTENCES, 12), 3))
    collection.add_all("voices", espeak.speak(sentences.held_out_sentences(60), 4, held_out=True))
    for seed, (voice, count) in enumerate((("kal16", 240), ("awb", 260), ("rms", 320))):
        collection.add_all("train", flite.speak(voice, sentences.training_sentences(count, 20 + seed), seed))
    collection.add_all("voices", flite.speak("slt", sentences.held_out_sentences(60), 5))
    collection.add_all(
        "train", festival.speak("kal_diphone", sentences.training_sentences(200, 30), 6))
    collection.add_all("voices", festival.speak("ked_diphone", sentences.held_out_sentences(60), 7))


if __name__ == "__main__":
    main()
