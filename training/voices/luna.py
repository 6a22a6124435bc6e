"""Luna's voice (hibari-tts, voice "heart") with the time of every phone.

Runs as a program of its own, because its packages (onnxruntime, hibari) need not suit the Python that
trains: `luna.py TEXTS OUT.npz SEED SPEEDS` reads one sentence a line and writes sound and phones.
The model's graph computes each symbol's duration in units of 600 samples; one more output, appended to
the graph's bytes, makes it readable.
"""

import random
import sys

import numpy as np

RATE, UNIT = 24000, 600
DURATIONS = "/Cast_32_output_0"


def _field(number, data):
    size, prefix = len(data), bytes([number << 3 | 2])
    while True:
        low, size = size & 127, size >> 7
        prefix += bytes([low | (128 if size else 0)])
        if not size:
            return prefix + data


def _with_durations(model):
    """The model's bytes with DURATIONS (64-bit integers) as a further output."""
    kind = _field(2, _field(1, b"\x08\x07"))
    return model + _field(7, _field(12, _field(1, DURATIONS.encode()) + kind))


class Luna:
    def __init__(self):
        import hibari
        import onnxruntime
        self._voice = hibari.Hibari(threads=1)
        self._synthesize = sys.modules["hibari.dsp"].synth
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        with open(self._voice.model_path, "rb") as file:
            model = _with_durations(file.read())
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def spectra(self, text, speed):
        """Yields (phonemes, spectra and pitch, [(symbol, units)]) of each sentence; symbols include stress
        marks and spaces."""
        for phonemes in self._voice.phonemize(text):
            known = [c for c in phonemes if c in self._voice.vocab]
            ids = [0] + [self._voice.vocab[c] for c in known] + [0]
            out = self._session.run(None, {"ids": np.array([ids], np.int64),
                                           "speed": np.array([speed], np.float32)})
            yield known, [o[0] for o in out[:6]], list(zip([""] + known + [""], out[6].ravel().tolist()))

    def sound(self, spectra, seed):
        """Float samples at 24 kHz."""
        return self._synthesize(*spectra, np.random.default_rng(seed))

    def say(self, text, speed, seed):
        """(float samples at 24 kHz, [(symbol, units)])."""
        sounds, symbols = [], []
        for _, spectra, found in self.spectra(text, speed):
            sounds.append(self.sound(spectra, seed))
            symbols += found
        return np.concatenate(sounds), symbols


def main():
    texts_path, out_path, seed, slow, fast = sys.argv[1:6]
    pick, luna = random.Random(int(seed)), Luna()
    arrays = {}
    with open(texts_path) as file:
        texts = [line.strip() for line in file if line.strip()]
    for index, text in enumerate(texts):
        samples, symbols = luna.say(text, pick.uniform(float(slow), float(fast)), index)
        arrays["x%d" % index] = (samples.clip(-1, 1) * 32767).astype(np.int16)
        arrays["s%d" % index] = np.array([s for s, _ in symbols])
        arrays["d%d" % index] = np.array([u for _, u in symbols], np.int32)
    np.savez(out_path, count=len(texts), **arrays)


if __name__ == "__main__":
    main()
