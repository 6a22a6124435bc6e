"""Packs and keys from the command line: built, signed, verified, published, and refused with reasons."""

import base64
import functools
import hashlib
import http.server
import json
import os
import shutil
import socket
import stat
import subprocess
import threading
import unittest

import test_commands
from test_commands import FIXTURES, ROOT, run

LUNA = ROOT / "characters/luna-anime/pack"


class PackCase(test_commands.Case):
    def setUp(self):
        super().setUp()
        self.pack = self.folder / "pack"
        shutil.copytree(LUNA, self.pack)
        self.key = self.folder / "key.json"

    def done(self, *arguments):
        status, out, err = run(*arguments)
        self.assertEqual(status, 0, err)
        self.assertEqual(err, "")
        return out

    def make_key(self, path=None, *more):
        return self.done("keys", "signing", "create", "--output", path or self.key, *more)

    def public_keys(self):
        key = json.loads(self.key.read_text())
        path = self.folder / "keys.json"
        path.write_text(json.dumps({key["id"]: key["public"]}))
        return path


class Keys(PackCase):
    def test_a_key_file_is_its_owners_alone_and_prints_its_public_half(self):
        out = self.make_key()
        self.assertEqual(stat.S_IMODE(self.key.stat().st_mode), 0o600)
        key = json.loads(self.key.read_text())
        self.assertEqual(set(key), {"id", "public", "seed"})
        self.assertEqual(out, "id: %s\npublic key: %s\n" % (key["id"], key["public"]))
        self.assertEqual(len(base64.b64decode(key["seed"])), 32)
        self.assertNotIn(key["seed"], out)
        digest = hashlib.sha256(base64.b64decode(key["public"])).hexdigest()
        self.assertEqual(key["id"], "key-" + digest[:12])

    def test_a_key_is_never_replaced_and_two_differ(self):
        self.make_key()
        before = self.key.read_bytes()
        self.assert_refused(
            1, run("keys", "signing", "create", "--output", self.key), "key.json cannot be written", "there already")
        self.assertEqual(self.key.read_bytes(), before)
        self.make_key(self.folder / "other.json", "--id", "studio.2026")
        other = json.loads((self.folder / "other.json").read_text())
        self.assertEqual(other["id"], "studio.2026")
        self.assertNotEqual(other["seed"], json.loads(before)["seed"])

    def test_bad_ids_and_places_are_said_so(self):
        for name in ("a b", "-a", "ä", "x" * 65, "../a"):
            self.assert_refused(
                1, run("keys", "signing", "create", "--output", self.key, "--id=" + name), "its id is 1 to 64")
        self.assert_refused(
            1, run("keys", "signing", "create", "--output", self.key, "--id", "test-only"), "test vectors")
        self.assert_refused(
            1, run("keys", "signing", "create", "--output", self.folder / "no" / "key"), "No such file")
        self.assertFalse(self.key.exists())


