"""Reads CTranslate2's model.bin: named tensors, then aliases of names.

Layout (little-endian): u32 version, string specification, u32 revision, u32 count, then for each
tensor: string name, u8 rank, u32 × rank shape, u8 type, u32 bytes, data. Strings are u16 length
with a closing zero byte counted in. After the tensors: u32 count of (alias, name) pairs.
"""

import struct

import numpy as np

_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32, 4: np.float16}


class _Reader:
    def __init__(self, data):
        self.data = data
        self.position = 0

    def number(self, code):
        value, = struct.unpack_from("<" + code, self.data, self.position)
        self.position += struct.calcsize(code)
        return value

    def string(self):
        length = self.number("H")
        value = self.data[self.position:self.position + length - 1].decode()
        self.position += length
        return value

    def tensor(self):
        shape = [self.number("I") for _ in range(self.number("B"))]
        kind = np.dtype(_TYPES[self.number("B")])
        size = self.number("I")
        values = np.frombuffer(self.data, kind, size // kind.itemsize, self.position)
        self.position += size
        return values.reshape(shape)


def read_tensors(path):
    """Every tensor of the file by name; half-precision ones become float32."""
    with open(path, "rb") as stream:
        reader = _Reader(stream.read())
    reader.number("I")  # version of the container
    reader.string()  # specification, such as WhisperSpec
    reader.number("I")  # revision
    tensors = {}
    for _ in range(reader.number("I")):
        name = reader.string()
        values = reader.tensor()
        tensors[name] = values.astype(np.float32) if values.dtype == np.float16 else values
    for _ in range(reader.number("I")):
        alias, name = reader.string(), reader.string()
        tensors[alias] = tensors[name]
    return tensors
