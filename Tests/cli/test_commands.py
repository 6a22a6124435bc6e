"""Runs the built program as a person would and checks exit codes, messages and results.

Usage: scripts/python-tests Tests/cli   (needs the release build and the prepared models)
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import wave
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
YOOB = Path(os.environ.get("YOOB_BINARY", ROOT / ".build/release/yoob"))
FIXTURES = ROOT / "Tests/Fixtures"
HOME = Path(os.environ.get("YOOB_HOME") or Path.home() / ".cache/yoob")


def run(*arguments, environment=None, stdin=None, timeout=180):
    result = subprocess.run(
        [str(YOOB), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        input=stdin,
        env={**os.environ, **(environment or {})},
    )
    return result.returncode, result.stdout, result.stderr


def words(text):
    return "".join(c.lower() if c.isalnum() or c == "'" else " " for c in text).split()


def word_errors(expected, found):
    """Edit distance between two texts in words, as a share of the expected ones."""
    a, b = words(expected), words(found)
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (x != y))
    return row[-1] / max(1, len(a))


# Mounts a file system of 64 KB, which only this process sees, and runs a command on it.
ON_A_SMALL_DISK = """
set -e
mount -t tmpfs -o size=64k tmpfs "$1"
head -c 65536 /dev/zero > "$1/ballast" 2> /dev/null || true
shift
exec "$@"
"""


def full_disk_runner():
    """The command that runs another where a folder is a full disk, or None where mounting is not allowed."""
    with tempfile.TemporaryDirectory() as folder:
        for unshare in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
            probe = [*unshare, "sh", "-c", ON_A_SMALL_DISK, "sh", folder, sys.executable, "-c",
                     "import sys, pathlib\n"
                     "try: pathlib.Path(sys.argv[1], 'a').write_bytes(bytes(9000))\n"
                     "except OSError as e: sys.exit(e.errno != 28)\n"
                     "sys.exit(1)", folder]
            try:
                if subprocess.run(probe, capture_output=True, timeout=20).returncode == 0:
                    return unshare
            except (OSError, subprocess.TimeoutExpired):
                continue
    return None


def dev_full_is_full():
    """/dev/full of some sandboxes swallows what is written to it."""
    try:
        with open("/dev/full", "wb", buffering=0) as full:
            full.write(b"x")
    except OSError as error:
        return error.errno == 28
    return False


def ask(client, port, text, moment):
    """Sends a voice server a typed message; returns what came until `moment` was in it."""
    client.sendall((f"GET /v1/realtime HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
    content = [{"type": "input_text", "text": text}]
    for event in ({"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": content}},
                  {"type": "response.create"}):
        data = json.dumps(event).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        client.sendall(b"\x81" + size + bytes(4) + data)
    seen = b""
    while moment not in seen:
        piece = client.recv(65536)
        if not piece:
            raise AssertionError(f"the server went away: {seen[-500:]}")
        seen = (seen + piece)[-200_000:]
    return seen


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="yoob-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def assert_refused(self, code, result, *needles):
        status, out, err = result
        self.assertEqual(status, code, f"{out}\n{err}")
        self.assertEqual(out, "")
        for needle in needles:
            self.assertIn(needle, err)
        if code == 1:
            lines = [line for line in err.splitlines() if line.startswith("yoob ")]
            self.assertEqual(len(lines), 1, err)
        self.assertNotIn("Fatal error", err)


class CommandLines(Case):
    def test_help_is_printed_and_is_no_error(self):
        for arguments in (["--help"], ["help"], ["talk", "--help"], ["help", "render"]):
            status, out, err = run(*arguments)
            self.assertEqual(status, 0, arguments)
            self.assertIn("yoob", out)
            self.assertEqual(err, "")

    def test_wrong_command_lines_exit_with_2_and_usage(self):
        for arguments in (
            [], ["nonsense"], ["talk", "extra"], ["talk", "--input", "x.wav", "--microphone", "y"],
            ["devices", "extra"], ["say"], ["say", "hello"], ["render"], ["render", "x.wav"],
            ["transcribe"], ["transcribe", "a.wav", "b.wav"], ["talk", "--input"], ["bench", "nothing"],
            ["bench", "lipsync", "--part", "best"], ["bench", "endpointing", "--part", "best"],
            ["bench", "interruption", "--part", "train"], ["bench", "interruption", "--count", "-1"],
            ["bench", "interruption", "--real-time", "many"], ["bench", "interruption", "--minutes", "2000"],
            ["bench", "reopening", "--part", "voices"], ["bench", "reopening", "dev"],
            ["bench", "soak", "--minutes", "0"], ["bench", "soak", "--fast=yes"],
            ["render", "x.wav", "--output", "x.gif"], ["say", "x", "--output", "x.wav", "--speed", "9"],
            ["render", "x.wav", "--output", "x.mp4", "--size", "5"], ["models", "frobnicate"],
            ["render", "x.wav", "--output", "x.mp4", "--emotion", "bored"], ["serve", "--port", "99999"],
            ["serve", "--demo", "--host", "0.0.0.0"], ["serve", "--demo", "--data", "x"],
            ["serve", "--demo", "--origin", "*"], ["serve", "--port", "1", "--port", "2"],
        ):
            status, out, err = run(*arguments)
            self.assertEqual(status, 2, (arguments, out, err))
            self.assertEqual(out, "")
            self.assertIn("yoob", err)

    def test_doctor_says_what_this_machine_has(self):
        status, out, err = run("doctor", "--json")
        self.assertEqual(status, 0, err)
        subjects = json.dumps(json.loads(out))
        for subject in ("Swift", "hibari-heart", "silero-vad"):
            self.assertIn(subject, subjects)

    def test_models_are_listed_and_verified(self):
        status, out, _ = run("models", "list", "--json")
        self.assertEqual(status, 0)
        listed = json.dumps(json.loads(out))
        for name in ("silero-vad", "sherpa-onnx-whisper-tiny.en", "smollm2-135m-instruct-q4_1", "hibari-heart"):
            self.assertIn(name, listed)
        status, _, err = run("models", "verify")
        self.assertEqual(status, 0, err)


class BadInput(Case):
    def test_files_that_are_no_sound_are_refused_by_name(self):
        (self.folder / "folder.wav").mkdir()
        cases = [FIXTURES / "empty.wav", FIXTURES / "cut-header.wav", FIXTURES / "not-sound.wav",
                 self.folder / "missing.wav", self.folder / "folder.wav"]
        for path in cases:
            self.assert_refused(1, run("transcribe", path), path.name)
            self.assert_refused(1, run("talk", "--input", path, "--output", self.folder / "o.wav"), path.name)
            self.assert_refused(1, run("render", path, "--output", self.folder / "o.mp4"), path.name)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["folder.wav"])

    def test_the_endpointing_benchmark_says_how_its_recordings_are_made_when_they_are_missing_or_damaged(self):
        bench = ["bench", "endpointing", "--data", self.folder]
        self.assert_refused(1, run(*bench), "dev.jsonl", "scripts/make-turn-corpus")
        for damaged in ("", "{}\n", "no list"):
            (self.folder / "dev.jsonl").write_text(damaged)
            self.assert_refused(1, run(*bench), "dev.jsonl", "scripts/make-turn-corpus")

    def test_the_benchmarks_of_talk_say_how_their_recordings_are_made_when_they_are_missing_or_damaged(self):
        for bench, name in (("interruption", "interruptions"), ("reopening", "pauses"), ("soak", "questions")):
            list_of = self.folder / f"dev-{name}.jsonl"
            command = ["bench", bench, "--data", self.folder]
            self.assert_refused(1, run(*command), list_of.name, "scripts/make-talk-corpus")
            for damaged in ("", "{}\n", "no list"):
                list_of.write_text(damaged)
                self.assert_refused(1, run(*command), list_of.name, "scripts/make-talk-corpus")

    def test_the_lip_sync_benchmark_says_how_its_recordings_are_made_when_they_are_missing_or_damaged(self):
        bench = ["bench", "lipsync", "--data", self.folder]
        self.assert_refused(1, run(*bench), "dev.jsonl", "training/real_speech/prepare")
        line = {"id": "a", "part": "dev", "speaker": "s", "sex": "f", "wav": "a.wav", "seconds": 2, "phones": [[0, 1, "AA"]]}
        impossible = [json.dumps({**line, **change}) for change in (
            {"seconds": -1}, {"seconds": 1e300}, {"phones": [[0, 1e18, "AA"]]}, {"phones": []})]
        for damaged in ("", "{}\n", "no list", *impossible):
            (self.folder / "dev.jsonl").write_text(damaged)
            self.assert_refused(1, run(*bench), "dev.jsonl", "training/real_speech/prepare")

    def test_a_wav_without_samples_is_refused(self):
        path = self.folder / "nothing.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 16000, 0, "NONE", ""))
        self.assert_refused(1, run("transcribe", path), "nothing.wav")

    def test_a_recording_without_speech_is_said_so(self):
        self.assert_refused(1, run("transcribe", FIXTURES / "noise.wav"), "No speech")
        result = run("talk", "--quiet", "--input", FIXTURES / "noise.wav", "--output", self.folder / "o.wav")
        self.assert_refused(1, result, "No speech")
        self.assertFalse((self.folder / "o.wav").exists())

    def test_a_full_disk_is_said_so(self):
        disk = self.folder / "disk"
        disk.mkdir()
        unshare = full_disk_runner()
        if unshare is None:
            self.skipTest("nothing can be mounted here, so no disk can be filled")

        def run_there(*arguments):
            command = [*unshare, "sh", "-c", ON_A_SMALL_DISK, "sh", disk, YOOB, *arguments]
            result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=180)
            return result.returncode, result.stdout, result.stderr

        sound, events = disk / "full.wav", disk / "full.jsonl"
        self.assert_refused(1, run_there("say", "Hello there.", "--output", sound), "full.wav", "disk is full")
        talk = ("talk", "--quiet", "--input", FIXTURES / "question-france.wav", "--events", events)
        self.assert_refused(1, run_there(*talk), "full.jsonl", "disk is full")

    def test_a_device_named_as_output_stays_a_device(self):
        if not dev_full_is_full():
            self.skipTest("/dev/full takes what is written to it here")
        full = self.folder / "full.wav"
        full.symlink_to("/dev/full")
        self.assert_refused(1, run("say", "Hello there.", "--output", full), "full.wav", "disk is full")
        self.assertTrue(full.is_symlink())
        self.assertTrue(Path("/dev/full").is_char_device())

    def test_a_missing_or_damaged_model_file_is_named(self):
        home = self.folder / "home"
        shutil.copytree(HOME / "models", home / "models", symlinks=False)
        os.symlink(HOME / "runtime", home / "runtime")
        environment = {"YOOB_HOME": str(home)}
        damaged = home / "models/silero-vad/silero_vad.onnx"
        data = bytearray(damaged.read_bytes())
        data[len(data) // 2] ^= 0xFF
        damaged.write_bytes(data)
        result = run("transcribe", FIXTURES / "question-sky.wav", environment=environment)
        self.assert_refused(1, result, "silero_vad.onnx")
        damaged.unlink()
        result = run("transcribe", FIXTURES / "question-sky.wav", environment=environment)
        self.assert_refused(1, result, "silero_vad.onnx")
        status, _, err = run("models", "verify", environment=environment)
        self.assertEqual(status, 1)
        self.assertIn("silero_vad.onnx", err)

    def test_a_port_in_use_is_said_so(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            result = run("serve", "--demo", "--port", port, timeout=60)
        self.assert_refused(1, result, str(port))

    def test_a_damaged_character_is_refused(self):
        pack = self.folder / "pack"
        shutil.copytree(ROOT / "characters/luna-anime/pack", pack)
        data = bytearray((pack / "puppet.bin").read_bytes())
        data[200] ^= 0xFF
        (pack / "puppet.bin").write_bytes(data)
        result = run("render", FIXTURES / "question-sky.wav", "--pack", pack, "--output", self.folder / "o.mp4")
        self.assert_refused(1, result, "puppet.bin")
        self.assertFalse((self.folder / "o.mp4").exists())


    def test_an_input_is_never_written_over(self):
        sound = self.folder / "in.wav"
        shutil.copy(FIXTURES / "question-sky.wav", sound)
        before = sound.read_bytes()
        film = self.folder / "film.mp4"
        for arguments in (
            ["talk", "--input", sound, "--output", sound], ["talk", "--input", sound, "--events", sound],
            ["render", sound, "--visemes", sound], ["render", sound, "--output", film, "--subtitles", sound],
            ["render", sound, "--output", film, "--visemes", film], ["say", "hi", "--output", film, "--subtitles", film],
        ):
            self.assert_refused(2, run(*arguments), "named twice")
        self.assertEqual(sound.read_bytes(), before)
        self.assertFalse(film.exists())

    def test_a_full_standard_output_is_an_error(self):
        disk = self.folder / "disk"
        disk.mkdir()
        unshare = full_disk_runner()
        if unshare is None:
            self.skipTest("nothing can be mounted here, so no disk can be filled")
        script = ON_A_SMALL_DISK.replace('exec "$@"', 'exec "$@" > "$disk/list.txt"').replace("shift", 'disk="$1"\nshift')
        command = [*unshare, "sh", "-c", script, "sh", disk, YOOB, "models", "list"]
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be written", result.stderr)

    def test_a_film_that_is_interrupted_leaves_nothing_behind(self):
        scratch = self.folder / "tmp"
        scratch.mkdir()
        film = self.folder / "film.mp4"
        inputs = [FIXTURES / f"question-{n}.wav" for n in ("sky", "rain", "story", "france")]
        process = subprocess.Popen([str(YOOB), "render", *map(str, inputs), "--output", str(film)],
                                   env={**os.environ, "TMPDIR": str(scratch)}, stderr=subprocess.PIPE)
        for close in (process.stderr.close, process.wait, process.kill):
            self.addCleanup(close)
        deadline = time.monotonic() + 60
        while not list(self.folder.glob(".film.mp4*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), 128 + signal.SIGTERM)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["tmp"])
        self.assertEqual(list(scratch.iterdir()), [])


class Serving(Case):
    def serve(self):
        """A server that has begun to load, and its port."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen([str(YOOB), "serve", "--demo", "--port", str(port)], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for close in (process.stdout.close, process.wait, process.kill):
            self.addCleanup(close)
        return process, port

    def test_a_server_that_loads_stops_when_it_is_asked_to(self):
        process, port = self.serve()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=20), 0)

    def test_a_server_that_thinks_or_speaks_stops_when_it_is_asked_to(self):
        for moment in (b"response.created", b"response.output_audio.delta"):
            process, port = self.serve()
            self.assertIn("ready", process.stdout.readline())
            with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
                seen = ask(client, port, "Tell me a long story about a dragon and a king.", moment)
                process.send_signal(signal.SIGTERM)
                self.assertEqual(process.wait(timeout=20), 0)
                rest = seen
                while piece := client.recv(65536):
                    rest += piece
                self.assertIn((1001).to_bytes(2, "big") + b"The server is stopping.", rest)


