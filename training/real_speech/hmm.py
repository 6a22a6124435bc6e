"""A second aligner, to measure the first by: monophones of three states, trained on the recordings alone.

It shares with PocketSphinx the pronunciations and nothing else: other features, other models, which start
from phones of equal length (Viterbi training, one Gaussian with full covariance a state).
"""

import os
import sys

import numpy as np
from scipy.fft import dct

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import features  # noqa: E402

STATES, ROUNDS = 3, 6
# Bands up to 5.5 kHz, which the poorest of the recordings have too.
BANDS = 34
# Frames of quiet that count as a pause, and how far it lies below the loud ones, in mean log-mel.
PAUSE, QUIET = 12, 4.5
HOP = features.HOP / features.RATE


def coefficients(samples):
    """13 cepstral coefficients of each frame of 10 ms, with slopes and curvatures, each of mean 0."""
    bands = features.log_mel(samples.astype(np.float32))[:, :BANDS]
    frames = dct(bands, type=2, norm="ortho", axis=1)[:, :13]
    slopes = np.gradient(frames, axis=0)
    made = np.concatenate([frames, slopes, np.gradient(slopes, axis=0)], 1)
    return ((made - made.mean(0)) / (made.std(0) + 1e-3)).astype(np.float32)


class Utterance:
    """Frames, and the chain of phones with a silence between words that may be skipped."""

    def __init__(self, samples, words):
        """words: a list of lists of phones."""
        self.frames = coefficients(samples)
        chain, skipped = ["SIL"], [False]
        for word in words:
            chain += word + ["SIL"]
            skipped += [False] * len(word) + [True]
        skipped[-1] = False
        self.chain = chain
        # Whether state j may be reached over the silence before it.
        self.over = np.zeros(len(chain) * STATES, bool)
        for index in range(1, len(chain)):
            if skipped[index - 1]:
                self.over[index * STATES] = True
        self.path = self._equal(samples)

    def _equal(self, samples):
        """Every phone as long as the others, over all frames but those of pauses, which are silence."""
        levels = features.log_mel(samples.astype(np.float32))[:, :BANDS].mean(1)
        loud = levels > np.percentile(levels, 95) - QUIET
        edges = np.flatnonzero(np.diff(np.r_[True, loud, True]))
        for start, end in zip(edges[::2], edges[1::2]):
            if end - start < PAUSE and start > 0 and end < len(loud):
                loud[start:end] = True
        phones = [index for index, name in enumerate(self.chain) if name != "SIL"]
        count = loud.sum()
        inside = np.arange(count) * len(phones) * STATES // max(1, count)
        path = np.zeros(len(loud), int)
        path[loud] = [phones[k // STATES] * STATES + k % STATES for k in inside]
        return path


class Aligner:
    def __init__(self):
        self._utterances = []

    def add(self, samples, words):
        self._utterances.append(Utterance(samples, words))
        return len(self._utterances) - 1

    def run(self, log=print):
        for turn in range(ROUNDS):
            self._fit()
            moved = 0.0
            for utterance in self._utterances:
                fresh = self._place(utterance)
                moved += np.mean(fresh // STATES != utterance.path // STATES)
                utterance.path = fresh
            log("second aligner: round %d, %.1f %% of the frames changed their phone" % (
                turn + 1, 100 * moved / len(self._utterances)), flush=True)

    def result(self, index):
        """[(start, end, phone)] in seconds."""
        utterance = self._utterances[index]
        owners = utterance.path // STATES
        edges = np.flatnonzero(np.diff(owners)) + 1
        starts = np.r_[0, edges]
        ends = np.r_[edges, len(owners)]
        # Frame k is the sound around k x 10 ms: a border lies half a frame before it.
        return [(max(0.0, (a - .5) * HOP), (b - .5) * HOP, utterance.chain[owners[a]])
                for a, b in zip(starts, ends)]

    def _fit(self):
        names = sorted({name for utterance in self._utterances for name in utterance.chain})
        self._index = {name: k * STATES for k, name in enumerate(names)}
        count, size = len(names) * STATES, self._utterances[0].frames.shape[1]
        total = np.zeros(count)
        sums, squares = np.zeros((count, size)), np.zeros((count, size, size))
        for utterance in self._utterances:
            owner = self._states(utterance)[utterance.path]
            for state in np.unique(owner):
                part = utterance.frames[owner == state].astype(np.float64)
                total[state] += len(part)
                sums[state] += part.sum(0)
                squares[state] += part.T @ part
        self._means, self._whiten, self._constant = [], [], []
        pooled = (squares.sum(0) - sum(np.outer(s, s) / n for s, n in zip(sums, total) if n)) / total.sum()
        for n, s, q in zip(total, sums, squares):
            mean = s / max(n, 1)
            share = n / (n + 200.0)
            covariance = share * (q / max(n, 1) - np.outer(mean, mean)) + (1 - share) * pooled
            lower = np.linalg.inv(np.linalg.cholesky(covariance + 1e-3 * np.eye(size)))
            self._means.append(mean)
            self._whiten.append(lower.astype(np.float32))
            self._constant.append(np.log(np.diag(lower)).sum())

    def _states(self, utterance):
        """Number of the model state of every state of the chain."""
        return np.concatenate([self._index[name] + np.arange(STATES) for name in utterance.chain])

    def _place(self, utterance):
        owner = self._states(utterance)
        scores = np.empty((len(utterance.frames), len(owner)), np.float32)
        for state in np.unique(owner):
            away = (utterance.frames - self._means[state]).astype(np.float32) @ self._whiten[state].T
            column = self._constant[state] - 0.5 * np.einsum("ij,ij->i", away, away)
            scores[:, owner == state] = column[:, None]
        return viterbi(scores, utterance.over)


def viterbi(scores, over):
    """The best path through a chain that stays, steps on, or (where `over`) leaves out the STATES before."""
    count, states = scores.shape
    best = np.full(states, -np.inf)
    best[0] = scores[0, 0]
    back = np.zeros((count, states), np.int8)
    one, four = np.full(states, -np.inf), np.full(states, -np.inf)
    for frame in range(1, count):
        one[1:] = best[:-1]
        four[STATES + 1:] = np.where(over[STATES + 1:], best[:-STATES - 1], -np.inf)
        pick = np.where(one > best, 1, 0)
        value = np.maximum(one, best)
        far = four > value
        pick[far] = STATES + 1
        best = np.where(far, four, value) + scores[frame]
        back[frame] = pick
    path = np.empty(count, int)
    path[-1] = states - 1
    for frame in range(count - 1, 0, -1):
        path[frame - 1] = path[frame] - back[frame, path[frame]]
    return path
