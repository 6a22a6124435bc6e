"""Writes the pack folder: puppet, atlas, poster, weights and manifest."""
import hashlib
import json
import pathlib
import shutil
import subprocess

import numpy as np

from . import atlas, character, space
from .preview import Preview

CHUNK = 1 << 20
VERSION = "2026.11.30.3"
# Width of the scene and of the figure's shape, which are drawn larger.
STILL = 540


def jpeg(pixels, target, quality=80):
    """Writes an RGB picture as JPEG through ImageMagick."""
    h, w, _ = pixels.shape
    head = f"P6 {w} {h} 255\n".encode()
    subprocess.run(["convert", "ppm:-", "-strip", "-sampling-factor", "4:2:0", "-interlace", "Plane",
                    "-quality", str(quality), str(target)], input=head + pixels.tobytes(), check=True)


def shape(preview):
    """The figure as white of its opacity, (h, w, 4), a pixel smaller: the poster's rim is mixed with the scene."""
    dark, light = (preview.frame(size=STILL, only="figure", paper=(k, k, k)).astype(int) for k in (0, 1))
    alpha = 255 - (light - dark).max(2).clip(0, 255)
    h, w = alpha.shape
    wide = np.pad(alpha, 1, mode="edge")
    alpha = np.min([wide[y:y + h, x:x + w] for y in range(3) for x in range(3)], axis=0)
    white = np.where(alpha > 0, 255, 0)
    return np.stack([white, white, white, alpha], 2).astype(np.uint8)


def entry(folder, path, tier):
    data = (folder / path).read_bytes()
    parts = [data[k:k + CHUNK] for k in range(0, len(data), CHUNK)]
    digest = lambda b: hashlib.sha256(b).hexdigest()
    return dict(path=path, size=len(data), sha256=digest(data), tier=tier,
                chunks=[dict(sha256=digest(p), size=len(p)) for p in parts])


def manifest(folder):
    files = [("poster.jpg", 0), ("scene.jpg", 0), ("figure.png", 0), ("puppet.bin", 2), ("atlas.png", 2), ("mouth.bin", 2)]
    return dict(schema=1, character="luna-anime", version=VERSION, engine="puppet", displayName="Luna",
                width=1080, height=1920, crop=dict(zip(("x", "y", "size"), map(int, space.CROP))), poster="poster.jpg", idle=dict(frames=[], fps=8),
                files=[entry(folder, p, t) for p, t in files if (folder / p).exists()])


def main(arguments):
    here = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(arguments[0]) if arguments else here / "pack"
    folder.mkdir(parents=True, exist_ok=True)
    puppet, sheet = character.build()
    (folder / "puppet.bin").write_bytes(puppet)
    (folder / "atlas.png").write_bytes(atlas.png(sheet))
    preview = Preview(puppet, sheet)
    jpeg(preview.frame(), folder / "poster.jpg")
    jpeg(preview.frame(size=STILL, only="scene"), folder / "scene.jpg")
    (folder / "figure.png").write_bytes(atlas.png(shape(preview)))
    weights = here.parent.parent / "training" / "weights" / "mouth.bin"
    if weights.exists():
        shutil.copyfile(weights, folder / "mouth.bin")
    text = json.dumps(manifest(folder), indent=2, ensure_ascii=False) + "\n"
    (folder / "character.json").write_text(text, encoding="utf-8")
    total = sum(f.stat().st_size for f in folder.iterdir())
    print(f"{folder}: {total / 1e6:.2f} MB")
