"""Makes Sources/RunAnywhereHibari/PhoneModelData.swift: `luna_phones.py OUT.swift`.

Linear scores of the beginning, middle and end of Luna's phones, by which her voice engine places their borders. Five
hundred sentences, whose borders PocketSphinx places; about six minutes of one core. $YOOB_HOME/lipsync keeps its package.
"""

import base64
import os
import struct
import sys

import numpy as np

import align
import phone_borders
import sentences
from make_data import luna

HERE = os.path.dirname(os.path.abspath(__file__))
SENTENCES, SEED = 500, 51


def swift(rows):
    """The Swift file of [(symbol, [(weights, bias)] of its parts)]."""
    data = b""
    for weights, bias in (part for _, parts in rows for part in parts):
        scale = np.float32(np.abs(weights).max() / 32767)
        data += struct.pack("<ff", scale, bias)
        data += np.round(weights / scale).clip(-32767, 32767).astype("<i2").tobytes()
    text = base64.b64encode(data).decode()
    lines = "\\\n".join("    " + text[at:at + 100] for at in range(0, len(text), 100))
    symbols = ", ".join('"%s"' % symbol for symbol, _ in rows)
    wrapped, line = [], "   "
    for part in symbols.split(" "):
        if len(line) + len(part) > 104:
            wrapped.append(line)
            line = "   "
        line += " " + part
    return ("/// Made by `training/luna_phones.py`; do not edit.\n"
            "enum PhoneModelData {\n"
            "  /// Phones in the order of the rows; empty is silence.\n"
            "  static let symbols = [\n%s,\n  ]\n"
            "  /// Scale, bias and weights of the parts of each, as `PhoneModel` reads them.\n"
            "  static let base64 = \"\"\"\n%s\n    \"\"\"\n}\n" % ("\n".join(wrapped + [line]), lines))


def _sphinx():
    """The aligner of real_speech, and its way from a text to words."""
    home = os.environ.get("YOOB_HOME", os.path.expanduser("~/.cache/yoob"))
    folder = os.environ.get("LIPSYNC_DATA", os.path.join(home, "lipsync"))
    sys.path.insert(0, os.path.join(HERE, "real_speech"))
    from fetch import package
    sys.path.insert(0, package(os.path.join(folder, "cache"), "pocketsphinx"))
    import sphinx
    from words import words
    return sphinx.Sphinx(), words


def main():
    aligner, sounds = align.Aligner(), []
    texts = sentences.training_sentences(SENTENCES, SEED)
    for samples, phones in luna(texts, SEED, 0.8, 1.25):
        aligner.add(samples, phones)
        sounds.append(samples)
    aligner.run()
    sphinx, words = _sphinx()
    spoken = []
    for index, (text, samples) in enumerate(zip(texts, sounds)):
        heard = sphinx.align(samples, " ".join(words(text)))
        if heard:
            spoken.append((samples, phone_borders.corrected(aligner.result(index), heard)))
    rows = list(phone_borders.fit(spoken))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(swift(rows))
    print("%s: %d phones from %d sentences" % (sys.argv[1], len(rows), len(spoken)))


if __name__ == "__main__":
    main()
