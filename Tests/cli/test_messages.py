"""What the program says when something is in the way, and that it cleans up after runs that were killed."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import threading
import time

import test_commands
from test_commands import FIXTURES, YOOB, run


def limit_files(most):
    """A child's limit of the size of files; what Python ignores comes to the child as it is by default."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return limit


class FileSizeLimits(test_commands.Case):
    def limited(self, most, *arguments):
        scratch = self.folder / "tmp"
        scratch.mkdir(exist_ok=True)
        result = subprocess.run([str(YOOB), *map(str, arguments)], capture_output=True, text=True, timeout=180,
                                env={**os.environ, "TMPDIR": str(scratch)}, preexec_fn=limit_files(most))
        self.assertEqual(list(scratch.iterdir()), [])
        return result.returncode, result.stdout, result.stderr

    def test_a_file_that_may_not_grow_is_said_so(self):
        for arguments in (
            ["say", "Hello there.", "--output", self.folder / "o.wav"],
            ["render", FIXTURES / "question-sky.wav", "--frames", self.folder / "frames", "--size", 128],
            ["render", FIXTURES / "question-sky.wav", "--visemes", self.folder / "v.json"],
            ["talk", "--quiet", "--input", FIXTURES / "question-sky.wav", "--events", self.folder / "e.jsonl"],
        ):
            result = self.limited(600, *arguments)
            self.assert_refused(1, result, "too large", "ulimit -f")
            self.assertNotIn("NSCocoa", result[2])

    def test_a_film_that_may_not_grow_is_said_so(self):
        # The sound beside the film fits; the film does not.
        sound = (FIXTURES / "question-sky.wav").stat().st_size * 3 + 4096
        film = self.folder / "o.mov"
        result = self.limited(sound, "render", FIXTURES / "question-sky.wav", "--output", film, "--transparent")
        self.assert_refused(1, result, "too large", "ulimit -f")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["tmp"])


class DataFolders(test_commands.Case):
    def test_a_data_folder_that_cannot_be_made_is_said_so(self):
        (self.folder / "file").touch()
        result = run("serve", "--port", 0, "--data", self.folder / "file/data", timeout=60)
        self.assert_refused(1, result, "file/data cannot be written: its folder is a file", "--data")


