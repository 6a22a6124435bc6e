"""Speech as microphones, rooms, codecs and other people would make it, and sound that is no speech."""

import subprocess

import numpy as np
from scipy.fft import next_fast_len
from scipy.signal import fftconvolve, lfilter, resample_poly

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


def _limited(samples, hertz):
    """Nothing above `hertz`."""
    size = next_fast_len(len(samples))
    spectrum = np.fft.rfft(samples, size)
    spectrum[int(hertz / 8000 * len(spectrum)):] *= 0.01
    return np.fft.irfft(spectrum, size)[:len(samples)]


def tract(samples, ratio):
    """Formants times `ratio` at the same pitch: the smooth envelope of every short spectrum is stretched."""
    size, hop = 512, 128
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    padded = np.pad(samples, size)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop] * window
    spectra = np.fft.rfft(frames, axis=1)
    cepstra = np.fft.irfft(np.log(np.abs(spectra) + 1e-5), axis=1)
    cepstra[:, 24:-23] = 0
    envelopes = np.fft.rfft(cepstra, axis=1).real
    place = np.minimum(np.arange(size // 2 + 1) / ratio, size // 2)
    low = np.minimum(place.astype(int), size // 2 - 1)
    part = place - low
    moved = envelopes[:, low] * (1 - part) + envelopes[:, low + 1] * part
    frames = np.fft.irfft(spectra * np.exp(np.clip(moved - envelopes, -4, 4)), axis=1) * window
    count = len(frames) + 3
    total = np.zeros((count, hop), np.float32)
    for quarter in range(4):
        total[quarter:quarter + len(frames)] += frames[:, quarter * hop:(quarter + 1) * hop]
    return total.reshape(-1)[size:size + len(samples)] / 1.5


def _room(samples, rng):
    """The echo of a room: some early reflections and a tail that grows dull."""
    length = rng.uniform(0.08, 0.5)
    count = int(length * features.RATE)
    tail = rng.standard_normal(count) * 10 ** (-3 * np.arange(count) / count)
    tail = lfilter([1 - 0.6], [1, -0.6], tail) * (rng.random(count) < 0.3)
    tail *= rng.uniform(0.1, 0.7) / (np.sqrt(np.sum(tail ** 2)) + 1e-9)
    tail[:32], tail[0] = 0, 1
    return fftconvolve(samples, tail)[:len(samples)]


def _breath(count, rng):
    """Air in and out of an open throat: bands of noise that swell and fade, root mean square about 1."""
    noise = rng.standard_normal(count + 64)
    for _ in range(2):
        angle, radius = 2 * np.pi * rng.uniform(400, 4500) / features.RATE, rng.uniform(0.8, 0.96)
        noise = lfilter([1, -0.9], [1, -2 * radius * np.cos(angle), radius ** 2], noise)
    noise = noise[64:] * np.sin(np.pi * np.linspace(0, 1, count) ** rng.uniform(0.6, 1.8)) ** 1.5
    return noise / (np.sqrt(np.mean(noise ** 2)) + 1e-9)


def _music(count, rng):
    """Chords and a beat, root mean square 1."""
    time, sound, at = np.arange(count) / features.RATE, np.zeros(count), 0
    step = int(rng.uniform(0.2, 0.8) * features.RATE)
    root, scale = rng.uniform(80, 300), [0, 2, 4, 7, 9, 12, 16, 19]
    while at < count:
        part = time[:min(step, count - at)]
        for _ in range(rng.integers(1, 5)):
            pitch = root * 2 ** (rng.choice(scale) / 12)
            fade = np.exp(-part * rng.uniform(0.5, 8))
            for harmonic in range(1, rng.integers(2, 9)):
                sound[at:at + step] += np.sin(2 * np.pi * pitch * harmonic * part) * fade / harmonic ** 1.3
        if rng.random() < 0.5:
            sound[at:at + len(part)] += rng.standard_normal(len(part)) * np.exp(-part * 40) * rng.uniform(0, 2)
        at += step
    return sound / (np.sqrt(np.mean(sound ** 2)) + 1e-9)


def _babble(count, rng, others):
    """Several people at once, root mean square 1; `others` are 16-bit samples of utterances."""
    sound = np.zeros(count)
    for _ in range(rng.integers(3, 8)):
        voice = others[rng.integers(len(others))].astype(np.float32)
        voice = np.tile(voice, -(-2 * count // max(1, len(voice))))
        at = rng.integers(0, max(1, len(voice) - count))
        sound += voice[at:at + count] / (np.sqrt(np.mean(voice ** 2)) + 1)
    return sound / (np.sqrt(np.mean(sound ** 2)) + 1e-9)


def _telephone(samples):
    """8 kHz and 8 bits by the mu law."""
    low = resample_poly(samples, 1, 2)
    peak = np.abs(low).max() + 1e-9
    steps = np.round(np.sign(low) * np.log1p(255 * np.abs(low) / peak) / np.log(256) * 127) / 127
    return resample_poly(np.sign(steps) * (256 ** np.abs(steps) - 1) / 255 * peak, 2, 1)[:len(samples)]


CODECS = [["libopus", "ogg", "-b:a", "12k"], ["libopus", "ogg", "-b:a", "24k"], ["libmp3lame", "mp3", "-b:a", "24k"],
          ["libmp3lame", "mp3", "-b:a", "48k"], ["libgsm", "gsm", "-ar", "8000"]]


def _coded(samples, rng):
    """Through a codec of few bits, the delay of the codec taken back."""
    codec, container, *options = CODECS[rng.integers(len(CODECS))]
    level = 0.5 / (np.abs(samples).max() + 1e-9)
    call = lambda arguments, data: subprocess.run(["ffmpeg", "-loglevel", "error"] + arguments, input=data,
                                                  capture_output=True, check=True).stdout
    plain = ["-f", "s16le", "-ar", str(features.RATE), "-ac", "1"]
    packed = call(plain + ["-i", "-", "-c:a", codec] + options + ["-f", container, "-"],
                  (samples * level * 32767).astype("<i2").tobytes())
    made = np.frombuffer(call(["-f", container, "-i", "-"] + plain + ["-"], packed), "<i2") / (32767 * level)
    size = next_fast_len(len(samples) + len(made))
    alike = np.fft.irfft(np.fft.rfft(made, size) * np.conj(np.fft.rfft(samples, size)), size)[:3200]
    made = made[int(np.argmax(alike)):][:len(samples)]
    return np.pad(made, (0, len(samples) - len(made)))


def silence(seconds, rng):
    """Sound in which nobody speaks: digital silence, noise that comes and goes, hum, knocks, tones, breath,
    music."""
    count = int(seconds * features.RATE)
    kind = rng.integers(7)
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
    elif kind == 4:
        for _ in range(rng.integers(1, 4)):
            length = int(rng.uniform(0.2, 0.8) * features.RATE)
            at = rng.integers(0, max(1, count - length))
            part = sound[at:at + length]
            part += (_breath(length, rng) * 10 ** (rng.uniform(-55, -26) / 20))[:len(part)].astype(np.float32)
    elif kind == 5:
        sound += (_music(count, rng) * 10 ** (rng.uniform(-60, -26) / 20)).astype(np.float32)
    return sound


def speech(samples, labels, rng, others=None):
    """A changed copy of 16 kHz samples and their labels, with silence before and after.

    `others`: 16-bit samples of other utterances, for people who talk in the background."""
    samples = samples.astype(np.float32) / 32768
    if rng.random() < 0.65:
        samples, labels = _shift(samples, labels, rng.uniform(0.8, 1.22))
    if rng.random() < 0.35:
        samples = tract(samples, rng.uniform(0.8, 1.25))
    filler = lambda: int(rng.choice([0, 8, 20, 60, 120]) * rng.uniform(.5, 1))
    before, after = filler(), filler() + 12
    frames = before + len(labels) + after
    padded = np.zeros(frames * features.HOP, np.float32)
    padded[before * features.HOP:before * features.HOP + len(samples)] = samples
    loud = np.sqrt(np.mean(samples ** 2) + 1e-9)
    for start, length in ((0, before), (before + len(labels) + 4, after - 4)):
        if length >= 20 and rng.random() < 0.35:
            count = (length - rng.integers(0, length // 3)) * features.HOP
            padded[start * features.HOP:start * features.HOP + count] += (
                _breath(count, rng) * loud * 10 ** (rng.uniform(-38, -14) / 20))
    labels = np.concatenate([np.zeros(before, np.int8), labels, np.zeros(after, np.int8)])
    samples = padded
    if rng.random() < 0.8:
        tilt = np.r_[rng.standard_normal(3) * .25, 1, rng.standard_normal(3) * .25]
        samples = np.convolve(samples, tilt, "same")
    if rng.random() < 0.35:
        samples = _room(samples, rng)
    power = np.sqrt(np.mean(samples ** 2) + 1e-9)
    if rng.random() < 0.6:
        samples = samples + _noise(len(samples), rng) * power * 10 ** (-rng.uniform(8, 42) / 20)
    background = rng.random()
    if background < 0.1:
        samples = samples + _music(len(samples), rng) * power * 10 ** (-rng.uniform(12, 32) / 20)
    elif background < 0.22 and others:
        samples = samples + _babble(len(samples), rng, others) * power * 10 ** (-rng.uniform(12, 32) / 20)
    through = rng.random()
    if through < 0.03:
        samples = _coded(samples, rng)
    elif through < 0.1:
        samples = _telephone(samples)
    elif through < 0.3:
        samples = _limited(samples, rng.choice([3700, 4000, 5500, 5500, 7000]))
    samples = samples / power * 10 ** (rng.uniform(-42, -14) / 20)
    if rng.random() < 0.6:
        samples = samples + rng.standard_normal(len(samples)) * 10 ** (rng.uniform(-95, -70) / 20)
    return np.clip(samples, -1, 1).astype(np.float32), labels
