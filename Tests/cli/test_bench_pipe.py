"""A conversation over standard input and output, as Benchmarks/peers holds it."""

import json
import subprocess
import sys
import threading
import time
import unittest
import wave

from test_commands import FIXTURES, ROOT, YOOB, word_errors

sys.path.insert(0, str(ROOT / "Benchmarks/peers"))

import link  # noqa: E402

PATIENCE = 120


class PipeTests(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [YOOB, "bench", "pipe", "--max-tokens", "8"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.events, self.sound = [], []
        self.changed = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while (frame := link.read_frame(self.process.stdout)) is not None:
            with self.changed:
                if frame[0] == b"e":
                    self.events.append(json.loads(frame[1]))
                else:
                    self.sound.append(frame[1])
                self.changed.notify()

    def wait_for(self, kind):
        def found():
            return [event for event in self.events if event["type"] == kind]
        with self.changed:
            self.assertTrue(self.changed.wait_for(found, PATIENCE), f"no {kind} in {self.events}")
            return found()[-1]

    def send(self, kind, body=b""):
        self.process.stdin.write(link.frame(kind, body))
        self.process.stdin.flush()

    def test_a_question_is_answered_and_both_are_in_the_history(self):
        self.wait_for("ready")
        with wave.open(str(FIXTURES / "question-france.wav")) as file:
            question = file.readframes(file.getnframes())
        sound = question + bytes(2 * 16_000 * 2)
        for start in range(0, len(sound), 640):
            self.send(b"a", sound[start:start + 640])
            time.sleep(0.02)
        self.wait_for("user")
        with self.changed:
            self.assertTrue(self.changed.wait_for(lambda: len(self.sound) > 10, PATIENCE), "no sound")
        self.assertEqual({int.from_bytes(block[:4], "little") for block in self.sound}, {24_000})
        self.assertLessEqual(max(map(len, self.sound)), 4 + 2 * 24_000 // 25)
        self.send(b"h")
        messages = self.wait_for("history")["messages"]
        self.assertEqual([message["role"] for message in messages[:2]], ["system", "user"])
        self.assertLessEqual(word_errors("What is the capital of France?", messages[1]["content"]), 0.2, messages)
        self.process.stdin.close()
        self.assertEqual(self.process.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
