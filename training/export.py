"""Writes and reads mouth.bin: `export.py NET.pt MOUTH.bin`.

The layout is described in Sources/YoobFace/Mouth/MouthWeights.swift. Matrices are stored in 8 bits with
one scale a row.
"""

import hashlib
import struct
import sys

import numpy as np
import torch

import features
from network import AHEAD, CHANNELS, CLASS_WEIGHTS, FIRST, HIDDEN, LAYERS, OUTPUTS, SECOND, Mouth

MAGIC, VERSION = b"YMTH", 3
# How much less likely silence is made than the training found it: a mouth that keeps moving through a short
# stop looks better than one that rests in it. Chosen on the part dev of real_speech.
LESS_SILENCE = 0.9
HEADER = struct.Struct("<4s9I3f")


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def _layers(net):
    """(matrix, bias) of each layer; rows of convolutions hold frame after frame."""
    state = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    by_frame = lambda kernel: kernel.transpose(0, 2, 1).reshape(len(kernel), -1)
    yield by_frame(state["first.weight"]), state["first.bias"]
    yield by_frame(state["second.weight"]), state["second.bias"]
    for layer in range(LAYERS):
        for kind in ("ih", "hh"):
            yield state["recurrent.weight_%s_l%d" % (kind, layer)], state["recurrent.bias_%s_l%d" % (kind, layer)]
    yield state["last.weight"], state["last.bias"]


def save(net, path):
    data = HEADER.pack(MAGIC, VERSION, features.BANDS, CHANNELS, FIRST, SECOND, HIDDEN, OUTPUTS, AHEAD, LAYERS,
                       features.QUIETEST, features.DECAY, features.GAIN)
    for matrix, bias in _layers(net):
        scale = (np.abs(matrix).max(1) / 127).astype("<f4")
        scale[scale == 0] = 1
        data += scale.tobytes() + bias.astype("<f4").tobytes()
        data += np.round(matrix / scale[:, None]).clip(-127, 127).astype(np.int8).tobytes()
    data += struct.pack("<Q", fnv1a(data))
    with open(path, "wb") as file:
        file.write(data)
    with open(path + ".sha256", "w") as file:
        file.write("%s  mouth.bin\n" % hashlib.sha256(data).hexdigest())
    return len(data)


def load(path):
    """The network as the file holds it, rounded to 8 bits."""
    with open(path, "rb") as file:
        data = file.read()
    net, position = Mouth(), HEADER.size
    matrices = []
    for matrix, bias in _layers(net):
        rows, columns = matrix.shape
        scale = np.frombuffer(data, "<f4", rows, position)
        offset = np.frombuffer(data, "<f4", rows, position + 4 * rows)
        values = np.frombuffer(data, np.int8, rows * columns, position + 8 * rows)
        position += rows * (8 + columns)
        matrices.append((values.reshape(rows, columns) * scale[:, None], offset))
    by_band = lambda matrix, frames: matrix.reshape(len(matrix), frames, -1).transpose(0, 2, 1).copy()
    names = ["recurrent.weight_%s_l%d" % (kind, layer) for layer in range(LAYERS) for kind in ("ih", "hh")]
    names.append("last.weight")
    state = {"first.weight": by_band(matrices[0][0], FIRST), "first.bias": matrices[0][1],
             "second.weight": by_band(matrices[1][0], SECOND), "second.bias": matrices[1][1]}
    for name, (matrix, bias) in zip(names, matrices[2:]):
        state[name], state[name.replace("weight", "bias")] = matrix, bias
    net.load_state_dict({name: torch.tensor(np.array(value)) for name, value in state.items()})
    net.eval()
    return net


def main():
    net = Mouth()
    net.load_state_dict(torch.load(sys.argv[1]))
    # Classes that count more in the loss come out too often by that factor: take it off again.
    net.last.bias.data[:15] -= torch.log(torch.tensor(CLASS_WEIGHTS, dtype=torch.float))
    net.last.bias.data[0] -= LESS_SILENCE
    print("%s: %d bytes" % (sys.argv[2], save(net, sys.argv[2])))


if __name__ == "__main__":
    main()
