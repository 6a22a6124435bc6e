"""Devices and conversations over the virtual sound devices of a sound server that each case starts and stops."""

import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import wave
from pathlib import Path

from terminal import Terminal
from test_commands import FIXTURES, YOOB, run
from test_language_models import Answers

PROGRAMS = ("pulseaudio", "pactl", "paplay", "parec")
SCRIPT = r"""
load-module module-native-protocol-unix auth-anonymous=1 socket={folder}/native
load-module module-null-sink sink_name=speaker rate=48000 channels=1 sink_properties=device.description="Test\ loudspeaker"
load-module module-null-sink sink_name=mouth rate=48000 channels=1 sink_properties=device.description=Mouth
load-module module-remap-source master=mouth.monitor source_name=mic source_properties=device.description="Test\ microphone"
set-default-sink speaker
set-default-source mic
"""


def eventually(is_met, patience=300):
    """Waits until `is_met()`; returns what it gave last."""
    deadline = time.monotonic() + patience
    while True:
        result = is_met()
        if result or time.monotonic() > deadline:
            return result
        time.sleep(0.1)


class VirtualSound:
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="yoob-sound-"))
        self.environment = {
            "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder),
            "PULSE_RUNTIME_PATH": str(self.folder), "PULSE_SERVER": f"unix:{self.folder}/native",
            "YOOB_HOME": os.environ.get("YOOB_HOME") or str(Path.home() / ".cache/yoob"),
        }
        script = self.folder / "pulse.pa"
        script.write_text(SCRIPT.format(folder=self.folder))
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "-F", script, "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
             "--disable-shm=yes", "--realtime=no", f"--log-target=file:{self.folder}/log"],
            env={**os.environ, **self.environment}, stderr=subprocess.DEVNULL)
        if not eventually(lambda: self.call("pactl", "info").returncode == 0, 60):
            self.stop()
            raise RuntimeError("the sound server did not start")

    def call(self, *arguments):
        return subprocess.run(
            arguments, env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=300)

    def start(self, *arguments, **options):
        return subprocess.Popen(arguments, env={**os.environ, **self.environment}, **options)

    def stop(self):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class NoSound(unittest.TestCase):
    def test_says_what_to_do_without_a_sound_server(self):
        nowhere = {"PULSE_SERVER": "unix:/nonexistent/native"}
        for command in (["devices"], ["talk"]):
            status, out, err = run(*command, environment=nowhere)
            self.assertEqual((status, out, err.count("\n")), (1, "", 1), command)
            self.assertIn("pulseaudio --start", err)


@unittest.skipIf(
    any(shutil.which(program) is None for program in PROGRAMS),
    "pulseaudio or pulseaudio-utils is not installed; ./test installs them")
