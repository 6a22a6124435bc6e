"""Writes the pack folder: puppet, atlas, poster, weights and manifest."""
import hashlib
import json
import pathlib
import shutil
import subprocess

from . import atlas, character
from .preview import Preview

CHUNK = 1 << 20
VERSION = "2026.11.30.2"


def jpeg(pixels, target, quality=80):
    """Writes an RGB picture as JPEG through ImageMagick."""
    h, w, _ = pixels.shape
    head = f"P6 {w} {h} 255\n".encode()
    subprocess.run(["convert", "ppm:-", "-strip", "-sampling-factor", "4:2:0", "-interlace", "Plane",
                    "-quality", str(quality), str(target)], input=head + pixels.tobytes(), check=True)


def entry(folder, path, tier):
    data = (folder / path).read_bytes()
    parts = [data[k:k + CHUNK] for k in range(0, len(data), CHUNK)]
    digest = lambda b: hashlib.sha256(b).hexdigest()
    return dict(path=path, size=len(data), sha256=digest(data), tier=tier,
                chunks=[dict(sha256=digest(p), size=len(p)) for p in parts])


def manifest(folder):
    files = [("poster.jpg", 0), ("puppet.bin", 2), ("atlas.png", 2), ("mouth.bin", 2)]
    return dict(schema=1, character="luna-anime", version=VERSION, engine="puppet", displayName="Luna",
                width=1080, height=1920, poster="poster.jpg", idle=dict(frames=[], fps=8),
                files=[entry(folder, p, t) for p, t in files if (folder / p).exists()])


def main(arguments):
    here = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(arguments[0]) if arguments else here / "pack"
    folder.mkdir(parents=True, exist_ok=True)
    puppet, sheet = character.build()
    (folder / "puppet.bin").write_bytes(puppet)
    (folder / "atlas.png").write_bytes(atlas.png(sheet))
    jpeg(Preview(puppet, sheet).frame(), folder / "poster.jpg")
    weights = here.parent.parent / "training" / "weights" / "mouth.bin"
    if weights.exists():
        shutil.copyfile(weights, folder / "mouth.bin")
    text = json.dumps(manifest(folder), indent=2, ensure_ascii=False) + "\n"
    (folder / "character.json").write_text(text, encoding="utf-8")
    total = sum(f.stat().st_size for f in folder.iterdir())
    print(f"{folder}: {total / 1e6:.2f} MB")
