"""Speech of festival's voices with the time of every phone (its segment files)."""

import os
import random
import subprocess
import tempfile

import numpy as np
from scipy.io import wavfile

import visemes


def speak(voice, texts, seed):
    """Yields (voice, samples, rate, segments) for each text."""
    pick = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        lines = ["(voice_%s)" % voice]
        for index, text in enumerate(texts):
            name = os.path.join(folder, str(index))
            lines.append("(Parameter.set 'Duration_Stretch %.2f)" % pick.uniform(.85, 1.25))
            lines.append('(set! u (utt.synth (Utterance Text "%s")))' % text.replace('"', ""))
            lines.append('(utt.save.wave u "%s.wav")(utt.save.segs u "%s.lab")' % (name, name))
        script = os.path.join(folder, "say.scm")
        with open(script, "w") as file:
            file.write("\n".join(lines))
        subprocess.run(["festival", "-b", script], capture_output=True)
        for index in range(len(texts)):
            name = os.path.join(folder, str(index))
            if not os.path.exists(name + ".lab"):
                continue
            rate, samples = wavfile.read(name + ".wav")
            start, segments = 0.0, []
            with open(name + ".lab") as file:
                for line in file:
                    fields = line.split()
                    if len(fields) == 3 and fields[0] != "#":
                        end = float(fields[0])
                        segments.append((start, end, visemes.ARPABET.get(fields[2], ["sil"])))
                        start = end
            yield "festival:" + voice, samples.astype(np.float32) / 32768, rate, segments