class Building(PackCase):
    def test_building_what_is_built_changes_nothing_in_meaning(self):
        before = json.loads((LUNA / "character.json").read_text())
        out = self.done("pack", "build", self.pack)
        self.assertIn("luna-anime %s: %d files, " % (before["version"], len(before["files"])), out)
        after = json.loads((self.pack / "character.json").read_text())
        self.assertEqual(after, before)
        again = (self.pack / "character.json").read_bytes()
        self.done("pack", "build", self.pack)
        self.assertEqual((self.pack / "character.json").read_bytes(), again)

    def test_a_description_without_files_is_enough_and_another_folder_gets_the_pack(self):
        manifest = json.loads((self.pack / "character.json").read_text())
        expected = {file["path"]: file["tier"] for file in manifest["files"]} | {"notes/a.txt": 2}
        for name in ("files", "schema", "engine", "idle"):
            del manifest[name]
        (self.pack / "character.json").write_text(json.dumps(manifest))
        (self.pack / "notes").mkdir()
        (self.pack / "notes/a.txt").write_text("hello")
        (self.pack / ".hidden").write_text("not packed")
        output = self.folder / "out"
        self.done("pack", "build", self.pack, "--output", output)
        built = json.loads((output / "character.json").read_text())
        tiers = {file["path"]: file["tier"] for file in built["files"]}
        self.assertEqual(tiers, expected)
        self.assertEqual((tiers["poster.jpg"], tiers["puppet.bin"]), (0, 2))
        self.assertEqual((output / "notes/a.txt").read_text(), "hello")
        self.assertFalse((output / ".hidden").exists())
        self.assertNotIn("files", json.loads((self.pack / "character.json").read_text()))
        self.assertIn("intact, unsigned", self.done("pack", "verify", output))

    def test_the_longest_names_are_packed_and_copied(self):
        for name in ("x" * 255, "\u76ee" * 85):
            (self.pack / name).write_text(name)
        output = self.folder / "out"
        self.done("pack", "build", self.pack, "--output", output)
        self.assertEqual((output / ("x" * 255)).read_text(), "x" * 255)
        self.assertIn("intact, unsigned", self.done("pack", "verify", output))

    def test_what_cannot_be_packed_is_said_so(self):
        self.assert_refused(1, run("pack", "build", self.folder / "none"), "character.json cannot be read")
        self.assert_refused(1, run("pack", "build", self.pack, "--output", self.pack / "out"), "lies inside")
        (self.pack / "link").symlink_to("/etc/passwd")
        self.assert_refused(1, run("pack", "build", self.pack), "link leads out of the folder")
        (self.pack / "link").unlink()
        (self.pack / "NUL.txt").write_text("")
        self.assert_refused(1, run("pack", "build", self.pack), "NUL.txt", "Windows reserves")
        (self.pack / "NUL.txt").unlink()
        for names, words in (
            (["a\\b"], "does not show, or that Windows"), (["a\x1b[2J"], "“a\ufffd[2J” has a character"),
            (["a\nb"], "“a\ufffdb” has a character"), (["50%.bin"], "an address reads otherwise"),
            ([b"\xff.bin"], "is not UTF-8"), (["d" * 200 + "/" + "d" * 200 + "/" + "d" * 200], "a path of 602 bytes"),
            (["Two.bin", "two.bin"], "“Two.bin” and “two.bin” are one file"),
            (["\u00e9.bin", "e\u0301.bin"], "are one file on some systems"),
        ):
            paths = [os.path.join(os.fsencode(self.pack), os.fsencode(name)) for name in names]
            for path in paths:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb"):
                    pass
            with self.subTest(words):
                self.assert_refused(1, run("pack", "build", self.pack), words)
            for path in paths:
                os.unlink(path)
        (self.pack / "character.json").write_text('{"character": "luna"}')
        self.assert_refused(1, run("pack", "build", self.pack), "“version” is missing")


