"""Natural speech of many speakers for the training data: Luna's engine as other speakers, the speakers of
Kokoro, and actors of two games. Every maker runs in a process of its own; the engines are aligned here."""

import glob
import json
import os
import subprocess
import sys
import wave

import numpy as np

import align
import features
import sentences
import visemes

HERE = os.path.dirname(os.path.abspath(__file__))
PSEUDO_SENTENCES, KOKORO_PASSES, SKY_MINUTES = 1600, 6, 60
SEX_OF_PITCH = 165
# Frames that a border of Kokoro may move; wider than Luna's, since many speakers share one model.
KOKORO_REACH = 14
# Speakers of Kokoro that Whisper (tiny.en) understands badly: more than three words of ten.
REFUSED = {"k14f", "k19m", "k20c"}
# The times of Kokoro's children are not reliable enough.
KOKORO_SEXES = ("m", "f")


def run(program, *arguments):
    environment = dict(os.environ, PYTHONPATH=os.environ.get("LUNA_PACKAGES", ""))
    subprocess.run([sys.executable, os.path.join(HERE, "voices", program), *map(str, arguments)], check=True,
                   env=environment)


def spoken_segments(phones):
    """Segments with visemes; the glide between words belongs to the phone before it."""
    segments = []
    for name, start, end in phones:
        if end <= start:
            continue
        if name == " " and segments:
            segments[-1] = (segments[-1][0], end, segments[-1][2])
            continue
        shown = [visemes.BORROWED] if name == "h" else visemes.of_ipa(name)
        segments.append((start, end, shown))
    return segments


def pseudo(folder, to_16k):
    """Yields (speaker, sex, 16 kHz samples, segments): Luna's engine as 32 other speakers."""
    made = os.path.join(folder, "pseudo.npz")
    if not os.path.exists(made):
        texts = os.path.join(folder, "pseudo-texts")
        with open(texts, "w") as file:
            file.write("\n".join(sentences.training_sentences(PSEUDO_SENTENCES, 43)))
        run("pseudo.py", texts, made + ".part.npz", 7)
        os.replace(made + ".part.npz", made)
    aligner, names = align.Aligner(), []
    with np.load(made) as data:
        for index in range(int(data["count"])):
            plain = to_16k(data["p%d" % index].astype(np.float32) / 32768, 24000)
            symbols = [str(name) for name in data["s%d" % index]]
            aligner.add(plain, align.phones_of(symbols, data["d%d" % index].tolist(), 600 / 24000))
            names.append(str(data["n%d" % index]))
        aligner.run()
        for index, name in enumerate(names):
            samples = to_16k(data["x%d" % index].astype(np.float32) / 32768, 24000)
            yield name, name[-1], samples, spoken_segments(aligner.result(index))


def kokoro(folder, to_16k):
    """Yields the same for the speakers of Kokoro, men aligned by themselves."""
    where = os.path.join(folder, "kokoro")
    run("kokoro.py", where, KOKORO_PASSES)
    for sexes in KOKORO_SEXES:
        aligner, sounds = align.Aligner(KOKORO_REACH), []
        for path in sorted(glob.glob(os.path.join(where, "[0-9][0-9]-k[0-9][0-9][%s].npz" % sexes))):
            if os.path.basename(path)[3:-4] in REFUSED:
                continue
            with np.load(path) as data:
                rate = int(data["rate"])
                for index in range(int(data["count"])):
                    samples = to_16k(data["x%d" % index].astype(np.float32) / 32768, rate)
                    symbols = [str(name) for name in data["s%d" % index]]
                    aligner.add(samples, align.phones_of(symbols, data["d%d" % index].tolist(), 600 / rate))
                    sounds.append((os.path.basename(path)[3:-4], samples))
        aligner.run()
        for index, (name, samples) in enumerate(sounds):
            yield name, name[-1], samples, spoken_segments(aligner.result(index))


def sky(folder, _):
    """Yields the same for the actors of Beneath a Steel Sky; the sex is guessed by the pitch."""
    where = os.path.join(folder, "sky")
    run("sky.py", os.environ["SKY_PACKAGE"], os.environ["WHISPER"], where, SKY_MINUTES)
    for path in sorted(glob.glob(os.path.join(where, "[0-9]*.npz"))):
        with np.load(path) as data:
            for index in range(int(data["count"])):
                segments = []
                for phone, (start, end) in zip(data["p%d" % index], data["b%d" % index]):
                    segments.append((float(start), float(end), visemes.ARPABET.get(str(phone), ["sil"])))
                sex = "f" if float(data["f%d" % index]) > SEX_OF_PITCH else "m"
                yield "actor", sex, data["x%d" % index].astype(np.float32) / 32768, segments


def recordings(folder, _):
    """Yields the same for the recordings of real_speech/prepare that may be trained on (part `train`)."""
    arpabet = {name.upper(): shown for name, shown in visemes.ARPABET.items()}
    with open(os.path.join(folder, "train.jsonl")) as file:
        for line in map(json.loads, file):
            with wave.open(os.path.join(folder, line["wav"])) as sound:
                samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(np.float32) / 32768
            segments = [(start, end, arpabet.get(name, ["sil"])) for start, end, name in line["phones"]]
            yield line["speaker"], line["sex"], samples, segments
