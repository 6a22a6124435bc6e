"""Features that the network hears: the same numbers as `LogMel` and `SpeechToMouth` compute in Swift."""

import numpy as np

RATE, HOP, WINDOW, AHEAD, SIZE, BANDS = 16000, 160, 400, 160, 512, 40
LOW, HIGH = 60.0, 7600.0

# The peak follower's lowest level and fall a frame, both in mean log-mel, and the factor after it.
QUIETEST, DECAY, GAIN = -5.5, 0.01, 1 / 3

# After LONG_QUIET frames whose mean log-mel lies below SILENT the mouth is at rest whatever the network says.
SILENT, LONG_QUIET = -8.5, 16


def mel_filters():
    """40 triangles over 257 bins, of equal width on the mel scale."""
    to_mel = lambda hertz: 1127 * np.log(1 + hertz / 700)
    to_hertz = lambda mel: 700 * (np.exp(mel / 1127) - 1)
    edges = to_hertz(np.linspace(to_mel(LOW), to_mel(HIGH), BANDS + 2)) * (SIZE // 2) / (RATE / 2)
    bins = np.arange(SIZE // 2 + 1)
    rows = []
    for left, middle, right in zip(edges, edges[1:], edges[2:]):
        rows.append(np.maximum(0, np.minimum((bins - left) / (middle - left),
                                             (right - bins) / (right - middle))))
    return np.array(rows, np.float32)


FILTERS = mel_filters()
SHAPE = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)


def log_mel(samples):
    """Frames x 40; frame k ends AHEAD samples after sample 160 k, zeros stand before and after the sound."""
    count = -(-len(samples) // HOP)
    padded = np.zeros(count * HOP + WINDOW, np.float32)
    padded[WINDOW - AHEAD:WINDOW - AHEAD + len(samples)] = samples
    frames = np.lib.stride_tricks.as_strided(
        padded, (count, WINDOW), (padded.strides[0] * HOP, padded.strides[0]))
    power = np.abs(np.fft.rfft(frames * SHAPE, SIZE)) ** 2
    return np.log(power.astype(np.float32) @ FILTERS.T + 1e-6).astype(np.float32)


def normalize(frames):
    """Takes the loudness off: a follower of the frame means that rises at once, falls by DECAY a frame
    and never below QUIETEST."""
    means = frames.mean(1)
    # max(mean[k], level[k-1] - DECAY) is a running maximum once the fall is added back.
    ramp = DECAY * np.arange(len(means))
    level = np.maximum.accumulate(np.maximum(means, QUIETEST) + ramp) - ramp
    level = np.maximum(level, QUIETEST)
    return ((frames - level[:, None]) * GAIN + 1).astype(np.float32)


def at_rest(frames):
    """Whether each frame of `log_mel` ends a run of LONG_QUIET silent ones; silence goes before the first."""
    run, found = LONG_QUIET, []
    for mean in frames.mean(1):
        run = run + 1 if mean < SILENT else 0
        found.append(run >= LONG_QUIET)
    return np.array(found)


def features(samples):
    return normalize(log_mel(samples))