class Signing(PackCase):
    def test_a_signed_pack_is_intact_with_its_key_only(self):
        self.make_key()
        key = json.loads(self.key.read_text())
        self.assertIn("intact, unsigned", self.done("pack", "verify", self.pack))
        self.done("pack", "sign", self.pack, "--key", self.key)
        envelope = json.loads((self.pack / "character.signed.json").read_text())
        self.assertEqual(envelope["keyId"], key["id"])
        self.assertEqual(base64.b64decode(envelope["payload"]), (self.pack / "character.json").read_bytes())
        for keys in (self.public_keys(), self.key):
            self.assertIn("intact, signed by " + key["id"], self.done("pack", "verify", self.pack, "--keys", keys))
        self.assert_refused(1, run("pack", "verify", self.pack), key["id"], "--keys")
        other = self.folder / "other.json"
        self.make_key(other)
        self.assert_refused(1, run("pack", "verify", self.pack, "--keys", other), key["id"], "not trusted")
        (self.pack / "poster.jpg").write_bytes(bytes(140867))
        self.assert_refused(1, run("pack", "verify", self.pack, "--keys", self.key), "poster.jpg is damaged")
        self.assert_refused(1, run("pack", "sign", self.pack, "--key", self.key), "poster.jpg is damaged")

    def test_a_changed_manifest_does_not_match_its_signature(self):
        self.make_key()
        self.done("pack", "sign", self.pack, "--key", self.key)
        signed = self.pack / "character.signed.json"
        envelope = json.loads(signed.read_text())
        payload = base64.b64decode(envelope["payload"]).replace(b'"Luna"', b'"Evil"')
        envelope["payload"] = base64.b64encode(payload).decode()
        signed.write_text(json.dumps(envelope))
        self.assert_refused(1, run("pack", "verify", self.pack, "--keys", self.key), "does not match its signature")
        signed.write_text("{}")
        self.assert_refused(1, run("pack", "verify", self.pack, "--keys", self.key), "signed manifest is not valid")

    def test_a_key_that_others_can_read_signs_nothing(self):
        self.make_key()
        self.key.chmod(0o644)
        self.assert_refused(1, run("pack", "sign", self.pack, "--key", self.key), "chmod 600")
        self.assert_refused(
            1, run("pack", "sign", self.pack, "--key", self.folder / "none"), "yoob keys signing create")
        self.assertFalse((self.pack / "character.signed.json").exists())

    def test_keys_for_an_unsigned_pack_are_an_error_and_so_is_the_published_test_key(self):
        self.make_key()
        self.assert_refused(1, run("pack", "verify", self.pack, "--keys", self.key), "not signed")
        vectors = json.loads((FIXTURES / "pack-vectors.json").read_text())
        keys = self.folder / "keys.json"
        keys.write_text(json.dumps({"mine": vectors["key"]["public"]}))
        self.assert_refused(1, run("pack", "verify", self.pack, "--keys", keys), "mine", "test vectors")
        self.key.write_text(json.dumps({**vectors["key"], "id": "mine"}))
        self.assert_refused(1, run("pack", "sign", self.pack, "--key", self.key), "test vectors")

    def test_the_published_tree_is_what_a_web_server_serves(self):
        self.make_key()
        tree = self.folder / "cdn"
        self.done("pack", "sign", self.pack, "--key", self.key, "--publish", tree)
        manifest = json.loads((self.pack / "character.json").read_text())
        place = tree / "characters/luna-anime"
        self.assertEqual(sorted(os.listdir(place)), sorted(["latest.json", manifest["version"] + ".json"]))
        for name in os.listdir(place):
            self.assertEqual((place / name).read_bytes(), (self.pack / "character.signed.json").read_bytes())
        chunks = {chunk["sha256"]: chunk["size"] for file in manifest["files"] for chunk in file["chunks"]}
        self.assertEqual(set(os.listdir(tree / "chunks")), set(chunks))
        for name, size in chunks.items():
            data = (tree / "chunks" / name).read_bytes()
            self.assertEqual((len(data), hashlib.sha256(data).hexdigest()), (size, name))
        (self.pack / "more.bin").write_text("more")
        self.done("pack", "build", self.pack)
        self.assert_refused_after_output(
            run("pack", "sign", self.pack, "--key", self.key, "--publish", tree), "give it a new version")

    def test_publishing_says_what_was_written_what_was_there_and_when_nothing_changed(self):
        self.make_key()
        tree = self.folder / "cdn"
        sign = ("pack", "sign", self.pack, "--key", self.key, "--publish", tree)
        version = json.loads((self.pack / "character.json").read_text())["version"]
        place = "characters/luna-anime/"
        names = "%s%s.json, %slatest.json" % (place, version, place)
        first = self.done(*sign)
        count = len(os.listdir(tree / "chunks"))
        self.assertEqual(first.splitlines()[1:], [
            "published: %s" % tree, "  written: %s, %d chunks" % (names, count)])
        self.assertTrue(first.startswith("signed by "))
        before = {path: path.stat().st_mtime_ns for path in tree.rglob("*")}
        again = self.done(*sign)
        self.assertTrue(again.startswith("already signed by "))
        self.assertEqual(again.splitlines()[1:], [
            "nothing changed: %s" % tree, "  there already: %s, %d chunks" % (names, count)])
        self.assertEqual({path: path.stat().st_mtime_ns for path in tree.rglob("*")}, before)
        min((tree / "chunks").iterdir()).unlink()
        self.assertEqual(self.done(*sign).splitlines()[2:], [
            "  written: 1 chunk", "  there already: %s, %d chunks" % (names, count - 1)])
        manifest = json.loads((self.pack / "character.json").read_text())
        (self.pack / "character.json").write_text(json.dumps({**manifest, "version": "2020.01.01.1"}))
        self.assertEqual(self.done(*sign).splitlines()[2:], [
            "  written: %s2020.01.01.1.json" % place, "  there already: %d chunks" % count,
            "  latest.json goes on to name %s, which is newer" % version])

    def assert_refused_after_output(self, result, needle):
        status, _, err = result
        self.assertEqual(status, 1)
        self.assertIn(needle, err)