class Ports(test_commands.Case):
    def test_a_port_in_use_names_the_command_for_another(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            for arguments, words in (
                (["--demo", "--port", port], "--demo"),
                (["--port=%d" % port, "--data", self.folder / "my data"], f"--data '{self.folder}/my data'"),
            ):
                result = run("serve", *arguments, timeout=60)
                other = port + 1 if port < 65535 else 0
                self.assert_refused(1, result, str(port), f"./run serve {words} --port {other}\n")


class Voices(test_commands.Case):
    def test_a_text_that_the_voice_does_not_know_is_an_error(self):
        output = self.folder / "o.wav"
        for text in ("你好", "こんにちは", "مرحبا"):
            self.assert_refused(1, run("say", text, "--output", output), "cannot speak", text[0], "Latin letters")
            self.assertFalse(output.exists())

    def test_characters_that_the_voice_does_not_know_are_named_in_one_line(self):
        output = self.folder / "o.wav"
        status, out, err = run("say", "--quiet", "Hello 你好, you. And 你 again.", "--output", output)
        self.assertEqual((status, out), (0, ""), err)
        self.assertTrue(output.exists())
        lines = err.splitlines()
        self.assertEqual(len(lines), 1, err)
        self.assertIn("你 好:", lines[0])

    def test_a_text_in_other_letters_is_refused_and_one_with_some_is_warned_of(self):
        output = self.folder / "o.wav"
        for text in ("Привет мир", "Γειά σου Κόσμε"):
            self.assert_refused(1, run("say", text, "--output", output), "reads English", text[0], "Latin letters")
            self.assertFalse(output.exists())
        status, _, err = run("say", "--quiet", "Hello мир, the angle is π.", "--output", output)
        self.assertEqual(status, 0, err)
        self.assertIn("does not know м и р:", err)
        self.assert_refused(1, run("say", "… !? —", "--output", self.folder / "p.wav"), "nothing to say")

    def test_a_text_that_the_voice_knows_needs_no_warning(self):
        status, _, err = run("say", "--quiet", "Señor Müller says “naïve” 😀 – 5 °C.", "--output", self.folder / "o.wav")
        self.assertEqual((status, err), (0, ""))


class Transcripts(test_commands.Case):
    def test_what_the_recognizer_does_not_give_is_null(self):
        status, out, err = run("transcribe", FIXTURES / "question-sky.wav", "--json")
        self.assertEqual(status, 0, err)
        document = json.loads(out)
        self.assertEqual(sorted(document), ["confidence", "duration_ms", "language", "text", "words"])
        self.assertGreater(document["confidence"], 0.5)
        self.assertLessEqual(document["confidence"], 1)
        self.assertIsNone(document["words"])
        _, usage, _ = run("transcribe", "--help")
        self.assertIn("null", usage)


class Written(test_commands.Case):
    def test_what_was_written_is_told_in_one_line(self):
        sound, mouth, film = (self.folder / name for name in ("o.wav", "v.json", "o.mp4"))
        say = ["say", "Hi.", "--output", sound, "--visemes", mouth]
        self.assertEqual(run(*say), (0, "", f"Wrote {sound} and {mouth}\n"))
        self.assertEqual(run(*say, "--quiet"), (0, "", ""))
        render = ["render", FIXTURES / "question-sky.wav", "--size", 128, "--fps", 2]
        self.assertEqual(run(*render, "--output", film), (0, "", f"Wrote {film}\n"))
        self.assertEqual(run(*render, "--frames", self.folder / "f")[2], f"Wrote the frames in {self.folder / 'f'}\n")
        self.assertEqual(run(*render[:2], "--visemes", mouth)[2], f"Wrote {mouth}\n")
        self.assertEqual(run("render", "--sheet", self.folder / "s.png", "--size", 128)[2], f"Wrote {self.folder / 's.png'}\n")

    def test_a_background_that_is_no_picture_says_what_is(self):
        text = self.folder / "notes.md"
        text.write_text("no picture")
        result = run("render", FIXTURES / "question-sky.wav", "--output", self.folder / "o.mp4", "--background", text)
        self.assert_refused(1, result, "it is neither PNG nor JPEG. Use a PNG or JPEG file.")


class Progress(test_commands.Case):
    def test_the_benchmark_of_turns_says_which_round_it_is_in(self):
        process = subprocess.Popen([str(YOOB), "bench", "turn", "--rounds", "2"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        guard = threading.Timer(170, process.kill)
        guard.start()
        try:
            seen = []
            for line in process.stderr:
                seen.append(line)
                if re.match(r"Turns: round 1 of 2, question-\w+\.wav$", line):
                    break
            else:
                self.fail(f"no round was told: {seen}")
            process.terminate()
            self.assertEqual(process.wait(), 128 + signal.SIGTERM)
        finally:
            process.kill()
            process.wait()
            guard.cancel()
            process.stderr.close()


class KilledFilms(test_commands.Case):
    def test_what_a_killed_film_left_goes_with_the_next(self):
        scratch, films = self.folder / "tmp", self.folder / "films"
        scratch.mkdir()
        films.mkdir()
        environment = {"TMPDIR": str(scratch)}
        film = films / "film.mp4"
        inputs = [FIXTURES / f"question-{n}.wav" for n in ("sky", "rain", "story", "france")]
        process = subprocess.Popen([str(YOOB), "render", *map(str, inputs), "--output", str(film)],
                                   env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not list(films.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.kill()
        process.wait()
        self.assertEqual(len(list(films.iterdir())), 1)
        self.assertNotEqual(list(scratch.iterdir()), [])
        status, _, err = run("render", inputs[0], "--output", film, "--size", 128, environment=environment)
        self.assertEqual(status, 0, err)
        self.assertEqual([p.name for p in films.iterdir()], ["film.mp4"])
        self.assertEqual(list(scratch.iterdir()), [])
