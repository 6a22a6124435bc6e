"""Writes and reads puppet.bin; reading refuses what the format refuses."""
import struct

import numpy as np

HEADER = struct.Struct("<4sI9f9I")
VERTEX = np.dtype([("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("u", "<f4"), ("v", "<f4"), ("head", "<f4"),
                   ("body", "<f4"), ("sway", "<f4"), ("spring", "<u2"), ("pad", "<u2")])
LAYER = np.dtype([("name", "S24"), ("first", "<u4"), ("count", "<u4"), ("blend", "u1"), ("clip", "u1"),
                  ("mask", "u1"), ("flags", "u1"), ("opacity", "<f4"), ("opacityMorph", "<u2"),
                  ("opacityInverse", "<u2"), ("pad", "<u4")])
MORPH = np.dtype([("name", "S32"), ("first", "<u4"), ("count", "<u4")])
DELTA = np.dtype([("vertex", "<u2"), ("pad", "<u2"), ("dx", "<f4"), ("dy", "<f4"), ("dz", "<f4")])
SPRING = np.dtype([("name", "S24"), ("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("length", "<f4"),
                   ("stiffness", "<f4"), ("damping", "<f4"), ("maxAngle", "<f4")])
LANDMARK = np.dtype([("name", "S24"), ("vertex", "<u2"), ("pad", "<u2")])
NAMES = ("vertices", "indices", "layers", "morphs", "deltas", "springs", "landmarks")


def write(numbers, atlas_size, tables):
    """The bytes of a puppet; `numbers` are the nine floats of the header."""
    t = tables
    counts = [len(t[n]) for n in NAMES]
    head = HEADER.pack(b"YPUP", 1, *numbers, *atlas_size, counts[0], counts[1], counts[2], counts[3],
                       counts[4], counts[5], counts[6])
    index = t["indices"].astype("<u2").tobytes()
    index += b"\0" * (-len(index) % 4)
    return (head + t["vertices"].tobytes() + index + t["layers"].tobytes() + t["morphs"].tobytes()
            + t["deltas"].tobytes() + t["springs"].tobytes() + t["landmarks"].tobytes())


def read(data):
    """(header numbers, atlas size, tables); raises ValueError with the reason of a refusal."""
    if len(data) < HEADER.size:
        raise ValueError("shorter than its header")
    f = HEADER.unpack_from(data)
    if f[0] != b"YPUP" or f[1] != 1:
        raise ValueError("wrong magic or version")
    numbers, atlas, counts = f[2:11], f[11:13], f[13:]
    kinds = (VERTEX, np.dtype("<u2"), LAYER, MORPH, DELTA, SPRING, LANDMARK)
    at, tables = HEADER.size, {}
    for name, kind, count in zip(NAMES, kinds, counts):
        size = (kind.itemsize * count + 3) // 4 * 4
        if at + size > len(data):
            raise ValueError("shorter than its counts")
        tables[name] = np.frombuffer(data, kind, count, at)
        at += size
    if at != len(data):
        raise ValueError("longer than its counts")
    v, i, l, m, d = (tables[n] for n in NAMES[:5])
    if len(v) > 65535 or len(m) > 1024 or len(tables["springs"]) > 256:
        raise ValueError("too many vertices, morphs or springs")
    if len(i) and i.max() >= len(v) or len(d) and d["vertex"].max() >= len(v):
        raise ValueError("an index or delta is out of range")
    if (l["first"] + l["count"] > len(i)).any() or (m["first"] + m["count"] > len(d)).any():
        raise ValueError("a layer or morph is out of range")
    used = v["spring"][v["spring"] != 0xFFFF]
    if len(used) and used.max() >= len(tables["springs"]):
        raise ValueError("a spring is out of range")
    if (tables["landmarks"]["vertex"] >= len(v)).any():
        raise ValueError("a landmark is out of range")
    morph = l["opacityMorph"][l["opacityMorph"] != 0xFFFF]
    if len(morph) and morph.max() >= len(m):
        raise ValueError("an opacity morph is out of range")
    for table in tables.values():
        for field in table.dtype.names or ():
            if table.dtype[field].kind == "f" and not np.isfinite(table[field]).all():
                raise ValueError("a number is not finite")
    return numbers, atlas, tables