class Work(Case):
    def probe(self, path):
        command = ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "json", path]
        return json.loads(subprocess.check_output(list(map(str, command))))

    def test_questions_are_transcribed(self):
        expected, found = [], []
        for line in (FIXTURES / "texts.tsv").read_text().splitlines():
            name, text = line.split("\t")
            status, out, err = run("transcribe", FIXTURES / name, "--json")
            self.assertEqual(status, 0, err)
            expected.append(text)
            found.append(json.loads(out)["text"])
        self.assertLessEqual(word_errors(" ".join(expected), " ".join(found)), 0.1, found)

    def test_what_is_said_can_be_transcribed_again(self):
        text = "Doctor Smith paid three dollars and fourteen cents for a cup of tea on Monday."
        path = self.folder / "said.wav"
        status, _, err = run("say", "-", "--output", path, stdin=text)
        self.assertEqual(status, 0, err)
        _, out, _ = run("transcribe", path)
        self.assertLessEqual(word_errors("Dr. Smith paid $3.14 for a cup of tea on Monday.", out), 0.45, out)

    def test_the_times_of_what_is_said_are_written(self):
        sound, mouth = self.folder / "said.wav", self.folder / "mouth.json"
        status, _, err = run("say", "Peter met Bob.", "--output", sound, "--visemes", mouth)
        self.assertEqual(status, 0, err)
        told = json.loads(mouth.read_text())
        self.assertEqual([word["text"] for word in told["words"]], ["Peter", "met", "Bob."])
        with wave.open(str(sound)) as said:
            seconds = said.getnframes() / said.getframerate()
        self.assertEqual(len(told["frames"]), -(-round(seconds * 10000) // 100))
        self.assertEqual(told["phones"][0]["start"], 0)
        self.assertAlmostEqual(told["phones"][-1]["end"], seconds, delta=0.001)
        for phone in told["phones"]:
            if phone["text"] in ("p", "m", "b"):
                middle = told["frames"][round((phone["start"] + phone["end"]) * 50)]
                self.assertEqual(max(range(15), key=middle.__getitem__), told["visemes"].index("PP"), phone)
        self.assertEqual(len([p for p in told["phones"] if p["text"] in ("p", "m", "b")]), 4)
        melody = told["prosody"]
        self.assertEqual(melody["rate"], 50)
        self.assertEqual({len(melody["pitch"]), len(melody["marks"])}, {-(-round(seconds * 10000) // 200)})
        self.assertTrue(all(hertz == 0 or 40 < hertz < 500 for hertz in melody["pitch"]), melody["pitch"])
        self.assertEqual(set(melody["marks"]), {0, 1})

    def test_a_film_of_a_recording_has_picture_sound_chapters_and_subtitles(self):
        film, subtitles, mouth = (self.folder / n for n in ("film.mp4", "film.srt", "mouth.json"))
        inputs = [FIXTURES / "question-sky.wav", FIXTURES / "question-france.wav"]
        status, out, err = run("render", *inputs, "--output", film, "--size", 256, "--subtitles", subtitles,
                               "--visemes", mouth)
        self.assertEqual((status, out), (0, ""), err)
        probe = self.probe(film)
        kinds = {stream["codec_type"]: stream for stream in probe["streams"]}
        self.assertEqual((kinds["video"]["width"], kinds["video"]["height"]), (256, 454))
        self.assertIn("audio", kinds)
        seconds = sum(wave.open(str(p)).getnframes() / 16000 for p in inputs)
        self.assertAlmostEqual(float(probe["format"]["duration"]), seconds + 1.0, delta=0.2)
        self.assertEqual(len(probe["chapters"]), 2)
        self.assertIn("-->", subtitles.read_text())
        document = json.loads(mouth.read_text())
        self.assertEqual(document["rate"], 100)
        self.assertEqual(document["visemes"],
                         "sil PP FF TH DD kk CH SS nn RR aa E ih oh ou".split())
        self.assertAlmostEqual(len(document["frames"]) / 100, seconds + 0.6, delta=0.05)
        for frame in document["frames"]:
            self.assertAlmostEqual(sum(frame), 1, delta=0.002)
        self.assertEqual(len(document["morphs"]["jawOpen"]), len(document["frames"]))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["film.mp4", "film.srt", "mouth.json"])

    def test_frames_can_be_transparent(self):
        frames = self.folder / "frames"
        status, _, err = run("render", FIXTURES / "question-sky.wav", "--frames", frames, "--size", 128, "--fps", 2,
                             "--transparent")
        self.assertEqual(status, 0, err)
        files = sorted(frames.iterdir())
        self.assertEqual(files[0].name, "frame-000000.png")
        kind = subprocess.check_output(
            ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0", str(files[0])], text=True)
        self.assertEqual(kind.strip(), "rgba")


if __name__ == "__main__":
    unittest.main(verbosity=1)
