"""Differently changed copies of all training speech, cut into chunks, made beside the training.

A pool is one epoch's worth: (inputs: chunks x CHUNK x 40 in half precision, targets: chunks x CHUNK visemes,
delayed by AHEAD, -1 where unknown).
"""

import multiprocessing
import os

import numpy as np

import augment
import features
from network import AHEAD

CHUNK = 320
# Frames by which the times of synthesizers lie after those that the aligner finds in real speech.
LATE = 1
# Share of the speech not recorded through a poor codec that goes through one.
POOR_SHARE = 0.4
# Minutes of speech in a pool, and the share that is sound without speech.
MINUTES, SILENT_SHARE = 150, 0.08


def shares(entries):
    """(entries, share of the speech in a pool) of every kind of voice that is there."""
    weights = {"luna": 0.12, "style": 0.16, "real": 0.46, "raised": 0.14, "synthetic": 0.09, "languages": 0.03}
    kinds = {}
    for entry in entries:
        kinds.setdefault(entry.get("kind") or ("luna" if entry["voice"] == "luna" else "synthetic"), []).append(entry)
    total = sum(weights[kind] for kind in kinds)
    return [(group, weights[kind] / total) for kind, group in sorted(kinds.items())]


def utterances(entries, rng, minutes=MINUTES):
    """(features, labels) of one pool."""
    crowd = [entry["samples"] for entry in entries]
    for group, share in shares(entries):
        wanted = minutes * 60 * features.RATE * share
        order, index = rng.permutation(len(group)), 0
        while wanted > 0:
            entry = group[order[index % len(order)]]
            index += 1
            wanted -= len(entry["samples"])
            labels, samples = entry["labels"], entry["samples"]
            if entry.get("kind") != "real" and rng.random() < POOR_SHARE:
                samples = entry["poor"]
            if entry.get("kind") not in ("real", "raised"):
                labels = np.concatenate([labels[LATE:], labels[-LATE:]])
            samples, labels = augment.speech(samples, labels, rng, crowd)
            yield features.features(samples)[:len(labels)], labels
    for _ in range(int(minutes * 60 * SILENT_SHARE / 3.2)):
        frames = features.features(augment.silence(3.2, rng))
        yield frames, np.zeros(len(frames), np.int8)


def chunks(made):
    inputs, targets = [], []
    for frames, labels in made:
        delayed = np.concatenate([np.full(AHEAD, -1, np.int8), labels])[:len(frames)]
        for start in range(0, len(frames), CHUNK):
            part, truth = frames[start:start + CHUNK], delayed[start:start + CHUNK]
            if len(part) < 60:
                continue
            missing = CHUNK - len(part)
            inputs.append(np.pad(part, ((0, missing), (0, 0)), mode="edge").astype(np.float16))
            targets.append(np.pad(truth, (0, missing), constant_values=-1))
    return np.array(inputs), np.array(targets)


def _make(entries, folder, count, seed):
    os.nice(5)
    for number in range(count):
        if os.path.exists(os.path.join(folder, "pool-%d.npz" % number)):
            continue
        rng = np.random.default_rng([seed, number])
        inputs, targets = chunks(utterances(entries, rng))
        partial = os.path.join(folder, "pool.part.npz")
        np.savez(partial, inputs=inputs, targets=targets)
        os.rename(partial, os.path.join(folder, "pool-%d.npz" % number))


class Pools:
    """Makes `count` pools in a process of its own and hands them out in turn; those of a run that was stopped
    are used again."""

    def __init__(self, entries, folder, count, seed):
        os.makedirs(folder, exist_ok=True)
        self._folder, self._count, self._given = folder, count, 0
        self._maker = multiprocessing.Process(target=_make, args=(entries, folder, count, seed), daemon=True)
        self._maker.start()

    def _path(self, number):
        return os.path.join(self._folder, "pool-%d.npz" % number)

    def next(self):
        """The arrays of one pool; an old one again when the next is not made yet."""
        while not os.path.exists(self._path(0)):
            self._maker.join(0.5)
            if not self._maker.is_alive() and not os.path.exists(self._path(0)):
                raise SystemExit("the training speech could not be made; see the message above")
        made = sum(os.path.exists(self._path(number)) for number in range(self._count))
        number = self._given % made
        self._given += 1
        with np.load(self._path(number)) as data:
            return data["inputs"], data["targets"], number

    def close(self):
        self._maker.terminate()
        for number in range(self._count):
            if os.path.exists(self._path(number)):
                os.remove(self._path(number))
