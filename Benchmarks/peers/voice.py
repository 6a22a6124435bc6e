"""Luna's voice (Hibari, "heart") for the peers: the same weights as the product's, in the author's own package."""

import threading

import numpy as np

RATE = 24_000
# What the product keeps around the sound, in samples: 15 ms before, 60 ms behind.
_FRAME, _LEAD, _TAIL = 120, 360, 1440


class Voice:
    """Speaks sentences. Silence around them is cut as the product cuts it, so that nobody waits for it."""

    def __init__(self):
        from hibari import Hibari
        self._hibari = Hibari(threads=1)
        self._turn = threading.Lock()
        self.say("Ready.")

    def say(self, text):
        """PCM16 at 24 kHz; empty for a text without words."""
        with self._turn:
            parts = [trimmed(part) for part in self._hibari.stream(text, seed=1)]
        if not parts:
            return b""
        return (np.clip(np.concatenate(parts), -1, 1) * 32767).astype("<i2").tobytes()


def trimmed(samples):
    """The sounding part: 48 dB below the loudest 5 ms begins it, 42 dB below ends it."""
    count = len(samples) // _FRAME
    if not count:
        return samples
    power = np.square(samples[:count * _FRAME].reshape(count, _FRAME)).mean(axis=1)
    loudest = power.max()
    starts, ends = np.nonzero(power > loudest * 1.6e-5)[0], np.nonzero(power > loudest * 6.3e-5)[0]
    if loudest < 1e-8 or not len(starts):
        return samples[:0]
    return samples[max(0, starts[0] * _FRAME - _LEAD):(ends[-1] + 1) * _FRAME + _TAIL]
