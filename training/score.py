"""Scores of a network.

`score.py DATA.pkl MOUTH.bin` prints one line a voice that training never heard, and one for Luna's voice
with sentences that training never heard. `score.py dev.jsonl MOUTH.bin` does the same for recordings of real
people that real_speech/prepare made, with the class metrics of `yoob bench lipsync`; NET.pt of fit.py may
stand for MOUTH.bin.
"""

import json
import os
import pickle
import sys
import wave

import numpy as np

import augment
import visemes
from network import weights_of

VISUAL = np.array(visemes.VISUAL)
CLOSED = visemes.INDEX["PP"]


def _runs(mask):
    edges = np.diff(np.r_[0, mask.astype(int), 0])
    return list(zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)))


def closures(truth, found):
    """(true closures met within 20 ms, true closures, shown closures that are right, shown closures)."""
    real, shown = _runs(truth == CLOSED), _runs(found == CLOSED)
    met = sum(1 for a, b in real if (found[max(0, a - 2):b + 2] == CLOSED).any())
    right = sum(1 for a, b in shown if (truth[max(0, a - 2):b + 2] == CLOSED).any())
    return np.array([met, len(real), right, len(shown)])


def rows(net, entries):
    """voice -> (frames in speech, right of 15, right of 8, closure counts, silent frames, shut of them)."""
    found = {}
    rng = np.random.default_rng(3)
    for entry in entries:
        samples = entry["samples"].astype(np.float32) / 32768
        samples = samples + rng.standard_normal(len(samples)).astype(np.float32) * 1e-4
        truth = entry["labels"].astype(int)
        shown = weights_of(net, samples).argmax(1)[:len(truth)]
        speech, quiet = truth > 0, truth == 0
        counts = np.r_[speech.sum(), (shown == truth)[speech].sum(),
                       (VISUAL[shown] == VISUAL[truth])[speech].sum(), closures(truth, shown),
                       quiet.sum(), (shown == 0)[quiet].sum()]
        voice = entry["voice"] + (" (new sentences)" if entry["part"] == "texts" else "")
        found[voice] = found.get(voice, 0) + counts
    return found


def table(net, entries):
    for voice, counts in sorted(rows(net, entries).items()):
        frames, of15, of8, met, real, right, shown, quiet, shut = counts
        yield ("%-28s 15 classes %.3f | 8 classes %.3f | closures recall %.3f precision %.3f | "
               "silence kept %.3f" % (voice, of15 / frames, of8 / frames, met / max(1, real),
                                      right / max(1, shown), shut / max(1, quiet)))


def silence(net, seconds=120):
    """Share of frames of noise without speech in which the network says something else than silence."""
    rng = np.random.default_rng(77)
    wrong = total = 0
    for _ in range(seconds // 4):
        shown = weights_of(net, augment.silence(4, rng)).argmax(1)
        wrong, total = wrong + (shown != 0).sum(), total + len(shown)
    return wrong / total


def near(truth, shown, reach=3):
    """Frames whose true value is shown at most `reach` frames away."""
    found = truth == shown
    for shift in range(1, reach + 1):
        found[shift:] |= truth[shift:] == shown[:-shift]
        found[:-shift] |= truth[:-shift] == shown[shift:]
    return found


def counts_of(truth, shown):
    """(frames in speech, right of 15, right of 8, of 8 within 30 ms, closure counts, frames and right frames
    of each class), which add up over recordings."""
    speech = truth > 0
    right, found = VISUAL[truth], VISUAL[shown]
    total = np.bincount(right, minlength=8)
    return np.r_[speech.sum(), (truth == shown)[speech].sum(), (right == found)[speech].sum(),
                 near(right, found)[speech].sum(), closures(truth, shown), total,
                 np.bincount(right[right == found], minlength=8)]


def real_line(name, counts):
    frames, of15, of8, close, met, real, right, shown = counts[:8]
    total, found = counts[8:16], counts[16:]
    recall = (found / np.maximum(1, total))[total > 0].mean()
    return ("%-32s 15 classes %.3f | 8 classes %.3f, within 30 ms %.3f, mean recall %.3f | "
            "closures recall %.3f (%d) precision %.3f" % (
                name, of15 / frames, of8 / frames, close / frames, recall, met / max(1, real), real,
                right / max(1, shown)))


def score_real(net, path):
    """Prints the class metrics of a list of recordings, by speaker and for all."""
    by_speaker = {}
    arpabet = {name.upper(): shown for name, shown in visemes.ARPABET.items()}
    with open(path) as file:
        for line in map(json.loads, file):
            with wave.open(os.path.join(os.path.dirname(path), line["wav"])) as sound:
                samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2") / np.float32(32768)
            segments = [(start, end, arpabet.get(name, ["sil"])) for start, end, name in line["phones"]]
            truth = np.array(visemes.labels(segments, len(samples) // 160))
            shown = weights_of(net, samples).argmax(1)[:len(truth)]
            by_speaker[line["speaker"]] = by_speaker.get(line["speaker"], 0) + counts_of(truth, shown)
    for speaker, counts in sorted(by_speaker.items()):
        print(real_line(speaker, counts))
    print(real_line("all", sum(by_speaker.values())))


def load(path):
    """A network from mouth.bin or from the state that fit.py saves, its class weights taken off."""
    import export
    if not path.endswith(".pt"):
        return export.load(path)
    import torch
    from network import CLASS_WEIGHTS, Mouth
    net = Mouth()
    net.load_state_dict(torch.load(path))
    net.last.bias.data[:15] -= torch.log(torch.tensor(CLASS_WEIGHTS, dtype=torch.float))
    net.eval()
    return net


def main():
    net = load(sys.argv[2])
    if sys.argv[1].endswith(".jsonl"):
        score_real(net, sys.argv[1])
        return
    with open(sys.argv[1], "rb") as file:
        entries = pickle.load(file)
    for line in table(net, [e for e in entries if e["part"] != "train"]):
        print(line)
    print("noise taken for speech: %.4f of the frames" % silence(net))


if __name__ == "__main__":
    main()
