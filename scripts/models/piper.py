"""A Piper voice with the properties and the token list that sherpa-onnx reads.

    piper.py SOURCE OUTPUT

SOURCE holds voice.onnx and voice.json; OUTPUT gets model.onnx and tokens.txt.
"""

import json
import os
import sys

import onnx


def convert(source, output):
    with open(os.path.join(source, "voice.json"), encoding="utf-8") as stream:
        voice = json.load(stream)
    model = onnx.load(os.path.join(source, "voice.onnx"))
    present = {entry.key for entry in model.metadata_props}
    properties = {
        "model_type": "vits", "comment": "piper", "language": "English",
        "voice": voice["espeak"]["voice"], "has_espeak": 1,
        "n_speakers": voice.get("num_speakers", 1), "sample_rate": voice["audio"]["sample_rate"],
    }
    for key, value in properties.items():
        if key not in present:
            entry = model.metadata_props.add()
            entry.key, entry.value = key, str(value)
    onnx.save(model, os.path.join(output, "model.onnx"))
    with open(os.path.join(output, "tokens.txt"), "w", encoding="utf-8") as stream:
        for token, ids in voice["phoneme_id_map"].items():
            stream.write(f"{token} {ids[0]}\n")


if __name__ == "__main__":
    convert(*sys.argv[1:3])
