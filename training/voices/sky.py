"""Real speech of many actors: the adventure game Beneath a Steel Sky of Debian main.

Runs as a program of its own: `sky.py PACKAGE WHISPER FOLDER MINUTES` reads the unpacked Debian package,
hears what is said with Whisper (tiny.en, as the product ships it), aligns it with pocketsphinx and keeps
about MINUTES of sound: only utterances whose words are all known, whose pace is that of speech and whose
alignment is good. One file for every BATCH utterances; files that are there are skipped.
"""

import os
import random
import re
import struct
import sys

import numpy as np
from scipy.signal import resample_poly

RATE, GAME_RATE = 16000, 11025
SHORTEST, LONGEST = 1.8, 10.0
# The aligner names a frame by the start of its window of 25.6 ms.
HALF_WINDOW = 0.0128
# Log-likelihood a frame, and letters a second, of utterances that are kept.
LEAST_SCORE, PACE = -26, (6, 22)
BATCH = 60


class _Bits:
    """Bits of 16-bit words, lowest first, among which whole bytes may lie."""

    def __init__(self, data, at):
        self._data, self._at, self._held, self._count = data, at, 0, 0

    def _word(self):
        return int.from_bytes(self._data[self._at:self._at + 2], "little")

    def peek(self):
        return (self._held | self._word() << self._count) & 0xffff

    def take(self, count):
        if count > self._count:
            self._held |= self._word() << self._count
            self._count += 16
            self._at += 2
        found = self._held & (1 << count) - 1
        self._held >>= count
        self._count -= count
        return found

    def raw(self, count):
        self._at += count
        return self._data[self._at - count:self._at]


def _codes(bits):
    """Prefix codes as (mask, code, length, value), shortest first."""
    lengths = [bits.take(4) for _ in range(bits.take(5))]
    code, found = 0, []
    for length in range(1, 16):
        for value, own in enumerate(lengths):
            if own == length:
                turned = int(format(code >> 16 - length, "0%db" % length)[::-1], 2)
                found.append(((1 << length) - 1, turned, length, value))
                code += 1 << 16 - length
    return found


def _number(bits, codes):
    ahead = bits.peek()
    for mask, code, length, value in codes:
        if ahead & mask == code:
            bits.take(length)
            return value if value < 2 else bits.take(value - 1) | 1 << value - 1
    raise ValueError("damaged packed file")


