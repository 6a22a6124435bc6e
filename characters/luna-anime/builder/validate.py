"""Checks a pack beyond what the format refuses: `python3 -m builder.validate PACK`."""
import hashlib
import json
import pathlib
import struct
import sys

from . import puppet_file as pf

LIMIT = 4_000_000
LANDMARKS = {"lipUpper", "lipLower", "mouthLeft", "mouthRight", "chin", "eyeLeft", "eyeRight"}


def puppet_faults(data):
    """Sentences about what is wrong with the bytes of a puppet."""
    try:
        _, _, t = pf.read(data)
    except ValueError as error:
        return [f"puppet.bin is refused: {error}"]
    faults = []
    v = t["vertices"]
    for field in ("u", "v", "head", "body", "sway"):
        if len(v) and not (v[field].min() >= 0 and v[field].max() <= 1):
            faults.append(f"{field} of a vertex is outside 0...1")
    if (v["spring"][v["sway"] > 0] == 0xFFFF).any():
        faults.append("a vertex has a spring weight without a spring")
    written = set()
    for layer in t["layers"]:
        if layer["clip"] and layer["clip"] not in written:
            faults.append(f"{layer['name'].decode()} is clipped by a mask that comes later")
        if layer["mask"]:
            written.add(layer["mask"])
        if max(layer["clip"], layer["mask"]) > 4 or layer["blend"] > 2 or layer["count"] % 3:
            faults.append(f"{layer['name'].decode()} has a wrong mode")
    names = [m["name"].decode() for m in t["morphs"]]
    if len(set(names)) != len(names):
        faults.append("two morphs share a name")
    for name in names:
        if not set(name.split("*")) <= set(names):
            faults.append(f"{name} corrects a morph that is not there")
    if {m["name"].decode() for m in t["landmarks"]} != LANDMARKS:
        faults.append("landmarks are missing")
    if not 2500 <= len(t["indices"]) // 3 <= 5000:
        faults.append("the number of triangles is outside 2,500...5,000")
    return faults


def png_size(data):
    """(width, height) in the header of a PNG."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG")
    return struct.unpack(">II", data[16:24])


def pack_faults(folder):
    """Sentences about what is wrong with a pack."""
    folder = pathlib.Path(folder)
    manifest = json.loads((folder / "character.json").read_text(encoding="utf-8"))
    faults = puppet_faults((folder / "puppet.bin").read_bytes())
    total = 0
    for entry in manifest["files"]:
        data = (folder / entry["path"]).read_bytes()
        total += len(data)
        if len(data) != entry["size"] or hashlib.sha256(data).hexdigest() != entry["sha256"]:
            faults.append(f"{entry['path']} is not the file that the manifest lists")
        if sum(c["size"] for c in entry["chunks"]) != len(data):
            faults.append(f"the chunks of {entry['path']} do not add up")
        at = 0
        for c in entry["chunks"]:
            if hashlib.sha256(data[at:at + c["size"]]).hexdigest() != c["sha256"]:
                faults.append(f"a chunk of {entry['path']} has another hash")
            at += c["size"]
    if total > LIMIT:
        faults.append(f"the pack has {total} bytes, more than {LIMIT}")
    if not faults:
        atlas = pf.read((folder / "puppet.bin").read_bytes())[1]
        if png_size((folder / "atlas.png").read_bytes()) != tuple(atlas):
            faults.append("the atlas has another size than the puppet says")
    return faults


def main(arguments):
    faults = pack_faults(arguments[0])
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