class Published(PackCase):
    """Characters at an address."""

    def setUp(self):
        super().setUp()
        self.make_key()
        self.tree = self.folder / "www/v1"
        self.tree.parent.mkdir()
        self.done("pack", "sign", self.pack, "--key", self.key, "--publish", self.tree)
        self.asked = asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                asked.append((self.path, self.headers.get("Authorization")))

        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=self.tree.parent))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = "http://127.0.0.1:%d/v1/characters/luna-anime" % server.server_port

    def test_a_character_is_inspected_and_verified_where_it_is_published(self):
        version = json.loads((self.pack / "character.json").read_text())["version"]
        for address in (self.address, self.address + "/", self.address + "/latest.json",
                        "%s/%s.json" % (self.address, version)):
            shown = json.loads(self.done("pack", "inspect", address, "--json"))
            self.assertEqual((shown["character"], shown["version"]), ("luna-anime", version))
        self.assertIn("not checked", self.done("pack", "inspect", self.address))
        self.assertIn("intact, signed by ", self.done("pack", "verify", self.address, "--keys", self.public_keys()))

    def test_only_a_trusted_signature_and_whole_chunks_are_intact(self):
        self.assert_refused(1, run("pack", "verify", self.address), "--keys")
        other = self.folder / "other.json"
        self.make_key(other)
        self.assert_refused(1, run("pack", "verify", self.address, "--keys", other), "not trusted")
        chunk = max((self.tree / "chunks").iterdir(), key=lambda path: path.stat().st_size)
        data = bytearray(chunk.read_bytes())
        data[100] ^= 1
        chunk.write_bytes(data)
        status, _, err = run("pack", "verify", self.address, "--keys", self.key, "--quiet")
        self.assertEqual(status, 1)
        self.assertIn("did not arrive as it was published", err)
        self.assert_refused(1, run("pack", "verify", self.address + "/2020.01.01.1", "--keys", self.key), "no such")

    def test_what_was_downloaded_is_kept_where_that_is_asked(self):
        cache = self.folder / "cache"
        self.done("pack", "verify", self.address, "--keys", self.key, "--cache", cache)
        del self.asked[:]
        self.done("pack", "verify", self.address, "--keys", self.key, "--cache", cache)
        self.assertEqual([path for path, _ in self.asked if "/chunks/" in path], [])
        self.assert_refused(2, run("pack", "verify", self.pack, "--cache", cache), "--cache belongs to an address")

    def test_a_download_that_is_ended_leaves_no_folder(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            address = "http://127.0.0.1:%d/v1/characters/luna-anime" % silent.getsockname()[1]
            scratch = self.folder / "tmp"
            scratch.mkdir()
            verify = subprocess.Popen(
                [test_commands.YOOB, "pack", "verify", address, "--keys", self.key, "--quiet"],
                env={**os.environ, "TMPDIR": str(scratch)})
            self.addCleanup(verify.kill)
            silent.accept()
            verify.terminate()
            self.assertEqual(verify.wait(60), 143)
        self.assertEqual(list(scratch.iterdir()), [])

    def test_the_token_of_the_environment_is_sent_and_never_shown(self):
        os.environ["YOOB_DOWNLOAD_TOKEN"] = "yg1.secret"
        self.addCleanup(os.environ.pop, "YOOB_DOWNLOAD_TOKEN")
        out = self.done("pack", "inspect", self.address)
        self.assertEqual(self.asked[-1][1], "Bearer yg1.secret")
        self.assertNotIn("secret", out)

    def test_a_server_that_is_not_there_is_named(self):
        address = "http://127.0.0.1:9/v1/characters/luna-anime"
        self.assert_refused(1, run("pack", "inspect", address), "127.0.0.1:9")

    def test_a_signed_folder_is_drawn_with_its_key_alone(self):
        (self.pack / "character.json").unlink()
        sheet = self.folder / "sheet.png"
        self.assert_refused(1, run("render", "--pack", self.pack, "--sheet", sheet), "--keys")
        self.done("render", "--pack", self.pack, "--keys", self.key, "--sheet", sheet, "--size", "128", "--quiet")
        self.assertEqual(sheet.read_bytes()[:4], b"\x89PNG")


class Looking(PackCase):
    def test_inspect_shows_what_the_pack_says_signed_or_not(self):
        manifest = json.loads((self.pack / "character.json").read_text())
        shown = json.loads(self.done("pack", "inspect", self.pack, "--json"))
        self.assertEqual(shown["character"], "luna-anime")
        self.assertEqual(shown["version"], manifest["version"])
        self.assertEqual(shown["bytes"], sum(file["size"] for file in manifest["files"]))
        self.assertNotIn("signed_by", shown)
        self.assertEqual(
            [(file["path"], file["chunks"]) for file in shown["files"]],
            [(file["path"], -(-file["size"] // 1_048_576)) for file in manifest["files"]])
        self.make_key()
        self.done("pack", "sign", self.pack, "--key", self.key)
        (self.pack / "character.json").unlink()
        shown = json.loads(self.done("pack", "inspect", self.pack, "--json"))
        self.assertEqual(shown["signed_by"], json.loads(self.key.read_text())["id"])
        text = self.done("pack", "inspect", self.pack)
        self.assertIn("not checked", text)
        self.assertIn("puppet.bin", text)

    def test_what_is_no_address_of_a_character_is_said_so(self):
        for action in ("verify", "inspect"):
            for address in ("https://example.org/luna", "https://example.org/v1/characters/", "http://a/v1/characters/A",
                            "https://example.org/v1/characters/luna/new", "https://a/v1/characters/luna?x=1"):
                self.assert_refused(2, run("pack", action, address), "not the address of a character")
        self.assert_refused(1, run("pack", "build", "https://example.org/v1/characters/luna"), "works on a folder")

    def test_wrong_command_lines_exit_with_2_and_usage(self):
        for arguments in (
            ["pack"], ["pack", "--json"], ["pack", "frobnicate", "x"], ["pack", "build"],
            ["pack", "build", "a", "b"], ["pack", "sign", "a"], ["pack", "verify", "a", "--key", "x"],
            ["pack", "inspect", "a", "--keys", "x"], ["keys"], ["keys", "signing"],
            ["keys", "signing", "create"], ["keys", "list"],
        ):
            self.assert_refused(2, run(*arguments), "Usage: yoob " + arguments[0])


if __name__ == "__main__":
    unittest.main()
