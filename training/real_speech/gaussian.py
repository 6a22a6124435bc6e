"""Trains the classifier to be better than: `gaussian.py OUT.json DATA.pkl`.

One Gaussian a viseme over 13 cepstral coefficients of the product's features, on all that the network may be
trained on (DATA.pkl of make_data.py, part "train"), as it is and without copies; read by GaussianMouth in Swift.
"""

import collections
import json
import os
import pickle
import sys

import numpy as np
from scipy.fft import dct

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import features  # noqa: E402

SIZE, VISEMES = 13, 15


def cepstrum(samples):
    """Cepstral coefficients relative to the level of the peak follower."""
    frames = (features.features(samples) - 1) / features.GAIN
    return dct(frames, type=2, norm="ortho", axis=1)[:, :SIZE]


class Moments:
    """Counts, sums and sums of products of the frames of each viseme."""

    def __init__(self):
        self.counts, self.sums = np.zeros(VISEMES), np.zeros((VISEMES, SIZE))
        self.products = np.zeros((VISEMES, SIZE, SIZE))

    def add(self, frames, labels):
        """Labels are -1 where unknown."""
        count = min(len(frames), len(labels))
        frames, labels = frames[:count].astype(np.float64), labels[:count]
        for viseme in np.unique(labels[labels >= 0]):
            part = frames[labels == viseme]
            self.counts[viseme] += len(part)
            self.sums[viseme] += part.sum(0)
            self.products[viseme] += part.T @ part

    def gaussians(self):
        """What GaussianMouth reads: mean, precision and constant of the log-likelihood by viseme."""
        if self.counts.min() <= SIZE:
            sys.exit("The data lacks a viseme. Give all that make_data.py makes.")
        found = dict(mean=[], precision=[], constant=[])
        for count, total, products in zip(self.counts, self.sums, self.products):
            mean = total / count
            covariance = (products - count * np.outer(mean, mean)) / (count - 1) + 1e-3 * np.eye(SIZE)
            found["mean"].append(mean.round(4).tolist())
            found["precision"].append(np.linalg.inv(covariance).round(5).ravel().tolist())
            found["constant"].append(round(float(
                np.log(count / self.counts.sum()) - 0.5 * np.linalg.slogdet(covariance)[1]), 4))
        return found


def main():
    with open(sys.argv[2], "rb") as file:
        entries = pickle.load(file)
    moments, minutes = Moments(), collections.Counter()
    for entry in entries:
        if entry["part"] != "train" or entry.get("kind") == "raised":
            continue
        samples = entry["samples"].astype(np.float32) / 32768
        moments.add(cepstrum(samples), entry["labels"].astype(int))
        minutes[entry["voice"].split(":")[0]] += len(samples) / features.RATE / 60
    with open(sys.argv[1], "w") as file:
        json.dump(moments.gaussians(), file, separators=(",", ":"))
        file.write("\n")
    print("%.0f minutes: %s" % (sum(minutes.values()), ", ".join(
        "%s %.0f" % kind for kind in sorted(minutes.items()))))


if __name__ == "__main__":
    main()
