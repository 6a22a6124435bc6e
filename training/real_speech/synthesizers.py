"""Makes part `voices`: speech of synthesizers that training never hears, whose phone times are known.

English of two variants of espeak-ng, flite slt and festival ked, Luna's voice with sentences that training
never hears, and other languages by the same two variants of espeak-ng. Phones are written as the ARPAbet phone
that shows the same. Needs espeak-ng, flite, festival with festvox-kdlpc16k, and the packages of luna-lock.txt,
which are fetched unless LUNA_PACKAGES names their folder.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TRAINING = os.path.dirname(HERE)
sys.path[:0] = [HERE, TRAINING]
import languages  # noqa: E402
import prepare  # noqa: E402
import sentences  # noqa: E402
import sound  # noqa: E402
import visemes  # noqa: E402

SENTENCES = 60
# Sentences over which the borders of Luna's phones are placed; more than are scored, as the placing learns.
LUNA_SENTENCES = 120
# The grammar makes shorter ones for training too.
LEAST_WORDS = 7
VARIANTS = ("+f3", "+m5")
# A phone that shows each viseme; h borrows its shape from the sound after it.
PHONES = dict(sil="SIL", PP="P", FF="F", TH="TH", DD="D", kk="K", CH="SH", SS="S", nn="N", RR="R", aa="AA",
              E="EH", ih="IH", oh="AO", ou="UW", **{visemes.BORROWED: "HH"})


def texts(count=SENTENCES):
    """Hand-written sentences, then those of the grammar that training cannot have made by lot."""
    drawn = sentences.held_out_sentences(2 * count)
    return [t for t in drawn if t in sentences.HELD_OUT or len(t.split()) >= LEAST_WORDS][:count]


def phones(segments, seconds):
    """[[start, end, ARPAbet]] of (start, end, visemes); several visemes share their time evenly."""
    found = []
    for start, end, shown in segments:
        width = (end - start) / len(shown)
        for index, viseme in enumerate(shown):
            times = [round(min(max(start + width * k, 0), seconds), 4) for k in (index, index + 1)]
            if times[1] > times[0]:
                found.append(times + [PHONES[viseme]])
    return found


def english():
    """Yields (speaker, sex, language, text, 16 kHz samples, segments) of English speech."""
    import make_data
    from voices import espeak, festival, flite
    for seed, voice in enumerate(espeak.HELD_OUT):
        for text, made in zip(texts(), spoken(voice, texts(), 40 + seed)):
            yield "espeak %s" % voice.split("/")[1], "f" if "+f" in voice else "m", "en", text, *made
    for name, sex, maker in (("flite slt", "f", lambda t: flite.speak("slt", t, 5)),
                             ("festival ked", "m", lambda t: festival.speak("ked_diphone", t, 7))):
        made = list(maker(texts()))
        if len(made) != len(texts()):
            sys.exit("%s spoke %d of %d sentences. Install it anew." % (name, len(made), len(texts())))
        for text, (_, samples, rate, segments) in zip(texts(), made):
            yield name, sex, "en", text, make_data.to_16k(samples, rate), segments


def spoken(voice, lines, seed):
    """Yields (16 kHz samples, segments) of espeak-ng, with speed and pitch by lot."""
    import make_data
    from voices import espeak
    pick = random.Random(seed)
    if not espeak._engine:
        espeak._engine.append(espeak.Espeak())
    for text in lines:
        made = espeak._engine[0].say(text, voice, pick.randint(130, 220), pick.randint(25, 80),
                                     pick.randint(20, 80))
        if not made:
            sys.exit("espeak-ng has no voice %s. Install espeak-ng-data." % voice)
        yield make_data.to_16k(made[0], espeak.RATE), made[1]


def others():
    """Yields the same in other languages."""
    for seed, (language, lines) in enumerate(languages.HELD_OUT.items()):
        for variant in VARIANTS:
            name = language.split("/")[1]
            for text, made in zip(lines, spoken(language + variant, lines, 60 + seed)):
                yield "espeak %s%s" % (name, variant), variant[1], name, text, *made


def luna():
    """Yields the same of Luna's voice; her phones are where the sound changes (align.py)."""
    import align
    import make_data
    import natural
    lines = texts(LUNA_SENTENCES)
    aligner, sounds = align.Aligner(), []
    for samples, symbols in make_data.luna(lines, 2, 0.85, 1.2):
        aligner.add(samples, symbols)
        sounds.append(samples)
    aligner.run(log=lambda *_: None)
    for index, (text, samples) in enumerate(list(zip(lines, sounds))[:SENTENCES]):
        yield "luna", "f", "en", text, samples, natural.spoken_segments(aligner.result(index))


def check(cache):
    """Ends with a message when a synthesizer is missing; fetches Luna's packages."""
    for program in ("espeak-ng", "flite", "festival"):
        if not shutil.which(program):
            sys.exit("%s is missing. Install espeak-ng, libespeak-ng1, flite, festival and festvox-kdlpc16k."
                     % program)
    if not os.environ.get("LUNA_PACKAGES"):
        folder = os.path.join(cache, "luna-packages")
        if not os.path.isdir(os.path.join(folder, "hibari")):
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes",
                            "--target", folder, "-r", os.path.join(TRAINING, "luna-lock.txt")], check=True)
        os.environ["LUNA_PACKAGES"] = folder


def make(folder):
    """Writes FOLDER/voices.jsonl and the WAV files beside it."""
    check(os.path.join(folder, "cache"))
    os.makedirs(os.path.join(folder, "voices"), exist_ok=True)
    lines, counts = [], {}
    for speakers in (english(), others(), luna()):
        for speaker, sex, language, text, samples, segments in speakers:
            counts[speaker] = counts.get(speaker, 0) + 1
            name = "%s-%02d" % (re.sub(r"[^a-zA-Z0-9]+", "-", speaker).lower(), counts[speaker])
            seconds = round(len(samples) / sound.RATE, 3)
            prepare.write_wav(os.path.join(folder, "voices", name + ".wav"), samples)
            lines.append(dict(id=name, part="voices", speaker=speaker, sex=sex, language=language, text=text,
                              wav="voices/%s.wav" % name, seconds=seconds, phones=phones(segments, seconds)))
    path = os.path.join(folder, "voices.jsonl")
    with open(path + ".part", "w") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")
    os.replace(path + ".part", path)
    print("voices: %d recordings of %d voices in %d languages, %.1f minutes" % (
        len(lines), len(counts), len({line["language"] for line in lines}),
        sum(line["seconds"] for line in lines) / 60))
