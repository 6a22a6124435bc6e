"""Writes the fixture that the Swift tests compare with: `golden.py DATA.pkl MOUTH.bin OUT.bin`.

Little endian: number of samples and of frames (32 bits each), the samples (16 bits), per frame the true
viseme (8 bits), per frame 15 weights as this Python code computes them (floats).
"""

import pickle
import struct
import sys

import numpy as np

import export
import visemes
from network import weights_of

SENTENCE = 7
SECONDS = 3


def main():
    with open(sys.argv[1], "rb") as file:
        entries = [e for e in pickle.load(file) if e["part"] == "texts"]
    entry = entries[SENTENCE]
    samples = entry["samples"][:SECONDS * 16000]
    weights = weights_of(export.load(sys.argv[2]), samples.astype(np.float32) / 32768)
    labels = entry["labels"][:len(weights)]
    with open(sys.argv[3], "wb") as file:
        file.write(struct.pack("<II", len(samples), len(weights)))
        file.write(samples.astype("<i2").tobytes() + labels.astype(np.int8).tobytes())
        file.write(weights.astype("<f4").tobytes())
    print("closures", (labels == visemes.INDEX["PP"]).sum(), "frames of", len(labels))


if __name__ == "__main__":
    main()
