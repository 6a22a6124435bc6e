"""A terminal as a program sees it, for tests: what it draws ends up in rows of text."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import threading

CONTROL = re.compile(r"\x1b\[(\d*)([A-Za-z])")


class Screen:
    """Rows that carriage return, line feed, `ESC [ A` and `ESC [ K` act on; anything else is refused."""

    def __init__(self, width):
        self.width, self.rows, self.row, self.column = width, [[]], 0, 0

    def feed(self, text):
        position = 0
        while position < len(text):
            character = text[position]
            position += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row += 1
                if self.row == len(self.rows):
                    self.rows.append([])
            elif character == "\x1b":
                match = CONTROL.match(text, position - 1)
                if not match:
                    raise ValueError(f"unknown control in {text[position - 1:position + 8]!r}")
                position = match.end()
                if match[2] == "K":
                    del self.rows[self.row][self.column:]
                elif match[2] == "A":
                    self.row = max(0, self.row - int(match[1] or 1))
                else:
                    raise ValueError(f"unknown control {match[0]!r}")
            else:
                if self.column == self.width:  # the terminal wraps
                    self.column = 0
                    self.row += 1
                    if self.row == len(self.rows):
                        self.rows.append([])
                line = self.rows[self.row]
                line.extend(" " * (self.column + 1 - len(line)))
                line[self.column] = character
                self.column += 1

    def lines(self):
        return ["".join(row).rstrip() for row in self.rows]


class Terminal:
    """A program on a terminal of its own, `width` columns wide."""

    def __init__(self, *arguments, environment, width=60):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        self.screen, self.lock = Screen(width), threading.Lock()

        def take_the_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            arguments, stdin=slave, stdout=slave, stderr=slave, env={**os.environ, **environment},
            preexec_fn=take_the_terminal)
        os.close(slave)
        self.fault = None
        self.ended = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        held = b""
        while True:
            if not select.select([self.master], [], [], 0.2)[0]:
                if self.ended.is_set():
                    return
                continue
            try:
                held += os.read(self.master, 65536)
            except OSError:
                return
            # A character or a control that is cut waits for the rest.
            end = len(held)
            while end and held[end - 1] & 0xC0 == 0x80:
                end -= 1
            if end and held[end - 1] >= 0xC0:
                size = 4 if held[end - 1] >= 0xF0 else 3 if held[end - 1] >= 0xE0 else 2
                end = len(held) if len(held) - end + 1 == size else end - 1
            else:
                end = len(held)
            escape = held.rfind(b"\x1b", 0, end)
            if escape >= 0 and not CONTROL.match(held[escape:end].decode(errors="replace")):
                end = escape
            text, held = held[:end].decode(), held[end:]
            try:
                with self.lock:
                    self.screen.feed(text)
            except ValueError as fault:
                self.fault = fault

    def lines(self):
        with self.lock:
            return self.screen.lines()

    def text(self):
        return "\n".join(self.lines())

    def type(self, keys):
        os.write(self.master, keys.encode())

    def echoes(self):
        return bool(termios.tcgetattr(self.master)[3] & termios.ECHO)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.ended.set()
        os.close(self.master)
