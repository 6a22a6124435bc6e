"""Scores of a network: `score.py DATA.pkl MOUTH.bin` prints one line a voice that training never heard,
and one for Luna's voice with sentences that training never heard."""

import pickle
import sys

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


def main():
    import export
    with open(sys.argv[1], "rb") as file:
        entries = pickle.load(file)
    net = export.load(sys.argv[2])
    for line in table(net, [e for e in entries if e["part"] != "train"]):
        print(line)
    print("noise taken for speech: %.4f of the frames" % silence(net))


if __name__ == "__main__":
    main()
