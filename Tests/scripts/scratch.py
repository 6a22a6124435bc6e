"""What the tests of the scripts share: a home, lock files and packages of their own."""

import hashlib
import importlib.machinery
import importlib.util
import os
import sys
import tempfile
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "setup"))

import fetch  # noqa: E402
import locks  # noqa: E402

_loader = importlib.machinery.SourceFileLoader(
    "prepare", os.path.join(ROOT, "scripts", "models", "prepare"))
prepare = importlib.util.module_from_spec(importlib.util.spec_from_loader("prepare", _loader))
_loader.exec_module(prepare)


class ScratchHome(unittest.TestCase):
    """An empty $YOOB_HOME without a network, and a folder of lock files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = os.path.join(folder.name, "home")
        self.locks = os.path.join(folder.name, "locks")
        os.makedirs(os.path.join(self.home, "downloads"))
        os.makedirs(self.locks)
        before = dict(os.environ), locks.FOLDER
        os.environ.update(YOOB_HOME=self.home, YOOB_OFFLINE="1")
        locks.FOLDER = self.locks

        def restore():
            os.environ.clear()
            os.environ.update(before[0])
            locks.FOLDER = before[1]
        self.addCleanup(restore)

    def package(self, name, members):
        """Puts a package with these members into the downloads; returns its line for a lock file."""
        file = f"{name}-1.0-py3-none-any.whl"
        path = os.path.join(self.home, "downloads", file)
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        with open(path, "rb") as stream:
            data = stream.read()
        return f"{name}==1.0 --hash=sha256:{hashlib.sha256(data).hexdigest()}  # {len(data)} {file}\n"

    def lock(self, name, *lines):
        with open(os.path.join(self.locks, name + ".txt"), "w", encoding="utf-8") as stream:
            stream.writelines(lines)
