"""Trains the classifier to be better than: `gaussian.py OUT.json [train.jsonl]`.

One Gaussian a viseme over 13 cepstral coefficients of the product's features, on the synthesizers that the
network is trained on and, if their list is given, on the recordings of part "train" (prepare.py); read by
GaussianMouth in Swift.
"""

import json
import os
import sys
import wave

import numpy as np
from scipy.fft import dct

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import features  # noqa: E402
import prepare  # noqa: E402
import visemes  # noqa: E402

SIZE = 13


def cepstrum(samples):
    """Cepstral coefficients relative to the level of the peak follower."""
    frames = (features.features(samples) - 1) / features.GAIN
    return dct(frames, type=2, norm="ortho", axis=1)[:, :SIZE]


def read(path):
    with wave.open(path) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768


def labels(phones, count):
    segments = [(start, end, prepare.ARPABET.get(name, ["sil"])) for start, end, name in phones]
    return np.array(visemes.labels(segments, count))


def synthetic():
    """(samples, labels) of the synthesizers that the network is trained on, where they are installed."""
    import make_data
    import sentences
    from voices import espeak, festival, flite
    spoken = [espeak.speak(sentences.training_sentences(120, 12), 3)]
    spoken += [flite.speak(name, sentences.training_sentences(25, 20), 1) for name in ("kal16", "awb", "rms")]
    spoken.append(festival.speak("kal_diphone", sentences.training_sentences(25, 30), 6))
    for voice in spoken:
        for _, samples, rate, segments in voice:
            samples = make_data.to_16k(samples, rate)
            yield samples, np.array(visemes.labels(segments, -(-len(samples) // features.HOP)))


def main():
    inputs, truths, minutes = [], [], [0.0, 0.0]
    for path in sys.argv[2:]:
        with open(path) as file:
            for line in map(json.loads, file):
                samples = read(os.path.join(os.path.dirname(path), line["wav"]))
                frames = cepstrum(samples)
                inputs.append(frames)
                truths.append(labels(line["phones"], len(frames)))
                minutes[0] += len(samples) / features.RATE / 60
    for samples, truth in synthetic():
        inputs.append(cepstrum(samples)[:len(truth)])
        truths.append(truth[:len(inputs[-1])])
        minutes[1] += len(samples) / features.RATE / 60
    inputs, truths = np.concatenate(inputs), np.concatenate(truths)
    found = dict(mean=[], precision=[], constant=[])
    for viseme in range(15):
        part = inputs[truths == viseme]
        covariance = np.cov(part.T) + 1e-3 * np.eye(SIZE)
        found["mean"].append(part.mean(0).round(4).tolist())
        found["precision"].append(np.linalg.inv(covariance).round(5).ravel().tolist())
        found["constant"].append(round(float(
            np.log(len(part) / len(inputs)) - 0.5 * np.linalg.slogdet(covariance)[1]), 4))
    with open(sys.argv[1], "w") as file:
        json.dump(found, file, separators=(",", ":"))
        file.write("\n")
    print("%.1f minutes of people and %.1f of synthesizers" % tuple(minutes))


if __name__ == "__main__":
    main()
