"""The virtual sound card: one microphone and one loudspeaker, the same for every agent.

The microphone gives 20 ms at 16 kHz when their last sample has been captured, over noise at -70 dBFS. The
loudspeaker plays what it is given when it comes, or behind what it still plays. Times are `time.monotonic()`.
"""

import fcntl
import json
import queue
import struct
import subprocess
import threading
import time

import numpy as np

import measures
from faults import AgentFault
from link import MICROPHONE_RATE, frame, read_frame

_BLOCK = MICROPHONE_RATE // 50
_NOISE = 0.0003
# Room in the pipe to the agent: half a minute of sound.
_SET_PIPE_SIZE, _PIPE_BYTES = 1031, 1 << 20


class Card:
    """An agent's process and the sound card that it hears and speaks through."""

    def __init__(self, command, environment, log):
        """Starts the agent; what it prints goes to the file `log`."""
        self.log = log
        self.spawned = time.monotonic()
        with open(log, "wb") as stderr:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        fcntl.fcntl(self.process.stdin, _SET_PIPE_SIZE, _PIPE_BYTES)
        self.state = "listening"
        self.heard = measures.Track()
        self.interruptions = []
        self.errors = []
        self.late_ms = []
        self._end = 0.0
        self._origin = None
        self._position = 0
        self._clips = []
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._ready_at = 0.0
        self._histories = queue.Queue()
        self._is_closed = False
        self._threads = [threading.Thread(target=self._listen, daemon=True)]
        self._threads[0].start()

    def wait_until_ready(self, timeout):
        """Seconds from the start of the process until the agent listens; then the microphone runs."""
        limit = time.monotonic() + timeout
        while not self._ready.wait(0.2):
            self._check()
            if time.monotonic() > limit:
                raise AgentFault(f"not ready after {timeout:.0f} s; see {self.log}")
        seconds = self._ready_at - self.spawned
        self._origin = time.monotonic()
        self._threads.append(threading.Thread(target=self._capture, daemon=True))
        self._threads[-1].start()
        return seconds

    def say(self, samples):
        """Speaks float samples at 16 kHz into the microphone; returns the time of the first."""
        with self._lock:
            first = self._position + MICROPHONE_RATE // 10
            self._clips.append((first, samples))
            return self._origin + first / MICROPHONE_RATE

    def wait(self, seconds):
        """Lets time pass."""
        self.wait_for(lambda: False, seconds)

    def wait_for(self, condition, timeout):
        """Whether the condition came true in time. Raises `AgentFault` when the agent ends."""
        limit = time.monotonic() + timeout
        while not condition():
            self._check()
            rest = limit - time.monotonic()
            if rest <= 0:
                return False
            time.sleep(min(0.01, rest))
        return True

    def wait_until_quiet(self, silence=1.0, timeout=30.0):
        """Waits until nothing has sounded for `silence` seconds and the agent listens."""
        began = time.monotonic()
        return self.wait_for(
            lambda: self.state == "listening"
            and time.monotonic() - max(began, self.heard.last_end) > silence, timeout)

    def history(self, timeout=10.0):
        """The messages that the agent's language model sees."""
        while not self._histories.empty():
            self._histories.get()
        self._write(frame(b"h", b""))
        try:
            return self._histories.get(timeout=timeout)
        except queue.Empty:
            self._check()
            raise AgentFault(f"gives no history; see {self.log}") from None

    def close(self):
        """Ends the agent. Idempotent."""
        self._is_closed = True
        if self.process.poll() is None:
            try:
                self.process.stdin.close()
                self.process.wait(15)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        for thread in self._threads:
            thread.join(5)

    def _check(self):
        if self.process.poll() is not None:
            raise AgentFault(f"ended with {self.process.returncode}; see {self.log}")

    def _write(self, data):
        with self._lock:
            try:
                self.process.stdin.write(data)
                self.process.stdin.flush()
            except (OSError, ValueError):
                pass  # `_check` tells why

    def _capture(self):
        noise = np.random.default_rng(1)
        while not self._is_closed and self.process.poll() is None:
            due = self._origin + (self._position + _BLOCK) / MICROPHONE_RATE
            time.sleep(max(0, due - time.monotonic()))
            self.late_ms.append((time.monotonic() - due) * 1000)
            block = noise.standard_normal(_BLOCK) * _NOISE
            with self._lock:
                for first, samples in self._clips:
                    low, high = max(first, self._position), min(first + len(samples), self._position + _BLOCK)
                    if high > low:
                        block[low - self._position:high - self._position] += samples[low - first:high - first]
                self._position += _BLOCK
                self._clips = [clip for clip in self._clips if clip[0] + len(clip[1]) > self._position]
            self._write(frame(b"a", (np.clip(block, -1, 1) * 32767).astype("<i2").tobytes()))

    def _listen(self):
        while (received := read_frame(self.process.stdout)) is not None:
            now = time.monotonic()
            kind, body = received
            if kind == b"a":
                rate, = struct.unpack("<I", body[:4])
                samples = np.frombuffer(body[4:], "<i2") / 32768
                start = max(now, self._end)
                self._end = start + len(samples) / rate
                self.heard.add(start, measures.levels(samples.tolist(), rate))
            elif kind == b"e":
                self._handle(json.loads(body), now)

    def _handle(self, event, now):
        kind = event["type"]
        if kind == "ready":
            self._ready_at = now
            self._ready.set()
        elif kind == "state":
            self.state = event["state"]
        elif kind == "interrupted":
            self.interruptions.append(now)
            self.state = "listening"
        elif kind == "history":
            self._histories.put(event["messages"])
        elif kind == "error":
            self.errors.append(event["text"])
