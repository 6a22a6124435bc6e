"""Luna's engine as other speakers: pitch, vocal tract, breath and melody are changed between the model
and the synthesis, so that durations stay exact.

Runs as a program of its own, as `luna.py` does: `pseudo.py TEXTS OUT.npz SEED`. Each utterance holds
the changed sound (x) and the plain one of the same durations (p), by which the phones are aligned.
"""

import random
import sys

import numpy as np

from luna import Luna

BINS = 601


def speakers():
    """32 speakers, men and women by turns, every seventh a child; `tract` below 1 is a longer vocal tract."""
    pick, found = random.Random(42), []
    for number in range(32):
        kind = "fmfmfmc"[number % 7]
        tract, pitch = dict(f=(0.93, 1.08), m=(0.8, 0.9), c=(1.12, 1.25))[kind], dict(
            f=(0.8, 1.2), m=(0.42, 0.68), c=(1.15, 1.5))[kind]
        found.append(dict(
            name="p%02d%s" % (number, kind), sex=kind, tract=pick.uniform(*tract), pitch=pick.uniform(*pitch),
            melody=pick.uniform(0.5, 1.5), breath=pick.uniform(-0.5, 1.0), tilt=pick.uniform(-1.2, 1.2),
            bend=pick.uniform(-0.06, 0.06), speed=pick.uniform(0.85, 1.25)))
    return found


def changed(arrays, speaker):
    """The model's spectra and pitch as this speaker would have them."""
    harmonic, turn, noise, rest, phase, pitch = arrays
    # Bin b of the new speaker is bin b / tract of Luna; `bend` moves low formants against high ones.
    bins = np.arange(BINS)
    source = bins / (speaker["tract"] * (1 + speaker["bend"] * np.cos(np.pi * np.minimum(1, bins / 200))))
    source = np.clip(source, 0, BINS - 1)
    low = np.minimum(source.astype(int), BINS - 2)
    part = (source - low)[:, None].astype(np.float32)
    warp = lambda spectrum: spectrum[low] * (1 - part) + spectrum[low + 1] * part
    tilt = (-speaker["tilt"] * bins / BINS)[:, None].astype(np.float32)
    nearest = np.rint(source).astype(int)
    voiced = pitch > 40
    middle = np.median(pitch[voiced]) if voiced.any() else 0
    moved = np.where(voiced, np.clip(middle * speaker["pitch"] * (np.maximum(pitch, 1) / max(middle, 1))
                                     ** speaker["melody"], 55, 600), pitch)
    # What is neither harmonic nor noise has phases of its own that no other pitch fits: it becomes noise.
    hiss = np.logaddexp(2 * warp(noise) + 2 * speaker["breath"] * (bins > 150)[:, None] * 0.5, 2 * warp(rest)) / 2
    return (warp(harmonic) + tilt, turn[nearest], (hiss + tilt).astype(np.float32),
            np.full_like(rest, -30), phase, moved.astype(np.float32))


def main():
    texts_path, out_path, seed = sys.argv[1:4]
    luna, everyone, arrays = Luna(), speakers(), {}
    with open(texts_path) as file:
        texts = [line.strip() for line in file if line.strip()]
    for index, text in enumerate(texts):
        speaker = everyone[index % len(everyone)]
        plain, other, symbols = [], [], []
        for phonemes, spectra, found in luna.spectra(text, speaker["speed"]):
            plain.append(luna.sound(spectra, int(seed) + index))
            other.append(luna.sound(changed(spectra, speaker), int(seed) + index))
            symbols += found
        for letter, pieces in (("p", plain), ("x", other)):
            sound = np.concatenate(pieces)
            sound = sound / max(1, np.abs(sound).max())
            arrays[letter + str(index)] = (sound * 32767).astype(np.int16)
        arrays["s%d" % index] = np.array([s for s, _ in symbols])
        arrays["d%d" % index] = np.array([u for _, u in symbols], np.int32)
        arrays["n%d" % index] = np.array(speaker["name"])
    np.savez(out_path, count=len(texts), **arrays)


if __name__ == "__main__":
    main()