def unpacked(data):
    """Contents of a file packed by the method "RNC 1"."""
    size, made = int.from_bytes(data[4:8], "big"), bytearray()
    bits = _Bits(data, 18)
    bits.take(2)
    for _ in range(data[17]):
        literal, distance, match = _codes(bits), _codes(bits), _codes(bits)
        for left in range(bits.take(16), 0, -1):
            made += bits.raw(_number(bits, literal))
            if left > 1:
                back, count = _number(bits, distance) + 1, _number(bits, match) + 2
                start = len(made) - back
                made += (made[start:] * (count // back + 1))[:count]
    if len(made) != size:
        raise ValueError("damaged packed file")
    return bytes(made)


def speech(folder):
    """Yields (name, packed bytes) of 8-bit speech at 11025 Hz: a table of 8-byte entries names places in one file.

    Entry: number of 16 bits, place of 24 (in units of 16 bytes when bit 23 is set), size of 22; speech has
    numbers from 50000, a header of 22 bytes and is packed."""
    base = os.path.join(folder, "usr/share/scummvm/beneath-a-steel-sky/sky.")
    with open(base + "dnr", "rb") as file:
        table = file.read()
    with open(base + "dsk", "rb") as disk:
        for at in range(4, len(table) - 7, 8):
            number, place = struct.unpack("<H", table[at:at + 2])[0], int.from_bytes(table[at + 2:at + 5], "little")
            size = int.from_bytes(table[at + 5:at + 8], "little") & 0x3fffff
            if number < 50000:
                continue
            disk.seek((place & 0x7fffff) << (4 if place >> 23 else 0))
            data = disk.read(size)[22:]
            if data[:4] == b"RNC\x01":
                yield "sky:%d" % number, data


def _seconds(data):
    return int.from_bytes(data[4:8], "big") / GAME_RATE


def _decoded(data):
    """16 kHz float samples, the loudest at 0.7."""
    samples = np.frombuffer(unpacked(data), np.uint8).astype(np.float32) / 128 - 1
    samples = resample_poly(samples - samples.mean(), 640, 441).astype(np.float32)
    return samples * (0.7 / max(0.02, np.abs(samples).max()))


class Listener:
    def __init__(self, whisper):
        import sherpa_onnx
        files = {kind: os.path.join(whisper, "tiny.en-" + kind) for kind in ("encoder.int8.onnx", "decoder.int8.onnx",
                                                                             "tokens.txt")}
        self._whisper = sherpa_onnx.OfflineRecognizer.from_whisper(
            encoder=files["encoder.int8.onnx"], decoder=files["decoder.int8.onnx"], tokens=files["tokens.txt"],
            language="en", task="transcribe", num_threads=1, tail_paddings=500)
        from pocketsphinx import Decoder
        self._aligner = Decoder(lm=None, samprate=RATE, loglevel="FATAL")

    def words(self, samples):
        """What is said; [] when it is no plain text."""
        stream = self._whisper.create_stream()
        stream.accept_waveform(RATE, samples)
        self._whisper.decode_stream(stream)
        text = stream.result.text.lower()
        return [] if re.search(r"[^a-z' ,.!?;:\-]", text) else re.sub(r"[^a-z' ]", " ", text).split()

    def knows(self, words):
        return all(self._aligner.lookup_word(word) for word in words)

    def align(self, samples, words):
        """([(phone, start, end)], score a frame), or None."""
        data = (samples * 32767).clip(-32768, 32767).astype("<i2").tobytes()
        try:
            self._aligner.set_align_text(" ".join(words))
            for turn in range(2):
                self._aligner.start_utt()
                self._aligner.process_raw(data, full_utt=True)
                self._aligner.end_utt()
                if turn == 0:
                    self._aligner.set_alignment()
            found, score, frames = [], 0, 0
            for word in self._aligner.get_alignment():
                for phone in word:
                    start, end = phone.start / 100, (phone.start + phone.duration) / 100
                    found.append((phone.name.split("(")[0].lower(), start + HALF_WINDOW, end + HALF_WINDOW))
                    if found[-1][0] != "sil":
                        score, frames = score + phone.score, frames + phone.duration
            return found, score / max(1, frames)
        except RuntimeError:
            return None


def good(phones, score):
    spoken = [(end - start, name) for name, start, end in phones if name not in ("sil", "+spn+", "+nsn+")]
    squeezed = sum(length < 0.035 for length, _ in spoken) / max(1, len(spoken))
    return score > LEAST_SCORE and len(spoken) > 8 and squeezed < 0.3 and max(spoken)[0] < 0.45


def pitch(samples):
    """Median pitch in Hz by autocorrelation, 0 when nothing is voiced."""
    found = []
    for start in range(0, len(samples) - 800, 400):
        part = samples[start:start + 800] * np.hanning(800)
        heard = np.fft.irfft(np.abs(np.fft.rfft(part, 2048)) ** 2)[:260]
        if heard[0] > 0.05:
            lag = 40 + int(np.argmax(heard[40:]))
            if heard[lag] > 0.45 * heard[0]:
                found.append(RATE / lag)
    return float(np.median(found)) if found else 0.0


def batch(listener, listed):
    """Arrays of the utterances that are good enough, and their seconds."""
    arrays, count, seconds = {}, 0, 0.0
    for name, data in listed:
        samples = _decoded(data)
        words = listener.words(samples)
        pace = sum(map(len, words)) / (len(samples) / RATE)
        if len(words) < 3 or not PACE[0] < pace < PACE[1] or not listener.knows(words):
            continue
        aligned = listener.align(samples, words)
        if not aligned or not good(*aligned):
            continue
        seconds += len(samples) / RATE
        arrays["x%d" % count] = (samples * 32767).astype(np.int16)
        arrays["p%d" % count] = np.array([phone for phone, _, _ in aligned[0]])
        arrays["b%d" % count] = np.array([(start, end) for _, start, end in aligned[0]])
        arrays["n%d" % count] = np.array([name, " ".join(words)])
        arrays["f%d" % count] = pitch(samples)
        arrays["q%d" % count] = aligned[1]
        count += 1
    return dict(arrays, count=count), seconds


def main():
    package, whisper, out, minutes = sys.argv[1:5]
    os.makedirs(out, exist_ok=True)
    listed = [(name, data) for name, data in speech(package) if SHORTEST < _seconds(data) < LONGEST]
    random.Random(5).shuffle(listed)
    listener, kept = None, 0.0
    for start in range(0, len(listed), BATCH):
        path = os.path.join(out, "%04d.npz" % start)
        if not os.path.exists(path):
            listener = listener or Listener(whisper)
            arrays, seconds = batch(listener, listed[start:start + BATCH])
            np.savez(path + ".part.npz", seconds=seconds, **arrays)
            os.replace(path + ".part.npz", path)
        with np.load(path) as made:
            kept += float(made["seconds"])
        if kept > float(minutes) * 60:
            break
    print("sky: %.1f minutes kept of %d files heard" % (kept / 60, min(len(listed), start + BATCH)), flush=True)


if __name__ == "__main__":
    main()
