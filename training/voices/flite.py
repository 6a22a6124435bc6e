"""Speech of flite's voices with the time of every phone (option -psdur)."""

import os
import random
import re
import subprocess
import tempfile

import numpy as np
from scipy.io import wavfile

import visemes


def speak(voice, texts, seed):
    """Yields (voice, samples, rate, segments) for each text."""
    pick = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "speech.wav")
        for text in texts:
            command = ["flite", "-voice", voice, "--setf", "duration_stretch=%.2f" % pick.uniform(.8, 1.25)]
            if voice == "kal16":
                command += ["--setf", "int_f0_target_mean=%d" % pick.randint(85, 180)]
            shown = subprocess.run(command + ["-psdur", "-t", text, "-o", path], capture_output=True,
                                   text=True).stdout
            times = re.findall(r"(\S+):([\d.]+)", shown)
            if not times:
                continue
            rate, samples = wavfile.read(path)
            start, segments = 0.0, []
            for phone, end in times:
                segments.append((start, float(end), visemes.ARPABET.get(phone, ["sil"])))
                start = float(end)
            yield "flite:" + voice, samples.astype(np.float32) / 32768, rate, segments
