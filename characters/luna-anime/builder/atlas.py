"""Packs the pictures of all parts into one atlas and writes it as PNG."""
import struct
import zlib

import numpy as np

# Clear texels between two parts: smaller sizes of the atlas mix texels over this distance, and paint of a
# neighbour would show as light dots and lines.
GAP = 16


def pack(sizes, width, height):
    """Skyline packing, those with the longest edges first; a list of (x, y)."""
    # No gap is needed at the right edge.
    width += GAP
    sky = [(0, 0, width)]
    places = [None] * len(sizes)
    for i in sorted(range(len(sizes)), key=lambda k: (-sum(sizes[k]), -sizes[k][1], k)):
        w, h = sizes[i][0] + GAP, sizes[i][1] + GAP
        best = None
        for k, (x, _, _) in enumerate(sky):
            if x + w > width:
                continue
            top, m, reach = 0, k, x
            while reach < x + w:
                top = max(top, sky[m][1])
                reach = sky[m][0] + sky[m][2]
                m += 1
            if top + h <= height + GAP and (best is None or (top, x) < best[:2]):
                best = (top, x)
        if best is None:
            raise SystemExit("the parts do not fit the atlas: lower the scale of a part")
        top, x = best
        places[i] = (x, top)
        new = []
        for sx, sy, sw in sky:
            if sx + sw <= x or sx >= x + w:
                new.append((sx, sy, sw))
                continue
            if sx < x:
                new.append((sx, sy, x - sx))
            if sx + sw > x + w:
                new.append((x + w, sy, sx + sw - x - w))
        new.append((x, top + h, w))
        sky = sorted(new)
    return places


def straight(premultiplied):
    """Premultiplied BGRA (cairo) to straight RGBA; clear pixels become zero."""
    p = premultiplied.astype(np.int32)
    a = p[..., 3:4]
    colour = np.where(a > 0, np.minimum(255, (p[..., 2::-1] * 255 + a // 2) // np.maximum(a, 1)), 0)
    return np.concatenate([colour, a], -1).astype(np.uint8)


def png(pixels):
    """PNG bytes of an (h, w, 3 or 4) array; every line takes the filter with the least residue."""
    h, w, n = pixels.shape
    rows = pixels.reshape(h, w * n).astype(np.int16)
    up = np.vstack([np.zeros((1, w * n), np.int16), rows[:-1]])
    left = np.hstack([np.zeros((h, n), np.int16), rows[:, :-n]])
    corner = np.hstack([np.zeros((h, n), np.int16), up[:, :-n]])
    guess = left + up - corner
    pa, pb, pc = abs(guess - left), abs(guess - up), abs(guess - corner)
    paeth = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up, corner))
    kinds = [(rows - k) & 255 for k in (0, left, up, (left + up) // 2, paeth)]
    cost = np.stack([np.minimum(k, 256 - k).sum(1) for k in kinds])
    pick = cost.argmin(0)
    raw = b"".join(bytes([pick[j]]) + kinds[pick[j]][j].astype(np.uint8).tobytes() for j in range(h))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", w, h, 8, 6 if n == 4 else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 9))
            + chunk(b"IEND", b""))
