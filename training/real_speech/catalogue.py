"""Writes manifest.jsonl, the list of all recordings and their parts: `catalogue.py CACHE`.

The list was written down before anything was tuned and stays as it is; this program refuses to write over
it. Parts are split by speaker and by text: no speaker and no text is in two of them.
"""

import hashlib
import json
import os
import sys

import sound
import sources
from fetch import package
from words import Dictionary, words

MANIFEST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "manifest.jsonl")
PARTS = {
    "queen:jessica-martin": "blind", "queen:debbie-arnold": "blind", "queen:penelope-keith": "blind",
    "queen:jon-coleman": "blind", "queen:barry-james": "blind", "librivox:sonnet-1": "blind",
    "tuxpaint:english": "blind", "ktuberling:english": "blind",
    "queen:regina-reagan": "dev", "queen:bill-hootkins": "dev", "asterisk:allison-smith": "dev",
    "librivox:sense-and-sensibility": "dev", "pocketsphinx:cards": "dev",
    "queen:brad-lavelle": "train", "queen:tom-hill": "train", "queen:lisa-valdez": "train",
    "queen:enn-reitel": "train",
}
SHORTEST, LONGEST = 0.4, 60


def main():
    if os.path.exists(MANIFEST):
        sys.exit("manifest.jsonl is there already, and it is fixed.")
    cache = sys.argv[1]
    known = Dictionary(package(cache, "pocketsphinx"))
    order = ["blind", "dev", "train"]
    recordings = [recording for source in sources.ALL for recording in source(cache)]
    recordings.sort(key=lambda recording: order.index(PARTS[recording.speaker]))
    taken, written = {}, []
    for recording in recordings:
        part, said = PARTS[recording.speaker], words(recording.text)
        text = " ".join(said)
        # The owner of a text is one part; the same speaker says it once.
        owner = taken.setdefault(text, (part, set()))
        if owner[0] != part or recording.speaker in owner[1]:
            continue
        owner[1].add(recording.speaker)
        if not said or any(word not in known for word in said):
            continue
        seconds = sound.seconds(recording)
        if not SHORTEST <= seconds <= LONGEST:
            continue
        written.append(dict(
            id=recording.id, part=part, speaker=recording.speaker, sex=recording.sex, language="en",
            seconds=round(seconds, 2), text=text, package=recording.package, path=recording.path,
            sha256=hashlib.sha256(b"".join(recording.parts)).hexdigest(), licence=recording.licence))
    written.sort(key=lambda line: (line["part"], line["speaker"], line["id"]))
    with open(MANIFEST, "w") as file:
        for line in written:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    for part in order:
        lines = [line for line in written if line["part"] == part]
        for speaker in sorted({line["speaker"] for line in lines}):
            own = [line for line in lines if line["speaker"] == speaker]
            print("%-6s %-32s %s %4d recordings %5.1f minutes" % (
                part, speaker, own[0]["sex"], len(own), sum(line["seconds"] for line in own) / 60))


if __name__ == "__main__":
    main()
