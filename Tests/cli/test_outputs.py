"""Where results go: nothing is lost when a film fails, nothing old is mixed with the new, nothing hangs."""

import hashlib
import json
import os
import shutil
import signal
import stat
import struct
import subprocess
import time
import unittest
import wave

import test_commands
from test_commands import FIXTURES, ROOT, YOOB, run

SKY = FIXTURES / "question-sky.wav"


class Frames(test_commands.Case):
    def render(self, speech, frames, *more):
        return run("render", speech, "--frames", frames, "--size", 128, *more)

    def test_frames_of_a_longer_film_do_not_stay_and_nothing_else_goes(self):
        frames = self.folder / "frames"
        self.assertEqual(self.render(SKY, frames, "--fps", 4)[0], 0)
        long = len(list(frames.iterdir()))
        others = ["frame-000001.jpg", "frame-1.png", "frame-x.png", "frame-0000005.png", "notes.txt"]
        for name in others:
            (frames / name).touch()
        (frames / "frame-000900.png").mkdir()
        self.assertEqual(self.render(SKY, frames, "--fps", 1)[0], 0)
        names = sorted(path.name for path in frames.iterdir())
        pictures = [name for name in names if name not in others + ["frame-000900.png"]]
        self.assertEqual(pictures, ["frame-%06d.png" % i for i in range(len(pictures))])
        self.assertLess(len(pictures), long)
        self.assertEqual(len(names), len(pictures) + len(others) + 1)

    def test_a_folder_that_is_a_file_is_said_so(self):
        path = self.folder / "file"
        path.touch()
        self.assert_refused(1, self.render(SKY, path), "file is a file", "Name a folder")

    def test_what_a_killed_run_left_goes_with_the_next(self):
        frames = self.folder / "frames"
        frames.mkdir()
        child = subprocess.Popen(["true"])
        child.wait()
        left = frames / (".frame.png.%d.part.png" % child.pid)
        left.touch()
        process = subprocess.Popen([str(YOOB), "render", str(SKY), "--frames", str(frames)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not list(frames.glob("frame-*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
        process.wait()
        names = {path.name for path in frames.iterdir() if path.name.startswith(".")}
        self.assertLessEqual(names, {".frame.png.%d.part.png" % process.pid})
        status, _, err = self.render(SKY, frames, "--fps", 1)
        self.assertEqual(status, 0, err)
        self.assertEqual([path.name for path in frames.iterdir() if path.name.startswith(".")], [])


class Subtitles(test_commands.Case):
    def silence(self, seconds=1, rate=16000, width=2):
        path = self.folder / "silence.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, width, rate, 0, "NONE", ""))
            file.writeframes((b"\x80" if width == 1 else b"\0\0") * (seconds * rate))
        return path

    def test_a_film_without_speech_has_no_captions_and_says_so(self):
        film = self.folder / "film.mp4"
        status, _, err = run("render", self.silence(), "--output", film, "--burn-in", "--size", 128, "--fps", 5)
        self.assertEqual(status, 0, err)
        self.assertIn("No speech was found", err)
        self.assertTrue(film.exists())

    def test_captions_are_drawn_whatever_the_temporary_folder_is_called(self):
        scratch = self.folder / "it's, a:b [x]"
        scratch.mkdir()
        film, plain = self.folder / "film.mp4", self.folder / "plain.mp4"
        options = ["--size", 256, "--fps", 5]
        environment = {"TMPDIR": str(scratch)}
        status, _, err = run("render", SKY, "--output", film, "--burn-in", *options, environment=environment)
        self.assertEqual(status, 0, err)
        self.assertEqual(run("render", SKY, "--output", plain, *options, environment=environment)[0], 0)
        self.assertGreater(film.stat().st_size, plain.stat().st_size)
        sheet = run("render", "--sheet", self.folder / "sheet.png", "--size", 128, environment=environment)
        self.assertEqual(sheet[0], 0, sheet[2])
        self.assertEqual(list(scratch.iterdir()), [])

    def test_old_subtitles_stay_when_the_film_fails(self):
        pack, old = self.folder / "pack", self.folder / "film.srt"
        shutil.copytree(ROOT / "characters/luna-anime/pack", pack)
        (pack / "puppet.bin").write_bytes(b"damaged")
        old.write_text("old")
        result = run("render", SKY, "--pack", pack, "--output", self.folder / "film.mp4", "--subtitles", old)
        self.assert_refused(1, result, "puppet.bin")
        self.assertEqual(old.read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["film.srt", "pack"])


class LongRecordings(test_commands.Case):
    def long(self, hours):
        """Hours of 8-bit samples of one value, which are a hole in the file."""
        path = self.folder / ("%d.wav" % hours)
        rate = 8000
        size = hours * 3600 * rate
        form = struct.pack("<HHIIHH", 1, 1, rate, rate, 1, 8)
        with open(path, "wb") as file:
            file.write(b"RIFF" + struct.pack("<I", size + 36) + b"WAVEfmt " + struct.pack("<I", 16) + form)
            file.write(b"data" + struct.pack("<I", size))
            file.truncate(44 + size)
        return path

    def test_more_than_memory_holds_is_refused_with_what_to_do(self):
        three, five = self.long(3), self.long(5)
        for path, arguments in (
            (five, ["transcribe", five]), (five, ["talk", "--input", five]),
            (three, ["render", three, "--output", self.folder / "o.mp4"]),
            (three, ["render", three, "--frames", self.folder / "frames"]),
        ):
            self.assert_refused(1, run(*arguments), path.name, "hours", "Cut the sound into parts")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["3.wav", "5.wav"])

    def test_a_strip_reads_no_more_than_it_shows(self):
        # Twelve hours would take more than a gigabyte.
        strip = self.folder / "strip.png"
        command = ["sh", "-c", 'ulimit -v "$1"; shift; exec "$@"', "sh", "1500000", str(YOOB), "render",
                   str(self.long(12)), "--filmstrip", str(strip), "--size", "128"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=180)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("first 9.6 s", result.stderr)
        self.assertTrue(strip.exists())

    def test_a_strip_is_the_same_however_long_the_recording_goes_on(self):
        with wave.open(str(SKY)) as file:
            sound = file.readframes(file.getnframes())
        strips = []
        for count in (16, 32):
            path = self.folder / "speech.wav"
            with wave.open(str(path), "wb") as file:
                file.setparams((1, 2, 16000, 0, "NONE", ""))
                file.writeframes((sound * count)[:2 * 16000 * count])
            status, _, err = run("render", path, "--filmstrip", self.folder / "strip.png", "--size", 128)
            self.assertEqual(status, 0, err)
            strips.append((self.folder / "strip.png").read_bytes())
        self.assertEqual(strips[0], strips[1])


class Messages(test_commands.Case):
    def pack(self, change):
        pack = self.folder / "pack"
        shutil.copytree(ROOT / "characters/luna-anime/pack", pack)
        manifest = json.loads((pack / "character.json").read_text())
        change(pack, manifest)
        (pack / "character.json").write_text(json.dumps(manifest))
        return pack

    def test_an_atlas_of_another_size_is_explained(self):
        def change(pack, manifest):
            subprocess.check_call(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1",
                                   "-y", str(pack / "atlas.png")])
            data = (pack / "atlas.png").read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            for file in manifest["files"]:
                if file["path"] == "atlas.png":
                    file.update(size=len(data), sha256=digest, chunks=[{"sha256": digest, "size": len(data)}])

        pack = self.pack(change)
        for option in ("--output", "--filmstrip"):
            name = self.folder / ("o.mp4" if option == "--output" else "o.png")
            result = run("render", SKY, "--pack", pack, option, name)
            self.assert_refused(1, result, "This atlas has 64 x 64 pixels", "same pack")

    def test_a_character_of_a_later_version_says_update(self):
        for key, value in (("schema", 2), ("engine", "hologram")):
            pack = self.pack(lambda _, manifest: manifest.update({key: value}))
            result = run("render", SKY, "--pack", pack, "--output", self.folder / "o.mp4")
            self.assert_refused(1, result, key, "Update yoob")
            shutil.rmtree(pack)

    def test_missing_and_empty_names_are_said_so(self):
        film = self.folder / "o.mp4"
        result = run("render", SKY, "--output", film, "--background", self.folder / "none.png")
        self.assert_refused(1, result, "none.png does not exist")
        self.assert_refused(2, run("render", "", "--output", film), "name is empty")

    def test_a_name_cannot_steer_the_terminal(self):
        result = run("transcribe", self.folder / "a\x1b[31mb\x07\x9b1m\u202ec.wav")
        self.assert_refused(1, result, "does not exist")
        for character in "\x1b\x07\x9b\u202e":
            self.assertNotIn(character, result[2])
        self.assertIn("\ufffd[31mb", result[2])

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_recording_that_may_not_be_read_is_said_so(self):
        path = self.folder / "secret.wav"
        shutil.copy(SKY, path)
        path.chmod(0)
        self.assert_refused(1, run("transcribe", path), "secret.wav cannot be read: you have no permission")


class Pipes(test_commands.Case):
    def test_pipes_that_nobody_serves_are_refused_and_do_not_hang(self):
        pipe = self.folder / "pipe"
        for name in ("pipe", "pipe.mp4", "pipe.wav", "pipe.png"):
            os.mkfifo(self.folder / name)
        for arguments in (
            ["render", SKY, "--output", self.folder / "o.mp4", "--background", pipe],
            ["render", SKY, "--output", self.folder / "pipe.mp4"],
            ["render", SKY, "--visemes", pipe], ["say", "Hi.", "--output", self.folder / "pipe.wav"],
            ["render", "--sheet", self.folder / "pipe.png", "--size", 128],
        ):
            self.assert_refused(1, run(*arguments, timeout=60), "pipe")
        self.assertTrue(all(stat.S_ISFIFO(path.stat().st_mode) for path in self.folder.iterdir()))

    def test_a_pipe_that_is_read_is_written(self):
        result = run("render", SKY, "--visemes", "/dev/stdout")
        self.assertEqual(result[0], 0, result[2])
        self.assertEqual(json.loads(result[1])["rate"], 100)


def hear_hangups():
    """Whoever runs the tests may ignore SIGHUP, as nohup does, and children inherit that."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def ignore_hangups():
    """What nohup does."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


class Endings(test_commands.Case):
    def end(self, process):
        process.kill()
        process.wait()

    def start(self, scratch, film, *options, before=hear_hangups):
        command = [str(YOOB), "render", str(SKY), "--output", str(film), *options]
        process = subprocess.Popen(command, preexec_fn=before,
                                   env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        deadline = time.monotonic() + 60
        while not list(film.parent.glob(".film.mp4*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        return process

    def test_a_terminal_that_closes_leaves_nothing_and_the_temporary_folder_is_private(self):
        scratch, film = self.folder / "tmp", self.folder / "film.mp4"
        scratch.mkdir()
        process = self.start(scratch, film)
        folders = [path for path in scratch.iterdir() if path.is_dir()]
        self.assertEqual([stat.S_IMODE(path.stat().st_mode) for path in folders], [0o700])
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=20), 128 + signal.SIGHUP)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tmp"])
        self.assertEqual(list(scratch.iterdir()), [])

    def test_nohup_is_obeyed(self):
        scratch, film = self.folder / "tmp", self.folder / "film.mp4"
        scratch.mkdir()
        process = self.start(scratch, film, "--size", "256", before=ignore_hangups)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=180), 0)
        self.assertTrue(film.exists())

    def test_a_server_ends_when_its_terminal_closes(self):
        process = self.serve(hear_hangups)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=60), 0)

    def test_a_server_under_nohup_goes_on(self):
        process = self.serve(ignore_hangups)
        process.send_signal(signal.SIGHUP)
        self.assertRegex(process.stdout.readline(), "^Luna is ready: http://127.0.0.1:")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 0)

    def serve(self, before):
        """A server that loads its models."""
        process = subprocess.Popen([str(YOOB), "serve", "--demo", "--port", "0"], preexec_fn=before, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for close in (process.stdout.close, process.stderr.close):
            self.addCleanup(close)
        self.addCleanup(self.end, process)
        self.assertTrue(process.stderr.readline())
        return process
