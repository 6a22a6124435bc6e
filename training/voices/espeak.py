"""Speech of espeak-ng with the time of every phone, through its C library's events."""

import ctypes
import random

import numpy as np

import visemes

RATE = 22050
ACCENTS = ["gmw/en-US", "gmw/en-US", "gmw/en", "gmw/en-GB-scotland", "gmw/en-GB-x-rp", "gmw/en-US-nyc"]
VARIANTS = """+f1 +f2 +f4 +f5 +m1 +m2 +m3 +m4 +m6 +m7 +m8 +Annie +Alex +Linda +Michael +steph +klatt
+klatt4""".split() + [""]
HELD_OUT = ["gmw/en-US+f3", "gmw/en+m5"]

_PHONE, _END = 7, (5, 6)


class _Id(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class _Event(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id_of_utterance", ctypes.c_uint), ("text", ctypes.c_int),
                ("length", ctypes.c_int), ("milliseconds", ctypes.c_int), ("sample", ctypes.c_int),
                ("user", ctypes.c_void_p), ("id", _Id)]


class Espeak:
    """One synthesizer; the library holds global state and hangs when it is initialized twice."""

    def __init__(self):
        self._library = ctypes.CDLL("libespeak-ng.so.1")
        retrieve_audio, phone_events_in_ipa = 1, 3
        self._library.espeak_Initialize(retrieve_audio, 0, None, phone_events_in_ipa)
        self._pieces, self._phones = [], []
        shape = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int,
                                 ctypes.POINTER(_Event))
        self._callback = shape(self._receive)
        self._library.espeak_SetSynthCallback(self._callback)

    def _receive(self, samples, count, events):
        if count > 0:
            self._pieces.append(np.ctypeslib.as_array(samples, (count,)).copy())
        index = 0
        while events[index].type != 0:
            if events[index].type == _PHONE:
                name = bytes(events[index].id.string).split(b"\0")[0].decode("utf8", "ignore")
                self._phones.append((events[index].milliseconds / 1000, name))
            index += 1
        return 0

    def say(self, text, voice, rate, pitch, pitch_range):
        """(float samples, segments), or None when the voice is not installed."""
        self._pieces.clear()
        self._phones.clear()
        if self._library.espeak_SetVoiceByName(voice.encode()) != 0:
            return None
        for parameter, value in ((1, rate), (3, pitch), (4, pitch_range)):
            self._library.espeak_SetParameter(parameter, value, 0)
        data = text.encode()
        self._library.espeak_Synth(data, len(data) + 1, 0, 0, 0, 1, None, None)
        self._library.espeak_Synchronize()
        if not self._pieces:
            return None
        samples = np.concatenate(self._pieces).astype(np.float32) / 32768
        segments = []
        for (start, name), after in zip(self._phones, self._phones[1:] + [(len(samples) / RATE, "")]):
            segments.append((start, after[0], visemes.of_ipa(name)))
        return samples, segments


_engine = []


def speak(texts, seed, held_out=False):
    """Yields (voice, samples, rate, segments) for each text, each with a voice, speed and pitch by lot."""
    pick = random.Random(seed)
    if not _engine:
        _engine.append(Espeak())
    engine = _engine[0]
    for text in texts:
        if held_out:
            voice = pick.choice(HELD_OUT)
        else:
            voice = pick.choice(ACCENTS) + pick.choice(VARIANTS)
        made = engine.say(text, voice, pick.randint(130, 220), pick.randint(25, 80), pick.randint(20, 80))
        if made:
            yield "espeak:" + voice.replace("gmw/", ""), made[0], RATE, made[1]


def speak_language(language, texts, seed):
    """The same for another language, every text with three voices."""
    pick = random.Random(seed)
    if not _engine:
        _engine.append(Espeak())
    for text in texts * 3:
        voice = language + pick.choice(VARIANTS)
        made = _engine[0].say(text, voice, pick.randint(130, 220), pick.randint(25, 80), pick.randint(20, 80))
        if made:
            yield "espeak:" + voice, made[0], RATE, made[1]
