"""Speech as microphones, rooms and other people would make it, and sound that is no speech."""

import numpy as np
from scipy.fft import next_fast_len
from scipy.signal import fftconvolve

import features


def _shift(samples, labels, ratio):
    """Pitch, formants and pace times `ratio`; the labels follow."""
    count = int(len(samples) / ratio)
    moved = np.interp(np.arange(count) * ratio, np.arange(len(samples)), samples)
    frames = -(-count // features.HOP)
    index = np.minimum((np.arange(frames) * ratio).astype(int), len(labels) - 1)
    return moved.astype(np.float32), labels[index]


def _noise(count, rng):
    """Noise of root mean square 1 with a random colour."""
    white = rng.standard_normal(count)
    kind = rng.integers(4)
    if kind == 1:
        white = np.convolve(white, np.ones(8) / 8, "same")
    elif kind == 2:
        size = next_fast_len(count)
        spectrum = np.fft.rfft(white, size)
        slope = rng.uniform(0.3, 1.0)
        white = np.fft.irfft(spectrum / np.maximum(1, np.arange(len(spectrum))) ** slope, size)[:count]
    elif kind == 3:
        time = np.arange(count) / features.RATE
        pitch = rng.choice([50, 60, 100, 120]) * rng.uniform(.99, 1.01)
        hum = sum(rng.uniform(0, 1) * np.sin(2 * np.pi * pitch * k * time + k) for k in range(1, 9))
        white = hum + white * rng.uniform(0.05, 0.5)
    return (white / (np.sqrt(np.mean(white ** 2)) + 1e-9)).astype(np.float32)


def silence(seconds, rng):
    """Sound in which nobody speaks: digital silence, noise that comes and goes, hum, knocks, tones."""
    count = int(seconds * features.RATE)
    kind = rng.integers(5)
    if kind == 0:
        return np.zeros(count, np.float32)
    level = 10 ** (rng.uniform(-75, -28) / 20)
    sound = _noise(count, rng) * level
    if kind == 1:
        knots = rng.uniform(0.05, 1, 8)
        sound *= np.interp(np.linspace(0, 7, count), np.arange(8), knots)
    elif kind == 2:
        for _ in range(rng.integers(1, 8)):
            at, length = rng.integers(0, max(1, count - 1700)), rng.integers(40, 1600)
            knock = rng.standard_normal(length) * np.exp(-np.arange(length) / (length / 4))
            part = sound[at:at + length]
            part += (knock * 10 ** (rng.uniform(-45, -14) / 20))[:len(part)].astype(np.float32)
    elif kind == 3:
        time = np.arange(count) / features.RATE
        tone = np.sin(2 * np.pi * rng.uniform(120, 3000) * time)
        sound += (tone * 10 ** (rng.uniform(-60, -20) / 20)).astype(np.float32)
    return sound


def speech(samples, labels, rng):
    """A changed copy of 16 kHz samples and their labels, with silence before and after."""
    samples = samples.astype(np.float32) / 32768
    if rng.random() < 0.75:
        samples, labels = _shift(samples, labels, rng.uniform(0.78, 1.24))
    filler = lambda: int(rng.choice([0, 8, 20, 60, 120]) * rng.uniform(.5, 1))
    before, after = filler(), filler() + 12
    frames = before + len(labels) + after
    padded = np.zeros(frames * features.HOP, np.float32)
    padded[before * features.HOP:before * features.HOP + len(samples)] = samples
    labels = np.concatenate([np.zeros(before, np.int8), labels, np.zeros(after, np.int8)])
    samples = padded
    if rng.random() < 0.8:
        tilt = np.r_[rng.standard_normal(3) * .25, 1, rng.standard_normal(3) * .25]
        samples = np.convolve(samples, tilt, "same")
    if rng.random() < 0.3:
        tail = rng.standard_normal(1600) * np.exp(-np.arange(1600) / rng.uniform(150, 500))
        tail *= rng.uniform(.02, .06)
        tail[0] = 1
        samples = fftconvolve(samples, tail)[:len(samples)]
    if rng.random() < 0.15:
        size = next_fast_len(len(samples))
        spectrum = np.fft.rfft(samples, size)
        spectrum[int(rng.uniform(3400, 7000) / 8000 * len(spectrum)):] *= 0.01
        samples = np.fft.irfft(spectrum, size)[:len(samples)]
    power = np.sqrt(np.mean(samples ** 2) + 1e-9)
    if rng.random() < 0.65:
        samples = samples + _noise(len(samples), rng) * power * 10 ** (-rng.uniform(8, 42) / 20)
    samples = samples / power * 10 ** (rng.uniform(-42, -14) / 20)
    if rng.random() < 0.6:
        samples = samples + rng.standard_normal(len(samples)) * 10 ** (rng.uniform(-95, -70) / 20)
    return np.clip(samples, -1, 1).astype(np.float32), labels
