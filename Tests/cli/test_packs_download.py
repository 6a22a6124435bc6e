"""Characters from servers that misbehave, and the bench of downloads that are killed."""

import contextlib
import http.server
import threading

import test_commands
from test_commands import run
from test_packs import PackCase


class Misbehaving(PackCase):
    """Servers that answer with something else than was published."""

    PAGE = b"<!doctype html><title>Log in</title>"

    def setUp(self):
        super().setUp()
        self.make_key()
        self.tree = self.folder / "www/v1"
        self.tree.parent.mkdir()
        self.done("pack", "sign", self.pack, "--key", self.key, "--publish", self.tree)

    def serve(self, answer):
        """A server of the tree. `answer` gets a path, the file and how often that was asked for, and returns nothing
        to serve it, or status, fields and body; a body that is None breaks the connection off in the middle."""
        # Of this server alone: one before it may still have requests under way.
        self.asked, root = [], self.tree.parent
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                data = (root / self.path[1:]).read_bytes()
                asked.append((self.path, self.headers.get("Range")))
                count = sum(path == self.path for path, _ in asked)
                start = int((self.headers.get("Range") or "bytes=0-")[6:-1])
                status, fields, body = answer(self.path, data, count) or (
                    206 if start else 200, {"Content-Range": "bytes %d-%d/%d" % (start, len(data) - 1, len(data))},
                    data[start:])
                self.send_response(status)
                for name, value in {"Content-Length": len(data) if body is None else len(body), **fields}.items():
                    if value is not None:
                        self.send_header(name, value)
                # Who does not want the answer hangs up.
                with contextlib.suppress(ConnectionError):
                    self.end_headers()
                    self.wfile.write(data[:len(data) // 2] if body is None else body)
                if body is None or fields.get("Content-Length", 0) is None:
                    self.close_connection = True

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.base = "http://127.0.0.1:%d/v1/" % server.server_port
        return self.base + "characters/luna-anime"

    def verify(self, answer):
        return run("pack", "verify", self.serve(answer), "--keys", self.key, "--quiet")

    def most_attempts(self):
        paths = [path for path, _ in self.asked]
        return max(paths.count(path) for path in paths)

    def test_a_chunk_that_is_something_else_is_told_with_its_address_and_is_not_asked_for_again(self):
        for fields, status, body, words in (
            ({"Content-Type": "text/html"}, 200, self.PAGE, "a web page came instead of chunk "),
            ({}, 200, b"12345", "5 bytes were announced for chunk "),
            ({}, 200, bytes(2 << 20), "more bytes came for chunk "),
            ({"Location": "http://other.example/x"}, 302, b"", "leads to http://other.example/x for chunk "),
            ({"Location": "https://127.0.0.1/y"}, 307, b"", "leads to https://127.0.0.1/y for chunk "),
            ({}, 418, b"", "answered with status 418 instead of chunk "),
        ):
            with self.subTest(words):
                result = self.verify(lambda path, _data, _count: (status, fields, body) if "/chunks/" in path else None)
                self.assert_refused(1, result, self.base + "chunks/", words)
                self.assertRegex(result[2], r"chunks/([0-9a-f]{12})[0-9a-f]{52}: .*chunk \1 of [0-9]+ bytes")
                self.assertEqual(self.most_attempts(), 1)

    def test_a_manifest_that_is_something_else_is_told_with_its_address(self):
        for fields, status, body, words in (
            ({"Content-Type": "text/html"}, 200, self.PAGE, "a web page came instead of a manifest"),
            ({}, 200, self.PAGE, "a web page came instead of a manifest"),
            ({"Location": "/v1/characters/luna-anime/latest.json"}, 301, b"", "no redirect is followed"),
            ({}, 200, b'{"keyId": "a", "keyId": "b"}', "“keyId” stands twice in one object"),
        ):
            address = self.serve(lambda path, _data, _count: None if "/chunks/" in path else (status, fields, body))
            for command in (("inspect", address), ("verify", address, "--keys", self.key)):
                del self.asked[:]
                self.assert_refused(1, run("pack", *command), address, words)
                self.assertEqual(len(self.asked), 1)

    def test_wrong_bytes_are_fetched_again_once(self):
        for fields, change in (({}, lambda data: bytes(len(data))), ({"Content-Length": None}, lambda data: data[:5])):
            result = self.verify(
                lambda path, data, _count: (200, fields, change(data)) if "/chunks/" in path else None)
            self.assert_refused(1, result, self.base + "chunks/", "did not arrive as it was published")
            self.assertEqual(self.most_attempts(), 2)

    def test_a_chunk_that_breaks_off_goes_on_from_the_byte_it_had(self):
        status, out, err = self.verify(
            lambda path, _data, count: (200, {}, None) if "/chunks/" in path and count == 1 else None)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("intact", out)
        sizes = {path.name: path.stat().st_size for path in (self.tree / "chunks").iterdir()}
        ranges = {path.rsplit("/", 1)[1]: asked for path, asked in self.asked if asked}
        self.assertEqual(ranges, {name: "bytes=%d-" % (size // 2) for name, size in sizes.items()})


class Benches(test_commands.Case):
    def test_the_killed_downloads_are_told_in_tenths_and_no_line_comes_twice(self):
        status, out, err = run("bench", "resume", "--kills", 20, "--megabytes", 2)
        self.assertEqual(status, 0, err)
        lines = err.splitlines()
        self.assertTrue(all(line.startswith("Killed in the middle of a download: ") for line in lines), err)
        self.assertEqual(len(lines), len(set(lines)))
        self.assertTrue(5 <= len(lines) <= 11, err)
        self.assertIn("20 downloads of 2 MB were killed", out)
