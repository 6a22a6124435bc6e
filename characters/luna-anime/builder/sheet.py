"""Contact sheets: `python3 -m builder.sheet PACK PICTURE`."""
import pathlib
import sys

import numpy as np

from . import atlas
from .pack import jpeg
from .preview import Preview

S2 = lambda n, v: {n + "Left": v, n + "Right": v}
VISEMES = {
    "PP": S2("mouthPress", 0.8),
    "FF": {"mouthRollLower": 0.9, "jawOpen": 0.08, **S2("mouthUpperUp", 0.2)},
    "TH": {"jawOpen": 0.2, "tongueOut": 0.6},
    "DD": {"jawOpen": 0.2},
    "kk": {"jawOpen": 0.25},
    "CH": {"mouthFunnel": 0.6, "jawOpen": 0.2},
    "SS": {**S2("mouthStretch", 0.4), "jawOpen": 0.1},
    "RR": {"mouthFunnel": 0.3, "mouthPucker": 0.3, "jawOpen": 0.2},
    "aa": {"jawOpen": 0.75},
    "E": {"jawOpen": 0.45, **S2("mouthStretch", 0.5)},
    "ih": {"jawOpen": 0.25, **S2("mouthStretch", 0.6), **S2("mouthSmile", 0.2)},
    "oh": {"jawOpen": 0.5, "mouthPucker": 0.5, "mouthFunnel": 0.4},
    "ou": {"jawOpen": 0.25, "mouthPucker": 0.9},
}
HAPPY = {**S2("mouthSmile", 0.9), **S2("eyeBlink", 1), **S2("cheekSquint", 1), "jawOpen": 0.35,
         "browInnerUp": 0.4}
POSES = [
    ("neutral", {}), ("aa", dict(weights=VISEMES["aa"])), ("E", dict(weights=VISEMES["E"])),
    ("ou", dict(weights=VISEMES["ou"])), ("PP", dict(weights=VISEMES["PP"])),
    ("FF", dict(weights=VISEMES["FF"])), ("oh", dict(weights=VISEMES["oh"])),
    ("blink", dict(weights=S2("eyeBlink", 1))),
    ("smile", dict(weights={**S2("mouthSmile", 1), **S2("cheekSquint", 0.4), "jawOpen": 0.3,
                            "browInnerUp": 0.3})),
    ("yaw+", dict(yaw=20, weights={"eyeLookInRight": 0.6, "eyeLookOutLeft": 0.6}, sway={"*": -0.03})),
    ("yaw-", dict(yaw=-20, weights={"jawOpen": 0.3}, sway={"*": 0.03})),
    ("happy", dict(pitch=8, roll=7, weights=HAPPY, sway={"*": -0.03})),
]


def load(folder):
    """A preview of a built pack, with the atlas as it is in the file."""
    import cairo
    folder = pathlib.Path(folder)
    s = cairo.ImageSurface.create_from_png(str(folder / "atlas.png"))
    raw = np.ndarray((s.get_height(), s.get_stride() // 4, 4), np.uint8, s.get_data())[:, :s.get_width()]
    return Preview((folder / "puppet.bin").read_bytes(), atlas.straight(raw))


def sheet(preview, poses, columns, size, crop=(0, 190, 1080, 1080)):
    frames = [preview.frame(crop=crop, size=size, **pose) for _, pose in poses]
    frames += [np.full_like(frames[0], 255)] * (-len(frames) % columns)
    return np.vstack([np.hstack(frames[k:k + columns]) for k in range(0, len(frames), columns)])


def main(arguments):
    """PACK PICTURE: draws at twice the size and halves it; a name that ends in .jpg gives a JPEG."""
    big = sheet(load(arguments[0]), POSES, 4, 800).astype(np.uint16)
    small = ((big[::2, ::2] + big[1::2, ::2] + big[::2, 1::2] + big[1::2, 1::2] + 2) // 4).astype(np.uint8)
    target = pathlib.Path(arguments[1])
    if target.suffix == ".jpg":
        jpeg(small, target, quality=82)
    else:
        target.write_bytes(atlas.png(small))


if __name__ == "__main__":
    main(sys.argv[1:])
