"""Makes the data of `yoob bench lipsync`: `prepare.py FOLDER PART...` (see README.md of training/).

FOLDER/PART.jsonl has one line a recording: id, part, speaker, sex, wav (16 kHz mono, beside it), seconds,
text, phones (aligned: start, end, ARPAbet), heard (phones that PocketSphinx hears without the text) and
agreement (how much the second aligner agrees). Part `voices` is made by synthesizers.py.
"""

import collections
import json
import os
import sys
import wave

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import sound  # noqa: E402
import sources  # noqa: E402
import visemes  # noqa: E402
from fetch import package  # noqa: E402

# Share of the frames in speech in which both aligners show one of the 8 classes. Below it the text is not
# what is said.
LEAST_AGREEMENT = 0.6
ARPABET = {name.upper(): shown for name, shown in visemes.ARPABET.items()}


def classes(phones, count):
    """One of the 8 classes a frame."""
    segments = [(start, end, ARPABET.get(name, ["sil"])) for start, end, name in phones]
    return np.array(visemes.VISUAL)[visemes.labels(segments, count)]


def agreement(first, second, count):
    one, two = classes(first, count), classes(second, count)
    speech = (one > 0) | (two > 0)
    return float((one == two)[speech].mean()) if speech.any() else 0.0


def write_wav(path, samples):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.RATE)
        file.writeframes((samples * 32767).clip(-32767, 32767).astype("<i2").tobytes())


def listed(part):
    with open(os.path.join(HERE, "manifest.jsonl")) as file:
        return {line["id"]: line for line in map(json.loads, file) if line["part"] == part}


def recordings(cache, wanted):
    """The recordings of a part, each with the bytes that the manifest names."""
    import hashlib
    for source in sources.ALL:
        for recording in source(cache):
            line = wanted.get(recording.id)
            if line:
                if hashlib.sha256(b"".join(recording.parts)).hexdigest() != line["sha256"]:
                    sys.exit("%s is not the recording of the manifest." % recording.id)
                yield line, recording


def aligned(folder, line, samples, aligner):
    """{phones, heard} of a recording, from an earlier run if there was one; phones is None if it failed."""
    path = os.path.join(folder, "cache", "aligned", line["id"] + ".json")
    if os.path.exists(path):
        with open(path) as file:
            return json.load(file)
    phones = aligner.align(samples, line["text"])
    made = dict(phones=phones, heard=aligner.recognize(samples) if phones else None)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w") as file:
        json.dump(made, file)
    os.rename(path + ".part", path)
    return made


def prepare(folder, part):
    cache = os.path.join(folder, "cache")
    sys.path.insert(0, package(cache, "pocketsphinx"))
    import hmm
    import sphinx
    from words import Dictionary
    known, first, second = Dictionary(package(cache, "pocketsphinx")), sphinx.Sphinx(), hmm.Aligner()
    os.makedirs(os.path.join(folder, part), exist_ok=True)
    lines, refused = [], collections.Counter()
    for line, recording in recordings(cache, listed(part)):
        samples = sound.decode(recording)
        found = aligned(folder, line, samples, first)
        if not found["phones"]:
            refused["not aligned"] += 1
            continue
        name = "%s/%s.wav" % (part, line["id"])
        write_wav(os.path.join(folder, name), samples)
        number = second.add(samples, [known.phones(word) for word in line["text"].split()])
        made = {key: line[key] for key in ("id", "part", "speaker", "sex", "text")}
        made.update(wav=name, seconds=round(len(samples) / sound.RATE, 3), **found)
        lines.append((made, number))
        if len(lines) % 50 == 0:
            print("%s: %d recordings aligned" % (part, len(lines)), flush=True)
    second.run()
    kept, left_out = [], []
    for made, number in lines:
        other = second.result(number)
        made["agreement"] = round(agreement(made["phones"], other, int(made["seconds"] * 100)), 3)
        made["second"] = [(round(start, 3), round(end, 3), phone) for start, end, phone in other]
        (kept if made["agreement"] >= LEAST_AGREEMENT else left_out).append(made)
    refused["aligners disagree"] = len(left_out)
    for name, group in ((part, kept), (part + "-left-out", left_out)):
        group.sort(key=lambda made: (made["speaker"], made["id"]))
        with open(os.path.join(folder, name + ".jsonl"), "w") as file:
            for made in group:
                file.write(json.dumps(made) + "\n")
    print("%s: %d recordings, %.1f minutes, left out: %s" % (
        part, len(kept), sum(made["seconds"] for made in kept) / 60, dict(refused)))


if __name__ == "__main__":
    for wanted_part in sys.argv[2:]:
        if wanted_part == "voices":
            import synthesizers
            synthesizers.make(sys.argv[1])
        else:
            prepare(sys.argv[1], wanted_part)
