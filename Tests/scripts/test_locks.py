"""Lock files."""

import glob
import os

from scratch import ROOT, ScratchHome, locks


class LockTests(ScratchHome):
    def test_a_lock_file_gives_its_packages(self):
        self.lock("a", "# comment\n", "\n", self.package("one", {"x": b"1"}))
        package, = locks.read("a")
        self.assertEqual((package.name, package.version), ("one", "1.0"))
        self.assertEqual(package.file, "one-1.0-py3-none-any.whl")

    def test_a_line_without_a_hash_is_refused_with_its_number(self):
        self.lock("a", "# comment\n", "one==1.0\n")
        with self.assertRaisesRegex(ValueError, "line 2"):
            locks.read("a")

    def test_every_lock_file_of_the_checkout_is_pinned(self):
        locks.FOLDER = os.path.join(ROOT, "scripts", "locks")
        names = [os.path.basename(path)[:-4] for path in glob.glob(os.path.join(locks.FOLDER, "*.txt"))]
        self.assertGreater(len(names), 5)
        for name in names:
            self.assertTrue(locks.read(name), name)

    def test_a_download_of_other_bytes_is_not_intact(self):
        self.lock("a", self.package("one", {"x": b"1"}))
        package, = locks.read("a")
        path = os.path.join(self.home, "downloads", package.file)
        self.assertTrue(locks.is_intact(path, package))
        with open(path, "r+b") as stream:
            stream.write(b"X")
        self.assertFalse(locks.is_intact(path, package))
