"""PocketSphinx: phone times of known words, and phones without knowing the words.

PYTHONPATH must hold the package pocketsphinx; `prepare` sees to it.
"""

import numpy as np

from words import EXTRA

RATE = 16000
# Quiet around a recording, in seconds: the aligner wants to hear silence first; tried in this order.
PADS = (0.1, 0, 0.2)
# Frame k of the aligner is a window of 25.6 ms from 10 k ms on; a border lies between two windows' middles.
# Measured against speech with exact times (check_aligner.py).
OFFSET = 0.0128 - 0.005


def _decoder(**options):
    from pocketsphinx import Decoder
    decoder = Decoder(lm=None, samprate=RATE, loglevel="FATAL", **options)
    for word, phones in EXTRA.items():
        if not decoder.lookup_word(word):
            decoder.add_word(word, phones, False)
    return decoder


class Sphinx:
    def __init__(self):
        from pocketsphinx import get_model_path
        self._aligners = [_decoder(), _decoder(beam=1e-64, wbeam=1e-48, pbeam=1e-64)]
        self._free = _decoder(allphone=get_model_path("en-us/en-us-phone.lm.bin"), lw=2.0, beam=1e-20,
                              pbeam=1e-20)

    def align(self, samples, text):
        """[(start, end, phone)] in seconds, or None when the words do not fit the sound."""
        for decoder in self._aligners:
            for pad in PADS:
                found = _aligned(decoder, _sound(samples, pad), text)
                if found:
                    return _times(found, pad, len(samples) / RATE)
        return None

    def recognize(self, samples):
        """[(start, end, phone)]: what PocketSphinx hears in the whole recording, without its words."""
        _hear(self._free, _sound(samples, PADS[0]))
        found = [(s.start_frame, s.end_frame + 1, s.word) for s in self._free.seg()]
        return _times(found, PADS[0], len(samples) / RATE)


def _aligned(decoder, data, text):
    """[(first frame, frame after the last, phone)], or None when the words do not fit the sound."""
    try:
        decoder.set_align_text(text)
        for turn in range(2):
            _hear(decoder, data)
            if turn == 0:
                decoder.set_alignment()
        found = [(phone.start, phone.start + phone.duration, phone.name.split("(")[0])
                 for word in decoder.get_alignment() for phone in word]
    except (RuntimeError, TypeError):
        return None
    return found if any(name != "SIL" for _, _, name in found) else None


def _sound(samples, pad):
    """16-bit bytes with quiet around them and a trace of noise."""
    quiet = np.zeros(int(pad * RATE), np.float32)
    loud = np.concatenate([quiet, samples, quiet])
    noise = np.random.default_rng(5).standard_normal(len(loud)) * 1e-4
    loud = loud / max(0.05, np.abs(loud).max()) * 0.5 + noise
    return (loud * 32767).clip(-32767, 32767).astype("<i2").tobytes()


def _hear(decoder, data):
    decoder.start_utt()
    decoder.process_raw(data, full_utt=True)
    decoder.end_utt()


def _times(frames, pad, seconds):
    """Frames to seconds in the recording; whatever is no phone is SIL."""
    found = []
    for start, end, name in frames:
        start, end = (min(max(k / 100 + OFFSET - pad, 0), seconds) for k in (start, end))
        if end > start:
            found.append((round(start, 4), round(end, 4), name if name.isalpha() else "SIL"))
    return found