class Devices(unittest.TestCase):
    def setUp(self):
        self.sound = VirtualSound()
        self.addCleanup(self.sound.stop)

    @staticmethod
    def events(path, kind):
        """The whole lines of that type so far."""
        if not path.exists():
            return []
        whole = path.read_text().rpartition("\n")[0]
        return [line for line in map(json.loads, whole.splitlines()) if line["type"] == kind]

    @staticmethod
    def loud(path):
        """First and last second of a recording that are loud, and its length in seconds."""
        with wave.open(str(path)) as sound:
            rate = sound.getframerate()
            samples = memoryview(sound.readframes(sound.getnframes())).cast("h")
        places = [place / rate for place, sample in enumerate(samples) if abs(sample) > 1000]
        return places[0], places[-1], len(samples) / rate

    def yoob(self, *arguments):
        return run(*arguments, environment=self.sound.environment)

    def test_lists_devices_by_name(self):
        status, out, _ = self.yoob("devices")
        self.assertEqual(status, 0)
        self.assertEqual(out.splitlines(), [
            "Microphones:", "  * Test microphone  (mic)", "Loudspeakers:", "  * Test loudspeaker  (speaker)",
            "    Mouth  (mouth)"])
        devices = json.loads(self.yoob("devices", "--json")[1])["devices"]
        self.assertEqual(devices[0], {"id": "mic", "name": "Test microphone", "kind": "microphone", "default": True})

    def test_refuses_a_device_that_is_not_there_and_names_those_that_are(self):
        status, _, err = self.yoob("talk", "--microphone", "Studio")
        self.assertEqual(status, 1)
        self.assertIn("Test microphone", err)

    def test_holds_a_conversation_over_the_devices(self):
        events, answer = self.sound.folder / "events.jsonl", self.sound.folder / "answer.wav"
        heard = self.sound.folder / "heard.raw"
        with open(heard, "wb") as stream:
            recorder = self.sound.start(
                "parec", "--device=speaker.monitor", "--format=s16le", "--rate=16000", "--channels=1", stdout=stream)
        talk = self.sound.start(
            YOOB, "talk", "--events", events, "--output", answer, stderr=subprocess.PIPE, text=True)
        try:
            self.assertTrue(eventually(lambda: events.exists() or talk.poll() is not None))
            # The microphone is in use: it is refused to a second conversation, and the first goes on.
            status, _, err = self.yoob("talk")
            self.assertEqual(status, 1)
            self.assertIn("Another conversation is using the microphone", err)
            spoken = self.sound.call("paplay", "--device=mouth", str(FIXTURES / "question-france.wav"))
            self.assertEqual(spoken.returncode, 0, spoken.stderr)
            self.assertTrue(eventually(lambda: [e for e in self.events(events, "playback") if "heard_text" in e]))
        finally:
            talk.send_signal(signal.SIGINT)
            _, err = talk.communicate(timeout=300)
            recorder.terminate()
            recorder.wait()
        self.assertEqual(talk.returncode, 0, err)
        self.assertIn("Microphone: Test microphone. Loudspeaker: Test loudspeaker.", err)
        self.assertIn("You:", err)
        transcript = [e["text"] for e in self.events(events, "userTranscribed") if e["isFinal"]]
        self.assertIn("france", " ".join(transcript).lower())
        # She was heard, and only what was heard is in the file.
        samples = memoryview(heard.read_bytes()[: heard.stat().st_size // 2 * 2]).cast("h")
        self.assertGreater(max(map(abs, samples), default=0), 1000)
        with wave.open(str(answer)) as sound:
            self.assertGreater(sound.getnframes(), sound.getframerate() // 2)

    def test_takes_typed_lines_below_the_captions_of_a_terminal(self):
        terminal = Terminal(YOOB, "talk", environment=self.sound.environment)
        self.addCleanup(terminal.close)

        def shown(text):
            return eventually(lambda: text in terminal.text().replace("\n", " ") or terminal.process.poll() is not None)

        self.assertTrue(shown("Microphone: Test microphone."))
        self.assertTrue(eventually(lambda: "░" in terminal.lines()[-1]))  # the level of the microphone
        terminal.type("Tell me a longg\x7f story.")
        self.assertTrue(eventually(lambda: terminal.lines()[-1] == "> Tell me a long story."), terminal.text())
        self.assertFalse(terminal.echoes())
        terminal.type("\x1b[D\r")  # arrows do nothing
        self.assertTrue(shown("You:  Tell me a long story."))
        self.assertTrue(eventually(lambda: any(line.startswith("Luna: ") for line in terminal.lines())))
        # What is typed stays whole in the row under the captions, however they grow.
        terminal.type("wörter 😀 ")
        for _ in range(20):
            self.assertTrue(eventually(lambda: terminal.lines()[-1].startswith("> wörter 😀")), terminal.text())
            time.sleep(0.05)
        self.assertFalse([line for line in terminal.lines()[:-1] if "wörter" in line or "░" in line])
        terminal.type("\x15/stop\r/help\r")
        self.assertTrue(shown("/help   this list"), terminal.text())
        terminal.type("/nonsense\r")
        self.assertTrue(shown("There is no /nonsense."))
        self.assertTrue(eventually(lambda: "░" in terminal.lines()[-1]))
        terminal.type("\x04")
        self.assertEqual(terminal.process.wait(timeout=300), 0, terminal.text())
        self.assertTrue(terminal.echoes())
        self.assertIsNone(terminal.fault)
        self.assertFalse([line for line in terminal.lines() if "░" in line])

    def test_takes_lines_from_a_pipe_whose_end_ends_nothing(self):
        events = self.sound.folder / "events.jsonl"
        talk = self.sound.start(
            YOOB, "talk", "--events", events, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            talk.stdin.write("x" * 5000 + "\nWhat is the capital of France?")
            talk.stdin.close()
            talk.stdin = None
            heard = eventually(lambda: [e for e in self.events(events, "playback") if e.get("heard_text")])
            self.assertTrue(heard)
            self.assertIsNone(talk.poll())
        finally:
            talk.send_signal(signal.SIGINT)
            _, err = talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 0, err)
        self.assertIn("4000 bytes was not sent", err)
        texts = [e["text"] for e in self.events(events, "userTranscribed") if e["isFinal"]]
        self.assertEqual(texts, ["What is the capital of France?"])
        metrics = self.events(events, "metrics")[0]
        for key in ("interruptions", "false_interruptions", "reopenings", "cached_tokens", "tokens_per_second"):
            self.assertIn(key, metrics)

    def module(self, kind):
        listing = self.sound.call("pactl", "list", "short", "modules").stdout
        return [line.split("\t")[0] for line in listing.splitlines() if kind in line]

    def test_goes_on_when_the_devices_are_back_and_keeps_what_was_heard(self):
        events, answer = self.sound.folder / "events.jsonl", self.sound.folder / "answer.wav"
        talk = self.sound.start(
            YOOB, "talk", "--events", events, "--output", answer, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            talk.stdin.write("Tell me a very long story about a dragon.\n")
            talk.stdin.flush()
            self.assertTrue(eventually(lambda: self.events(events, "playback")))
            # The microphone and both loudspeakers vanish in the middle of her answer.
            for module in self.module("module-remap-source") + self.module("module-null-sink"):
                self.sound.call("pactl", "unload-module", module)
            self.assertTrue(eventually(lambda: self.events(events, "deviceLost")))
            self.assertTrue(eventually(lambda: [e for e in self.events(events, "playback") if "heard_text" in e]))
            self.sound.call("pactl", "load-module", "module-null-sink", "sink_name=other", "rate=48000")
            self.sound.call(
                "pactl", "load-module", "module-remap-source", "master=other.monitor", "source_name=ear")
            self.assertTrue(eventually(lambda: self.events(events, "deviceReturned")))
            before = len(self.events(events, "playback"))
            talk.stdin.write("What is the capital of France?\n")
            talk.stdin.flush()
            self.assertTrue(eventually(lambda: [
                e for e in self.events(events, "playback")[before:] if e.get("heard_text")]))
        finally:
            talk.send_signal(signal.SIGINT)
            _, err = talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 0, err)
        self.assertIn("is gone. Connect it again", err)
        _, last, _ = self.loud(answer)
        self.assertGreater(last, self.events(events, "deviceReturned")[0]["t_ms"] / 1000)

    def lose_for_good(self, is_time, *options, line=""):
        """A conversation that loses its devices once `is_time(its events file)`: what it says on standard error."""
        events = self.sound.folder / "events.jsonl"
        talk = self.sound.start(
            YOOB, "talk", "--events", events, "--device-wait", "4", *options, stdin=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        talk.stdin.write(line)
        talk.stdin.flush()
        self.assertTrue(eventually(lambda: is_time(events)))
        for module in self.module("module-remap-source") + self.module("module-null-sink"):
            self.sound.call("pactl", "unload-module", module)
        _, err = talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 1, err)
        self.assertIn("None came back within 4 seconds.", err.splitlines()[-1])
        return err

    def test_ends_with_a_clear_error_when_no_device_comes_back(self):
        self.lose_for_good(lambda events: self.events(events, "agentStateChanged"))

    def lose_in_her_answer(self, output):
        """Loses the devices in the middle of an answer; returns the events file."""
        err = self.lose_for_good(
            lambda events: any(e["played_samples"] > 24_000 for e in self.events(events, "playback")),
            "--output", output, *(["--size", "128"] if output.suffix == ".mp4" else []), line="Tell me a very long story about a dragon.\n")
        self.assertIn(f"What was said until then is in {output}.", err.splitlines()[-1])
        return self.sound.folder / "events.jsonl"

    def test_keeps_the_sound_until_then_when_no_device_comes_back(self):
        output = self.sound.folder / "answer.wav"
        events = self.lose_in_her_answer(output)
        first, last, end = self.loud(output)
        played = max(e["played_samples"] for e in self.events(events, "playback")) / 24_000
        # All that was heard is there, and nothing that was played to nobody.
        self.assertGreater(last, played - 0.5)
        self.assertLess(last - first, played + 0.5)
        # The file ends where the devices did, not four seconds later.
        self.assertLess(end, self.events(events, "deviceLost")[0]["t_ms"] / 1000 + 2)

    def test_keeps_the_film_until_then_when_no_device_comes_back(self):
        output = self.sound.folder / "answer.mp4"
        self.lose_in_her_answer(output)
        self.assertEqual(output.read_bytes()[4:8], b"ftyp")

    def test_says_what_to_do_about_a_microphone_that_gives_only_silence(self):
        events = self.sound.folder / "events.jsonl"
        talk = self.sound.start(
            YOOB, "talk", "--events", events, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            for line in talk.stderr:
                if "Look for its mute switch" in line:
                    break
            else:
                self.fail("nothing was said")
        finally:
            talk.send_signal(signal.SIGINT)
            talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 0)
        self.assertTrue(self.events(events, "silentInput"))

    def test_says_nothing_about_a_silent_microphone_to_somebody_who_types(self):
        events = self.sound.folder / "events.jsonl"
        talk = self.sound.start(
            YOOB, "talk", "--events", events, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            talk.stdin.write("What is the capital of France?\n")
            talk.stdin.flush()
            self.assertTrue(eventually(lambda: self.events(events, "silentInput")))
        finally:
            talk.send_signal(signal.SIGINT)
            _, err = talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 0, err)
        self.assertNotIn("mute switch", err)

    def test_says_why_there_is_no_answer(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        talk = self.sound.start(
            YOOB, "talk", "--llm", f"http://127.0.0.1:{server.server_port}/v1#unknown", stdin=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        try:
            talk.stdin.write("Hello.\n")
            talk.stdin.flush()
            for line in talk.stderr:
                if "answered 404" in line:
                    self.assertIn("Name one of its models behind #: good, broken.", line)
                    break
            else:
                self.fail("nothing was said")
        finally:
            talk.send_signal(signal.SIGINT)
            talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 0)

    def test_says_what_of_a_reply_was_heard_and_labels_the_next_one(self):
        events = self.sound.folder / "events.jsonl"
        talk = self.sound.start(
            YOOB, "talk", "--events", events, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def send(line):
            talk.stdin.write(line + "\n")
            talk.stdin.flush()

        def is_speaking(samples):
            """Whether so many samples of the last utterance were heard."""
            last = (self.events(events, "playback") or [{}])[-1]
            return last.get("played_samples", 0) > samples and "heard_text" not in last

        try:
            self.assertTrue(eventually(lambda: self.events(events, "agentStateChanged")))
            send("/stop")
            send("Tell me a long story about a dragon.")
            self.assertTrue(eventually(lambda: is_speaking(36_000)))
            send("Tell me a long story about a king.")  # interrupts
            self.assertTrue(eventually(lambda: len(self.events(events, "playback")) and any(
                "heard_text" in line for line in self.events(events, "playback"))))
            # Early: what she says of a king may be short.
            self.assertTrue(eventually(lambda: is_speaking(8_000)))
            send("/stop")
            self.assertTrue(eventually(
                lambda: sum("heard_text" in line for line in self.events(events, "playback")) == 2))
        finally:
            talk.send_signal(signal.SIGINT)
            _, err = talk.communicate(timeout=300)
        self.assertEqual(talk.returncode, 0, err)
        self.assertIn("She is not speaking.\n", err)
        self.assertEqual(len(re.findall(r"(?m)^Luna: ", err)), 2, err)
        heard = [line["heard_text"] for line in self.events(events, "playback") if line.get("heard_text")]
        remarks = re.findall(r"(?m)^\(stopped after “(?:… )?(.+)”\)$", err)
        self.assertEqual(len(remarks), 2, err)
        for text, remark in zip(heard, remarks):
            self.assertTrue(" ".join(text.split()).endswith(remark), (text, remark))
        self.assertRegex(err, r"”\)\n\nYou:  Tell me a long story about a king\.\nLuna: ")

    def test_the_first_line_is_cut_between_words_where_the_terminal_ends(self):
        terminal = Terminal(YOOB, "talk", environment=self.sound.environment, width=40)
        self.addCleanup(terminal.close)
        self.assertTrue(eventually(lambda: "Microphone" in terminal.text()))
        first = terminal.text().split("Microphone")[0]
        words = "Say or type something to Luna; /help lists what else can be typed, Ctrl-C ends the conversation."
        self.assertIn(words, " ".join(first.split()))
        self.assertFalse([line for line in terminal.lines() if len(line) >= 40])


if __name__ == "__main__":
    unittest.main()
