"""Makes the still pictures of a character and checks what is in them."""

import os
import struct
import unittest
import zlib

from test_commands import FIXTURES, Case, run

SIDE = 128
CAPTION = SIDE // 8
GAP = 4
# What the sheet shows, row by row.
ROWS = [8, 7, 6, 6, 6, 8, 8]


def read_png(path):
    """(width, height, rows of RGBA bytes) of a PNG with 8 bits a channel and no interlacing."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    place, packed, head = 8, b"", None
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        body = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        place += size + 12
    width, height, depth, colour, _, _, interlace = head
    assert (depth, colour, interlace) == (8, 6, 0), head
    raw, step, rows = zlib.decompress(packed), width * 4, []
    above = bytearray(step)
    for y in range(height):
        kind = raw[y * (step + 1)]
        row = bytearray(raw[y * (step + 1) + 1:(y + 1) * (step + 1)])
        if kind == 1:
            for i in range(4, step):
                row[i] = row[i] + row[i - 4] & 255
        elif kind == 2:
            row = bytearray(a + b & 255 for a, b in zip(row, above))
        elif kind == 3:
            for i in range(step):
                row[i] = row[i] + ((row[i - 4] if i >= 4 else 0) + above[i] >> 1) & 255
        elif kind == 4:
            for i in range(step):
                a, b, c = (row[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
                pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                row[i] = row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c) & 255
        rows.append(row)
        above = row
    return width, height, rows


def tile(rows, row, column):
    """The picture at a place of a sheet."""
    x, y = column * (SIDE + GAP) * 4, row * (SIDE + CAPTION)
    return b"".join(bytes(line[x:x + SIDE * 4]) for line in rows[y:y + SIDE])


def caption(rows, row, column):
    """The text below the picture at a place of a sheet."""
    x, y = column * (SIDE + GAP) * 4, row * (SIDE + CAPTION) + SIDE
    return b"".join(bytes(line[x:x + SIDE * 4]) for line in rows[y:y + CAPTION])


class Pictures(Case):
    def test_a_sheet_shows_a_different_picture_in_every_place(self):
        path = self.folder / "sheet.png"
        status, out, err = run("render", "--sheet", path, "--size", SIDE, "--quiet")
        self.assertEqual((status, out, err), (0, "", ""))
        width, height, rows = read_png(path)
        self.assertEqual((width, height),
                         (max(ROWS) * (SIDE + GAP) - GAP, len(ROWS) * (SIDE + CAPTION)))
        places = [(row, column) for row, count in enumerate(ROWS) for column in range(count)]
        self.assertEqual(len({tile(rows, *place) for place in places}), len(places))
        self.assertEqual(len({caption(rows, *place) for place in places}), len(places))
        for place in places:
            self.assertEqual(set(tile(rows, *place)[3::4]), {255})
        # The place that row 1 leaves over is paper.
        self.assertEqual(len(set(tile(rows, 1, 7))), 2)

    def test_two_sheets_of_one_character_are_the_same(self):
        for name in ("a.png", "b.png"):
            self.assertEqual(
                run("render", "--sheet", self.folder / name, "--size", SIDE, "--quiet")[0], 0)
        self.assertEqual((self.folder / "a.png").read_bytes(), (self.folder / "b.png").read_bytes())

    def test_a_strip_shows_the_mouth_move(self):
        path = self.folder / "strip.png"
        status, out, err = run("render", FIXTURES / "question-sky.wav", "--filmstrip", path, "--size",
                               SIDE, "--quiet")
        self.assertEqual((status, out, err), (0, "", ""))
        width, height, rows = read_png(path)
        self.assertEqual(width, 10 * (SIDE + GAP) - GAP)
        self.assertEqual(height % (SIDE + CAPTION), 0)
        count = height // (SIDE + CAPTION)
        self.assertGreaterEqual(count, 2)
        tiles = {tile(rows, row, column) for row in range(count - 1) for column in range(10)}
        self.assertEqual(len(tiles), 10 * (count - 1))

    def test_wrong_pictures_are_refused_with_usage(self):
        speech = FIXTURES / "question-sky.wav"
        for arguments, needle in (
            (["--sheet", "x.jpg"], ".png"),
            (["--sheet", "x.png", speech], "no recording"),
            (["--sheet", "x.png", "--filmstrip", "y.png"], "exclude"),
            (["--sheet", "x.png", "--output", "y.mp4"], "exclude"),
            (["--sheet", "x.png", "--fps", "30"], "exclude"),
            (["--sheet", "x.png", "--transparent"], "exclude"),
            (["--sheet", "x.png", "--emotion", "sad"], "every emotion"),
            (["--sheet", "x.png", "--size", "1080"], "512"),
            (["--sheet", "x.png", "--character", "No Such"], "id"),
            (["--filmstrip", "x.png"], "one WAV"),
            ([speech, speech, "--filmstrip", "x.png"], "one WAV"),
            ([speech, "--filmstrip", "x.mp4"], ".png"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_refused(2, run("render", *arguments), needle, "Usage")

    def test_pictures_that_cannot_be_made_say_why(self):
        missing = self.folder / "nowhere" / "sheet.png"
        self.assert_refused(1, run("render", "--sheet", missing), "does not exist")
        self.assert_refused(
            1, run("render", "--sheet", self.folder / "x.png", "--character", "nobody"), "no character")
        (self.folder / "folder.png").mkdir()
        self.assert_refused(1, run("render", "--sheet", self.folder / "folder.png"), "is a folder")
        self.assert_refused(
            1, run("render", self.folder / "no.wav", "--filmstrip", self.folder / "x.png"), "no.wav")
        self.assert_refused(
            1, run("render", "--sheet", self.folder / "x.png", "--quiet",
                   environment={"PATH": os.devnull}), "ffmpeg")
        self.assertFalse((self.folder / "x.png").exists())

    def test_help_names_the_pictures(self):
        status, out, _ = run("render", "--help")
        self.assertEqual(status, 0)
        for word in ("--sheet", "--filmstrip", "80 ms"):
            self.assertIn(word, out)


if __name__ == "__main__":
    unittest.main()
