#!/usr/bin/env python3
"""recordings.py FOLDER: makes what the user says, the same bytes each time, and FOLDER/index.json.

Hibari's voice at 16 kHz with -20 dBFS, from fixed seeds. A sentence with a pause is spoken in two parts, the
first with the open melody of a comma; 0.7 s of silence lie between the last voiced block of one and the first
of the other. Times in the index are seconds from the start of the recording, by `measures.voiced`.
"""

import json
import os
import sys
import tempfile
import wave

import numpy as np

import measures

RATE = 16_000
PAUSE = 0.7
LEVEL = 0.1
EDGE = 800

QUESTIONS = """Hello there.
What is your name?
How are you today?
What is the capital of France?
Can you tell me a short joke?
Why is the sky blue during the day?
What should I cook for dinner tonight?
Tell me one interesting fact about the ocean.
How do I fall asleep faster when I feel stressed?
Could you suggest a good book for a long train journey?
I am going to the mountains this weekend, what should I bring with me?
My friend has a birthday next week and I would like to know what I could give her."""

PAUSES = """I would like to book a table,|for two people tomorrow evening.
Could you remind me to,|call my mother on Sunday?
I think the best day is,|Tuesday, or maybe Wednesday.
Can you tell me the way to,|the nearest train station?
My phone number is five five five,|two one nine seven.
So what I really wanted to ask is,|how long it takes to learn Spanish.
Before we go on holiday I have to find,|somebody who waters the plants.
What is the difference between,|a crocodile and an alligator?
I was born in a small town,|near the border of Austria.
If it rains at the weekend,|we could visit the museum.
Please tell me something about,|the history of the bicycle.
She said that she would come,|but only if her brother comes too."""

# What is asked before each interruption; the answers are long enough to be interrupted.
OPENERS = """Tell me a long story about a dragon who lived in a cave.
Please explain how a car engine works.
Tell me everything that you know about elephants.
Describe what happens in a forest in the autumn.
Explain to me why people need to sleep.
Tell me about the life of a sailor on a big ship."""

INTERRUPTIONS = """Wait, stop, I have another question.
No, please stop talking now.
Actually, tell me something about cats instead.
Hold on a second, that is not what I meant.
Sorry, I did not understand a word of that.
Thank you, that is enough, let us talk about music."""


class Speaker:
    """Speaks lines of the user."""

    def __init__(self):
        from hibari import Hibari
        self._voice = Hibari(threads=1)

    def say(self, text, seed):
        """Samples at the common level, cut to 50 ms around the voice."""
        import soxr
        samples = self._voice(text, seed=seed).astype(np.float32)
        samples = soxr.resample(samples, self._voice.sample_rate, RATE)
        samples = samples * (LEVEL / np.sqrt(np.mean(np.square(samples[np.abs(samples) > 0.01]))))
        first, last = bounds(samples)
        return samples[max(0, first - EDGE):last + EDGE]


def bounds(samples):
    """First and last voiced sample."""
    return tuple(round(seconds * RATE) for seconds in measures.voiced(samples.tolist(), RATE))


def paused(first, second):
    """Two parts with the pause between, and the seconds at which it begins and ends."""
    begin, start = bounds(first)[1], bounds(second)[0]
    silence = np.zeros(round(PAUSE * RATE), np.float32)
    whole = np.concatenate([first[:begin], silence, second[start:]])
    return whole, begin / RATE, round(begin / RATE + PAUSE, 3)


def main(folder):
    os.makedirs(folder, exist_ok=True)
    speaker, index = Speaker(), []

    def put(kind, number, text, samples, **more):
        name = f"{kind}-{number:02d}.wav"
        write(os.path.join(folder, name), samples)
        first, last = measures.voiced(samples.tolist(), RATE)
        index.append({"kind": kind, "file": name, "text": text, "first": first, "last": last, **more})

    for number, text in enumerate(QUESTIONS.splitlines()):
        put("question", number, text, speaker.say(text, number))
    for number, line in enumerate(PAUSES.splitlines()):
        first, second = line.split("|")
        samples, begin, end = paused(speaker.say(first, 100 + number), speaker.say(second, 200 + number))
        put("pause", number, f"{first} … {second}", samples, pause=[begin, end])
    for number, text in enumerate(OPENERS.splitlines()):
        put("opener", number, text, speaker.say(text, 300 + number))
    for number, text in enumerate(INTERRUPTIONS.splitlines()):
        put("interruption", number, text, speaker.say(text, 400 + number))
    with open(os.path.join(folder, "index.json"), "w", encoding="utf-8") as file:
        json.dump(index, file, indent=1)


def write(path, samples):
    """A WAV file, whole or not there."""
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), delete=False) as part:
        with wave.open(part, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    os.replace(part.name, path)


def read(path):
    """Float samples of a file that `write` made."""
    with wave.open(path) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32768


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: recordings.py FOLDER")
    main(sys.argv[1])
