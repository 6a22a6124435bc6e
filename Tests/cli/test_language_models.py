"""Conversations with a language model of one's own, and with the one of the house."""

import http.server
import json
import socket
import subprocess
import threading
import unittest
import wave

import test_commands
from test_commands import FIXTURES, YOOB, ask, run, word_errors, words


class Answers(http.server.BaseHTTPRequestHandler):
    """A chat server whose manners the model's name chooses."""

    def log_message(self, *_):
        pass

    def answer(self, status, kind, text):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        self.answer(200, "application/json", json.dumps({"data": [{"id": "good"}, {"id": "broken"}]}))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body["model"] == "unknown":
            self.answer(404, "application/json", json.dumps({"error": {"message": "model 'unknown' not found"}}))
            return
        if body["model"] == "file-server":
            self.answer(501, "text/html", "<!DOCTYPE HTML>\n<html><head><title>Error</title></head></html>\n")
            return
        if body["model"] == "broken":
            self.send_error(500, "broken")
            return
        self.send_response(200)
        self.end_headers()
        if body["model"] == "page":
            self.wfile.write(b"<html>hello</html>")
            return
        pieces = ("Paris is ", "the capital ", "of France.")
        if body["model"] == "marked":
            pieces = ("# Ans", "wer\n", "**Par", "is** is *", "*the* cap", "ital_ of", " `Fra", "nce`, 2 * 3 ", "and a_b.")
        if body["model"] == "prompted":
            pieces = tuple(m["content"] for m in body["messages"] if m["role"] == "system")
        for piece in pieces:
            event = {"choices": [{"delta": {"content": piece}, "finish_reason": None}]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")


class OtherModels(test_commands.Case):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def talk(self, address):
        output = self.folder / "answer.wav"
        result = run("talk", "--quiet", "--input", FIXTURES / "question-france.wav", "--output", output, "--llm", address)
        return output, result

    def test_an_answer_can_come_from_a_server_of_ones_own(self):
        output, (status, _, err) = self.talk(f"http://127.0.0.1:{self.server.server_port}/v1#good")
        self.assertEqual(status, 0, err)
        _, heard, _ = run("transcribe", output)
        self.assertLessEqual(word_errors("Paris is the capital of France.", heard), 0.2, heard)

    def test_a_model_that_fails_is_an_error_that_names_it(self):
        for address in (f"127.0.0.1:{self.server.server_port}/v1#broken", f"127.0.0.1:{self.server.server_port}/v1#page",
                        "127.0.0.1:9/v1#m"):
            output, result = self.talk("http://" + address)
            self.assert_refused(1, result, address.split("#")[0])
            self.assertFalse(output.exists())

    def test_a_server_that_refuses_is_explained_in_one_clean_line(self):
        base = f"127.0.0.1:{self.server.server_port}/v1"
        _, result = self.talk(f"http://{base}#unknown")
        self.assert_refused(1, result, "answered 404 (not found): model 'unknown' not found.",
                            "It has no “unknown”. Name one of its models behind #: good, broken.")
        _, result = self.talk(f"http://{base}#file-server")
        self.assert_refused(1, result, "answered 501 (not implemented).", "OpenAI-compatible server")
        self.assertNotIn("<", result[2])

    def test_what_cannot_be_a_model_is_refused_before_anything_is_loaded(self):
        for command in (["serve", "--demo", "--port", "0"], ["talk", "--input", FIXTURES / "question-sky.wav"]):
            for option, value, text in (("--llm", "nobody", "There is no model “nobody”"),
                                        ("--llm", "ftp://h", "is not the address of a language model"),
                                        ("--stt", "nobody", "There is no model “nobody”"),
                                        ("--tts", "nobody", "There is no model “nobody”")):
                self.assert_refused(1, run(*command, option, value, timeout=60), text)

    def test_captions_show_no_marks_of_markdown(self):
        address = f"http://127.0.0.1:{self.server.server_port}/v1#marked"
        events = self.folder / "events.jsonl"
        status, _, err = run("talk", "--input", FIXTURES / "question-france.wav", "--events", events, "--llm", address)
        self.assertEqual(status, 0, err)
        self.assertIn("Luna: Answer\nParis is the capital of France, 2 * 3 and a_b.\n", err)
        self.assertEqual(err.splitlines()[-1], f"Wrote {events}")
        lines = events.read_text().splitlines()
        self.assertIn("**Par", "".join(json.loads(line).get("text", "") for line in lines))
        for line in lines:
            self.assertNotRegex(line, r"\d\.\d{3}")

    def test_the_server_takes_models_and_a_prompt(self):
        process = subprocess.Popen(
            [str(YOOB), "serve", "--demo", "--port", "0", "--system-prompt", "You are a lamp.",
             "--llm", f"http://127.0.0.1:{self.server.server_port}/v1#prompted"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        ready = process.stdout.readline()
        port = int(ready.rstrip("/\n").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            seen = ask(client, port, "What are you?", b"response.output_audio_transcript.done")
        transcripts = [part for part in seen.split(b'"transcript":"')[1:]]
        self.assertIn(b"You are a lamp.", b"".join(transcripts), seen[-2000:])

    def test_a_conversation_is_answered_in_sound_film_and_events(self):
        film, events = self.folder / "answer.mp4", self.folder / "events.jsonl"
        status, out, err = run("talk", "--quiet", "--input", FIXTURES / "question-france.wav", "--output", film,
                               "--events", events, "--llm", f"http://127.0.0.1:{self.server.server_port}/v1#good")
        self.assertEqual((status, out), (0, ""), err)
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        kinds = [line["type"] for line in lines]
        finals = [line for line in lines if line["type"] == "userTranscribed" and line["isFinal"]]
        self.assertEqual(len(finals), 1, lines)
        self.assertLessEqual(word_errors("What is the capital of France?", finals[0]["text"]), 0.2)
        partials = [line for line in lines if line["type"] == "userTranscribed" and not line["isFinal"]]
        self.assertTrue(partials)
        self.assertLess(lines.index(partials[0]), kinds.index("speechEnded"))
        states = [line["state"] for line in lines if line["type"] == "agentStateChanged"]
        self.assertEqual(states[-3:], ["thinking", "speaking", "listening"])
        self.assertLess(kinds.index("speechStarted"), kinds.index("speechEnded"))
        metrics = next(line for line in lines if line["type"] == "metrics")
        for key in ("endpoint_ms", "stt_ms", "llm_first_token_ms", "tts_first_audio_ms", "first_audio_ms"):
            self.assertGreater(metrics[key], 0, key)
        self.assertGreater(kinds.count("playback"), 1)
        reply = "".join(line["text"] for line in lines if line["type"] == "agentResponse")
        self.assertEqual(reply, "Paris is the capital of France.")
        sound = self.folder / "answer.wav"
        subprocess.check_call(["ffmpeg", "-v", "error", "-i", str(film), str(sound)])
        status, heard, err = run("transcribe", sound)
        self.assertEqual(status, 0, err)
        self.assertLessEqual(word_errors(reply, heard), 0.2, (reply, heard))

    def test_the_model_of_the_house_answers_too(self):
        sound, events = self.folder / "answer.wav", self.folder / "events.jsonl"
        status, _, err = run("talk", "--quiet", "--input", FIXTURES / "question-france.wav", "--output", sound,
                             "--events", events)
        self.assertEqual(status, 0, err)
        lines = [json.loads(line) for line in events.read_text().splitlines()]
        reply = "".join(line["text"] for line in lines if line["type"] == "agentResponse")
        self.assertTrue(words(reply), lines)
        with wave.open(str(sound)) as answer:
            samples = memoryview(answer.readframes(answer.getnframes())).cast("h")
        self.assertGreater(max(samples), 2000)


if __name__ == "__main__":
    unittest.main(verbosity=1)
