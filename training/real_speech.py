"""Real speech for development: `PYTHONPATH=PACKAGES real_speech.py OUT.pkl`.

Aligns the recordings of Debian's pocketsphinx-testdata (34 s of LibriVox readers and other speakers)
with the Python package pocketsphinx 5.1.1 and writes entries as make_data.py does, part "real".
"""

import glob
import os
import pickle
import sys
import wave

import numpy as np

import visemes
from make_data import to_16k

BASE = "/usr/share/pocketsphinx/test/data"
# The aligner names a frame by the start of its window of 25.6 ms.
HALF_WINDOW = 0.0128
PHONES = {phone.upper(): shown for phone, shown in visemes.ARPABET.items()}


def transcripts(folder):
    found = {}
    for path in glob.glob("%s/%s/*transcription*" % (BASE, folder)):
        with open(path) as file:
            for line in file:
                text, _, name = line.strip().rpartition("(")
                if text:
                    words = text.replace("<s>", "").replace("</s>", "").split()
                    found[name.rstrip(")")] = [word.lower() for word in words]
    return found


def align(path, words):
    from pocketsphinx import Decoder
    with wave.open(path) as file:
        rate, data = file.getframerate(), file.readframes(file.getnframes())
    decoder = Decoder(lm=None, samprate=rate, loglevel="FATAL")
    decoder.set_align_text(" ".join(word for word in words if decoder.lookup_word(word)))
    for turn in range(2):
        decoder.start_utt()
        decoder.process_raw(data, full_utt=True)
        decoder.end_utt()
        if turn == 0:
            decoder.set_alignment()
    segments = []
    for word in decoder.get_alignment():
        for phone in word:
            shown = PHONES.get(phone.name.split("(")[0], ["sil"])
            start, end = phone.start / 100, (phone.start + phone.duration) / 100
            segments.append((start + HALF_WINDOW, end + HALF_WINDOW, shown))
    return rate, np.frombuffer(data, "<i2").astype(np.float32) / 32768, segments


def main():
    entries = []
    for folder in ("librivox", "cards"):
        for name, words in sorted(transcripts(folder).items()):
            path = "%s/%s/%s.wav" % (BASE, folder, name)
            if not os.path.exists(path):
                continue
            rate, samples, segments = align(path, words)
            samples = to_16k(samples, rate)
            labels = visemes.labels(segments, -(-len(samples) // 160))
            speaker = "cards" if folder == "cards" else "librivox"
            entries.append(dict(part="real", voice="real:" + speaker, labels=np.array(labels, np.int8),
                                samples=(samples * 32767).astype(np.int16)))
    print(len(entries), sum(len(e["samples"]) for e in entries) / 16000, "seconds")
    with open(sys.argv[1], "wb") as file:
        pickle.dump(entries, file)


if __name__ == "__main__":
    main()
