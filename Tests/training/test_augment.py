"""What the training does to sound keeps its labels in place. Needs numpy and scipy."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../training"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../training/voices"))

import numpy as np

import augment
import sky


def clicks(seconds=2.0):
    """Bursts at known places."""
    rng = np.random.default_rng(1)
    samples = np.zeros(int(seconds * 16000), np.float32)
    for start in range(2000, len(samples) - 2000, 4000):
        samples[start:start + 400] = rng.standard_normal(400) * 0.2 * np.hanning(400)
    return samples


def delay(before, after):
    size = 1 << 17
    alike = np.fft.irfft(np.fft.rfft(after, size) * np.conj(np.fft.rfft(before, size)), size)
    at = int(np.argmax(alike))
    return at if at < size // 2 else at - size


class Augment(unittest.TestCase):
    def test_changes_that_keep_time_move_nothing(self):
        samples, rng = clicks(), np.random.default_rng(2)
        for change in (lambda x: augment.tract(x, 1.2), lambda x: augment.tract(x, 0.8),
                       lambda x: augment._room(x, rng), augment._telephone, lambda x: augment._limited(x, 4000)):
            made = change(samples)
            self.assertEqual(len(made), len(samples))
            self.assertLess(abs(delay(samples, made)), 40)

    def test_a_tract_of_one_changes_nothing(self):
        samples = clicks()
        self.assertLess(np.abs(augment.tract(samples, 1.0) - samples).max(), 1e-3)

    def test_labels_follow_the_sound(self):
        samples = (clicks() * 32767).astype(np.int16)
        labels = np.full(200, 5, np.int8)
        for seed in range(40):
            rng = np.random.default_rng(seed)
            made, shown = augment.speech(samples, labels, rng, [samples])
            self.assertLess(abs(len(made) - 160 * len(shown)), 161)
            self.assertTrue(np.isfinite(made).all())
            self.assertEqual(set(shown) - {0, 5}, set())

    def test_silence_is_finite_and_quiet(self):
        for seed in range(30):
            made = augment.silence(2.0, np.random.default_rng(seed))
            self.assertEqual(len(made), 32000)
            self.assertTrue(np.isfinite(made).all())


class Packed:
    """Writes bits where `unpacked` looks for them: a word is laid when its first bit is asked for."""

    def __init__(self):
        self.out, self._slots, self._bits, self._free = bytearray(18), [], 0, 0

    def put(self, value, count):
        if count > self._free:
            self._slots.append(len(self.out))
            self.out += b"\0\0"
            self._free += 16
        self._free -= count
        for index in range(count):
            at = self._slots[self._bits // 16] + self._bits % 16 // 8
            self.out[at] |= (value >> index & 1) << self._bits % 8
            self._bits += 1

    def codes(self, *lengths):
        self.put(len(lengths), 5)
        for length in lengths:
            self.put(length, 4)


class Unpacked(unittest.TestCase):
    def packed(self, size):
        packed = Packed()
        packed.out[4:8], packed.out[17] = size.to_bytes(4, "big"), 1
        packed.put(0, 2)
        packed.codes(0, 1, 1)
        packed.codes(0, 1)
        packed.codes(0, 0, 1)
        packed.put(2, 16)
        packed.put(1, 1), packed.put(0, 1)
        packed.out += b"ab"
        packed.put(0, 1)
        packed.put(0, 1), packed.put(0, 1)
        packed.put(0, 1)
        packed.out += b"c"
        return bytes(packed.out) + b"\0\0"

    def test_literals_and_a_match_that_overlaps_itself(self):
        self.assertEqual(sky.unpacked(self.packed(7)), b"abababc")

    def test_a_wrong_size_is_refused(self):
        with self.assertRaises(ValueError):
            sky.unpacked(self.packed(8))


if __name__ == "__main__":
    unittest.main()
