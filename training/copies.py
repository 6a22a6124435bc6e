"""Copies of the training speech that are made once: men of the recordings raised to women's voices, and speech
through the poor codec that most recordings of real people went through."""

import subprocess

import numpy as np
from scipy.fft import next_fast_len

import augment
import features

RATE = features.RATE
# Pitch of a woman by that of a man, and her formants by his.
PITCH, FORMANTS = (1.4, 1.85), (1.06, 1.22)
# Rate and bits a second of the games' recordings, and of somewhat better ones.
POOR = [("11025", "16k"), ("11025", "16k"), ("11025", "24k"), ("16000", "24k")]
GAP, GROUP_SECONDS = 4800, 300
PLAIN = ["-f", "s16le", "-ar", str(RATE), "-ac", "1"]


def _ffmpeg(arguments, data):
    return subprocess.run(["ffmpeg", "-loglevel", "error"] + arguments, input=data, capture_output=True,
                          check=True).stdout


def _delay(made, samples, reach):
    """Samples by which `made` lags behind `samples`, 0 to `reach`."""
    size = next_fast_len(len(samples) + len(made))
    alike = np.fft.irfft(np.fft.rfft(made, size) * np.conj(np.fft.rfft(samples, size)), size)[:reach]
    return int(np.argmax(alike))


def _fitted(samples, count):
    return np.pad(samples[:count], (0, max(0, count - len(samples))))


def raised(samples, rng):
    """A man's 16-bit samples as a woman's, with the same times."""
    padded = np.concatenate([samples, np.zeros(RATE // 2, np.int16)])
    pitch = "rubberband=pitch=%.3f:formant=preserved:pitchq=quality:window=short" % rng.uniform(*PITCH)
    made = np.frombuffer(_ffmpeg(PLAIN + ["-i", "-", "-af", pitch] + PLAIN + ["-"], padded.tobytes()), "<i2")
    envelope = lambda sound: np.abs(sound.astype(np.float32))[:len(sound) // 16 * 16].reshape(-1, 16).mean(1)
    late = _delay(envelope(made) - envelope(made).mean(), envelope(padded) - envelope(padded).mean(), 200) * 16
    made = _fitted(made[late:], len(samples)).astype(np.float32) / 32768
    made = augment.tract(made, rng.uniform(*FORMANTS))
    return (made * 32767).clip(-32767, 32767).astype(np.int16)


def _through(samples, rate, bits):
    """16-bit samples through MP3, without the codec's delay."""
    packed = _ffmpeg(PLAIN + ["-i", "-", "-ar", rate, "-c:a", "libmp3lame", "-b:a", bits, "-f", "mp3", "-"],
                     samples.tobytes())
    made = np.frombuffer(_ffmpeg(["-f", "mp3", "-i", "-"] + PLAIN + ["-"], packed), "<i2")
    head = 60 * RATE
    return _fitted(made[_delay(made[:head].astype(np.float32), samples[:head].astype(np.float32), 8000):], len(samples))


def poor(entries):
    """Sets `poor` of every entry: its samples through MP3 of few bits."""
    group, seconds, number = [], 0, 0
    for entry in entries + [None]:
        if entry is not None:
            group.append(entry)
            seconds += len(entry["samples"]) / RATE
        if group and (entry is None or seconds > GROUP_SECONDS):
            gap = np.zeros(GAP, np.int16)
            made = _through(np.concatenate([part for e in group for part in (e["samples"], gap)]),
                            *POOR[number % len(POOR)])
            at = 0
            for e in group:
                e["poor"] = made[at:at + len(e["samples"])].copy()
                at += len(e["samples"]) + GAP
            group, seconds, number = [], 0, number + 1


def women_of_men(entries, seed):
    """New entries of kind "raised" for the recordings of men."""
    rng = np.random.default_rng(seed)
    made = []
    for entry in entries:
        if entry.get("kind") == "real" and entry["part"] == "train" and entry["sex"] == "m":
            made.append(dict(entry, kind="raised", sex="f", voice=entry["voice"] + ":raised",
                             samples=raised(entry["samples"], rng)))
    return made
