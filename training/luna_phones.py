"""Makes Sources/RunAnywhereHibari/PhoneModelData.swift: `luna_phones.py OUT.swift`.

Linear scores of Luna's phones (Gaussians with one covariance for all), by which her voice engine places the
borders of its phones. A thousand sentences, about three minutes of one core.
"""

import base64
import struct
import sys

import numpy as np

import align
import sentences
from make_data import luna

SENTENCES, SEED = 1000, 51


def swift(rows):
    """The Swift file of [(symbol, weights, bias)]."""
    data = b""
    for _, weights, bias in rows:
        scale = np.float32(np.abs(weights).max() / 32767)
        data += struct.pack("<ff", scale, bias)
        data += np.round(weights / scale).clip(-32767, 32767).astype("<i2").tobytes()
    text = base64.b64encode(data).decode()
    lines = "\\\n".join("    " + text[at:at + 100] for at in range(0, len(text), 100))
    symbols = ", ".join('"%s"' % symbol for symbol, _, _ in rows)
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
            "  /// Scale, bias and weights of each row, as `PhoneModel` reads them.\n"
            "  static let base64 = \"\"\"\n%s\n    \"\"\"\n}\n" % ("\n".join(wrapped + [line]), lines))


def main():
    aligner = align.Aligner()
    for samples, phones in luna(sentences.training_sentences(SENTENCES, SEED), SEED, 0.8, 1.25):
        aligner.add(samples, phones)
    aligner.run()
    rows = [row for row in aligner.linear() if row[0] != " "]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(swift(rows))
    print("%s: %d phones" % (sys.argv[1], len(rows)))


if __name__ == "__main__":
    main()
