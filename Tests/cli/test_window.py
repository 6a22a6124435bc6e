"""`yoob talk --window` on a virtual display, over the virtual sound devices."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from test_commands import YOOB, run
from test_devices import PROGRAMS as SOUND_PROGRAMS, Devices, VirtualSound, eventually

PROGRAMS = (*SOUND_PROGRAMS, "Xvfb", "openbox", "xdotool", "import", "convert")
# The mouth of Luna in a window as tall as she is: shares of its width and height.
MOUTH = (0.42, 0.435, 0.16, 0.065)

# A program of its own: Xlib ends the process when the display is gone.
CLOSE = """
import ctypes, sys
class Message(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("message", ctypes.c_ulong), ("format", ctypes.c_int),
                ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]
xlib = ctypes.CDLL("libX11.so.6")
xlib.XOpenDisplay.restype = ctypes.c_void_p
xlib.XInternAtom.restype = ctypes.c_ulong
display = ctypes.c_void_p(xlib.XOpenDisplay(None))
atom = lambda name: xlib.XInternAtom(display, name, 0)
window = int(sys.argv[1])
message = Message(33, 0, 1, display, window, atom(b"WM_PROTOCOLS"), 32, (ctypes.c_long * 5)(atom(b"WM_DELETE_WINDOW")))
xlib.XSendEvent(display, ctypes.c_ulong(window), 0, 0, ctypes.byref(message))
xlib.XCloseDisplay(display)
"""


class VirtualDisplay:
    """A display without a screen, and a window manager on it, without which nothing fills the screen."""

    def __init__(self):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1100x24", "-nolisten", "tcp"],
            pass_fds=(writer,), stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        if not number:
            raise RuntimeError("the display server did not start")
        self.environment = {"DISPLAY": f":{number}", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"}
        self.manager = subprocess.Popen(
            ["openbox", "--sm-disable"], env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def call(self, *arguments):
        return subprocess.run(
            arguments, env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=120)

    def window(self, name="^Luna"):
        """The id of the visible window with that title, or nothing."""
        return (self.call("xdotool", "search", "--onlyvisible", "--name", name).stdout.split() or [None])[-1]

    def press(self, key):
        self.call("xdotool", "windowfocus", "--sync", self.window())
        self.call("xdotool", "key", key)

    def resize(self, width, height):
        self.call("xdotool", "windowsize", "--sync", self.window(), str(width), str(height))

    def ask_to_close(self):
        """Sends the window what a window manager's close button sends."""
        subprocess.run(
            [sys.executable, "-c", CLOSE, self.window()], env={**os.environ, **self.environment}, check=True, timeout=60)

    def picture(self):
        """Width, height and RGB bytes of the window."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "window.rgb")
            size = subprocess.run(
                ["sh", "-c", f"import -window {self.window()} {folder}/window.png && "
                 f"convert {folder}/window.png -depth 8 {path} && identify -format '%w %h' {folder}/window.png"],
                env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=120)
            if size.returncode:
                raise RuntimeError(size.stderr)
            width, height = map(int, size.stdout.split())
            return width, height, path.read_bytes()

    def stop(self):
        self.manager.terminate()
        self.manager.wait()
        self.server.terminate()
        self.server.wait()


def pixels(picture, place=(0, 0, 1, 1)):
    """The colours in a part of a picture."""
    width, height, rgb = picture
    left, top, across, down = place
    for row in range(int(top * height), int((top + down) * height)):
        for column in range(int(left * width), int((left + across) * width)):
            at = 3 * (row * width + column)
            yield rgb[at], rgb[at + 1], rgb[at + 2]


def is_luna(picture):
    """Whether there is blue hair and skin, and many colours."""
    found = list(pixels(picture))
    hair = sum(blue > 150 and blue > red + 70 for red, _, blue in found)
    skin = sum(red > 225 and 170 < green < 235 and blue < red - 15 for red, green, blue in found)
    return hair > 0.04 * len(found) and skin > 0.01 * len(found) and len(set(found)) > 500


def mouth_opening(picture):
    """Pixels of the inside of her mouth: dark red."""
    return sum(red > green + 50 and red < 215 and green < 110 for red, green, _ in pixels(picture, MOUTH))


class NoDisplay(unittest.TestCase):
    def test_says_what_to_do_without_a_display_or_beside_a_recording(self):
        nowhere = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": ""}
        status, _, err = run("talk", "--window", "--input", "question.wav", environment=nowhere)
        self.assertEqual(status, 2)
        self.assertIn("--window shows a conversation that you hold", err)
        status, out, err = run("talk", "--window", environment=nowhere)
        self.assertEqual((status, out, err.count("\n")), (1, "", 1), err)
        self.assertIn("No display was found", err)
        self.assertIn("--output for a film", err)
        _, out, _ = run("doctor", environment=nowhere)
        self.assertIn("window: No display was found.", out)

    def test_a_display_that_does_not_answer_is_told_of_in_one_line_before_sound_and_models(self):
        for place in ({"DISPLAY": ":9999"}, {"WAYLAND_DISPLAY": "wayland-9"}, {"SDL_VIDEODRIVER": "wayland"},
                      {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": "/nowhere"}):
            environment = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "", "XDG_RUNTIME_DIR": "",
                           "PULSE_SERVER": "/nowhere", "YOOB_HOME": "/nowhere", **place}
            status, out, err = run("talk", "--window", environment=environment)
            self.assertEqual((status, out, err.count("\n")), (1, "", 1), err)
            self.assertIn("yoob talk: No display was found for --window", err)
            for name in ("DISPLAY", "WAYLAND_DISPLAY"):
                self.assertEqual(f"{name}={place.get(name)}" in err, name in place, err)

    def test_says_so_when_the_display_is_not_there(self):
        gone = {"DISPLAY": ":9999", "WAYLAND_DISPLAY": "", "SDL_VIDEODRIVER": "x11"}
        status, _, err = run("talk", "--window", environment=gone)
        self.assertEqual(status, 1)
        self.assertIn("No display was found", err)


@unittest.skipIf(
    any(shutil.which(program) is None for program in PROGRAMS),
    "one of pulseaudio, pulseaudio-utils, xvfb, openbox, xdotool and imagemagick is not installed; ./test installs them")
class Window(unittest.TestCase):
    def setUp(self):
        self.sound = VirtualSound()
        self.addCleanup(self.sound.stop)
        self.display = VirtualDisplay()
        self.addCleanup(self.display.stop)
        self.sound.environment.update(self.display.environment)
        self.events = self.sound.folder / "events.jsonl"

    def begin(self, *options):
        """Starts a conversation with a window, and waits until she is in it."""
        self.errors = open(self.sound.folder / "errors.txt", "w+")
        self.addCleanup(self.errors.close)
        self.talk = self.sound.start(
            YOOB, "talk", "--window", "--events", self.events, *options, stdin=subprocess.PIPE, stderr=self.errors,
            text=True)
        self.addCleanup(self.end)
        self.assertTrue(eventually(lambda: self.display.window() or self.talk.poll() is not None))
        self.assertIsNone(self.talk.poll(), self.said())
        self.assertTrue(eventually(lambda: is_luna(self.display.picture())), self.said())

    def said(self):
        return Path(self.errors.name).read_text()

    def say(self, line):
        self.talk.stdin.write(line + "\n")
        self.talk.stdin.flush()

    def happened(self, kind, condition=lambda event: True):
        return [event for event in Devices.events(self.events, kind) if condition(event)]

    def end(self):
        if self.talk.poll() is None:
            self.talk.kill()
        self.talk.wait()
        self.talk.stdin.close()

    def test_shows_her_and_her_lips_and_ends_with_escape(self):
        answer = self.sound.folder / "answer.wav"
        self.begin("--output", answer, "--size", "480")
        width, height, _ = self.display.picture()
        self.assertEqual((width, height), (480, 852))
        silent = max(mouth_opening(self.display.picture()) for _ in range(8))
        self.say("Tell me a very long story about a dragon.")
        self.assertTrue(eventually(lambda: self.happened("playback")), self.said())
        self.assertTrue(eventually(lambda: mouth_opening(self.display.picture()) > 2 * silent + 40), f"{silent}")
        # Captions of both sides lie over the lower part.
        def bright():
            return sum(min(colour) > 235 for colour in pixels(self.display.picture(), (0, 0.86, 1, 0.14)))
        self.assertTrue(eventually(lambda: bright() > 300))
        # The space bar stops her: what was not heard is not in the history.
        self.display.press("space")
        self.assertTrue(eventually(lambda: self.happened("playback", lambda e: "heard_text" in e)), self.said())
        self.assertTrue(eventually(lambda: "(stopped after" in self.said()), self.said())
        self.display.press("Escape")
        self.assertEqual(self.talk.wait(timeout=300), 0, self.said())
        self.assertIsNone(self.display.window())
        self.assertGreater(answer.stat().st_size, 10_000)

    def test_goes_on_in_every_size_and_ends_when_it_is_closed(self):
        self.begin("--aspect", "wide", "--size", "360")
        self.assertEqual(self.display.picture()[:2], (640, 360))
        for width, height in ((400, 700), (900, 300), (200, 200)):
            self.display.resize(width, height)
            self.assertTrue(
                eventually(lambda: (p := self.display.picture())[:2] == (width, height) and is_luna(p)),
                (width, height))
        self.display.press("f")
        self.assertTrue(eventually(lambda: self.display.picture()[:2] == (1600, 1100)))
        self.assertTrue(eventually(lambda: is_luna(self.display.picture())))
        # Esc leaves full screen first.
        self.display.press("Escape")
        self.assertTrue(eventually(lambda: self.display.picture()[:2] != (1600, 1100)))
        self.assertIsNone(self.talk.poll(), self.said())
        # As the button of a window manager closes it.
        self.display.ask_to_close()
        self.assertEqual(self.talk.wait(timeout=300), 0, self.said())

    def test_m_mutes_the_microphone(self):
        self.begin()
        self.display.press("m")
        self.assertTrue(eventually(lambda: self.display.window("microphone muted")))
        question = Path(__file__).parent.parent / "Fixtures/question-france.wav"
        self.assertEqual(self.sound.call("paplay", "--device=mouth", str(question)).returncode, 0)
        self.say("What is the capital of Italy?")
        self.assertTrue(eventually(lambda: self.happened("userTranscribed", lambda e: e["isFinal"])))
        self.assertFalse(self.happened("speechStarted"))
        self.display.press("m")
        self.assertTrue(eventually(lambda: not self.display.window("microphone muted")))
        self.assertEqual(self.sound.call("paplay", "--device=mouth", str(question)).returncode, 0)
        self.assertTrue(eventually(lambda: self.happened("speechStarted")), self.said())
        self.talk.send_signal(signal.SIGINT)
        self.assertEqual(self.talk.wait(timeout=300), 0, self.said())

    def test_is_told_of_by_doctor(self):
        _, out, _ = run("doctor", environment=self.display.environment)
        self.assertIn("window: x11, 1600 x 1100", out)


if __name__ == "__main__":
    unittest.main()
