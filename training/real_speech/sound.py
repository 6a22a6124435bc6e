"""Recordings as 16 kHz mono samples."""

import subprocess

import numpy as np

RATE = 16000


def decode(recording):
    """Float samples at 16 kHz of a recording's parts in a row. Needs ffmpeg."""
    data = b"".join(recording.parts)
    command = ["ffmpeg", "-v", "error", "-threads", "1", "-f", recording.form, "-i", "-", "-f", "f32le", "-ac",
               "1", "-ar", str(RATE), "-"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    return np.frombuffer(done.stdout, "<f4").copy()


def seconds(recording):
    """About how long a recording is, without decoding what has a fixed rate."""
    size = sum(len(part) for part in recording.parts)
    if recording.package == "flight-of-the-amazon-queen":
        return size / 2000
    if recording.form == "g722":
        return size / 8000
    return len(decode(recording)) / RATE
