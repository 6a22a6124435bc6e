"""Devices and conversations over the virtual sound devices of a sound server that each case starts and stops."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import wave
from pathlib import Path

from test_commands import FIXTURES, YOOB, run

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
            def lines(kind):
                if not events.exists():
                    return []
                whole = events.read_text().rpartition("\n")[0]
                return [line for line in map(json.loads, whole.splitlines()) if line["type"] == kind]

            self.assertTrue(eventually(lambda: events.exists() or talk.poll() is not None))
            # The microphone is in use: it is refused to a second conversation, and the first goes on.
            status, _, err = self.yoob("talk")
            self.assertEqual(status, 1)
            self.assertIn("Another conversation is using the microphone", err)
            spoken = self.sound.call("paplay", "--device=mouth", str(FIXTURES / "question-france.wav"))
            self.assertEqual(spoken.returncode, 0, spoken.stderr)
            self.assertTrue(eventually(lambda: [e for e in lines("playback") if "heard_text" in e]))
        finally:
            talk.send_signal(signal.SIGINT)
            _, err = talk.communicate(timeout=300)
            recorder.terminate()
            recorder.wait()
        self.assertEqual(talk.returncode, 0, err)
        self.assertIn("Microphone: Test microphone. Loudspeaker: Test loudspeaker.", err)
        self.assertIn("You:", err)
        transcript = [e["text"] for e in lines("userTranscribed") if e["isFinal"]]
        self.assertIn("france", " ".join(transcript).lower())
        # She was heard, and only what was heard is in the file.
        samples = memoryview(heard.read_bytes()[: heard.stat().st_size // 2 * 2]).cast("h")
        self.assertGreater(max(map(abs, samples), default=0), 1000)
        with wave.open(str(answer)) as sound:
            self.assertGreater(sound.getnframes(), sound.getframerate() // 2)


if __name__ == "__main__":
    unittest.main()
