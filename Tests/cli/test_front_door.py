"""`./run` and the program say the same."""

import json
import os
import subprocess
import unittest

from test_commands import FIXTURES, ROOT, run

import test_commands


class FrontDoor(test_commands.Case):
    def test_run_knows_the_commands_of_the_program(self):
        script = f'. "{ROOT}/scripts/setup/all.sh"; printf "  %s\\n" "${{commands[@]}}"'
        known = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True).stdout
        status, out, _ = run("--help")
        self.assertEqual(status, 0)
        self.assertEqual(known.splitlines(), [line for line in out.splitlines() if line.startswith("  ")])

    def test_run_tells_the_help_of_the_program_word_for_word(self):
        for command in (line.split()[0] for line in run("--help")[1].splitlines() if line.startswith("  ")):
            told = subprocess.run([ROOT / "run", command, "--help"], capture_output=True, text=True, timeout=60, check=True)
            self.assertEqual(told.stdout, run(command, "--help", environment={"YOOB_COMMAND": "./run"})[1])
            self.assertEqual(told.stderr, "")
            for line in told.stdout.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_run_tells_the_version_of_the_program(self):
        told = subprocess.run([ROOT / "run", "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
        self.assertEqual(told, run("--version")[1])

    def test_what_is_typed_is_what_is_named(self):
        named = {"YOOB_COMMAND": "./run"}
        commands = [line.split()[0] for line in run("--help")[1].splitlines() if line.startswith("  ")]
        self.assertIn("talk", commands)
        for command in commands:
            status, out, _ = run(command, "--help", environment=named)
            self.assertEqual(status, 0)
            self.assertIn(f"Usage: ./run {command}", out)
            self.assertNotIn("yoob " + command, out)
        self.assertIn("Usage: ./run COMMAND", run("--help", environment=named)[1])
        status, _, err = run("say", "x", "--output", self.folder / "o.wav", "--tts", "nobody", environment=named)
        self.assertEqual(status, 1)
        self.assertIn("./run say: There is no model “nobody”. `./run models list`", err)
        status, _, err = run("transcribe", environment=named)
        self.assertEqual((status, err.splitlines()[-1]), (2, "./run transcribe: Name one WAV file."))
        self.assertIn("`./run models download ID`", run("models", "list", environment=named)[1])

    def test_what_is_wrong_stands_below_a_short_usage(self):
        status, out, err = run("talk", "--nonsense")
        self.assertEqual((status, out), (2, ""))
        lines = err.splitlines()
        self.assertTrue(lines[0].startswith("Usage: yoob talk "))
        self.assertEqual(lines[-1], "yoob talk: Unknown option --nonsense.")
        self.assertIn("yoob talk --help explains the options.", lines)
        self.assertLess(len(lines), 8)
        for arguments, last in ((["tlak"], "yoob: there is no command “tlak”."), (["--llm"], "yoob: a command comes before --llm.")):
            self.assertEqual(run(*arguments)[2].splitlines()[-1], last)

    def test_options_that_would_be_ignored_are_refused(self):
        sound = self.folder / "o.wav"
        for arguments, option in (
            (["bench", "face", "--rounds", "0"], "--rounds"), (["bench", "turn", "--part", "dev"], "--part"),
            (["bench", "stream", "--fast"], "--fast"), (["say", "Hi.", "--output", sound, "--size", "300"], "--size"),
            (["say", "Hi.", "--output", sound, "--transparent"], "--transparent"), (["talk", "--fps", "10"], "--fps"),
            (["talk", "--input", FIXTURES / "question-sky.wav", "--output", sound, "--aspect", "wide"], "--aspect"),
            (["render", FIXTURES / "question-sky.wav", "--visemes", self.folder / "v.json", "--size", "300"], "--size"),
        ):
            status, out, err = run(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(option, err.splitlines()[-1])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_help_names_only_what_the_command_has(self):
        for command in ("say", "talk"):
            _, usage, _ = run(command, "--help")
            for word in ("--frames", "sheet", "strip"):
                self.assertNotIn(word, usage)
        _, usage, _ = run("render", "--help")
        self.assertIn("--frames", usage)
        for command in ("talk", "serve"):
            _, usage, _ = run(command, "--help")
            for word in ("--llm ID|ADDRESS", "YOOB_LLM_KEY", "http://127.0.0.1:11434/v1#llama3.2", "--system-prompt"):
                self.assertIn(word, usage)

    def test_one_fault_has_one_remedy(self):
        empty = {"YOOB_HOME": str(self.folder), "PATH": ""}
        status, out, _ = run("doctor", "--json", environment=empty)
        self.assertEqual(status, 1)
        found = json.loads(out)["findings"]
        missing = [finding for finding in found if finding["state"] == "missing" and finding["essential"]]
        self.assertIn("engines", [finding["subject"] for finding in missing])
        self.assertIn("page", [finding["subject"] for finding in found])
        self.assertEqual({finding["remedy"] for finding in missing}, {"./run"})
        before = subprocess.run(
            ["bash", "-c", f'. "{ROOT}/scripts/setup/all.sh"; basic_doctor --json'], capture_output=True, text=True,
            timeout=60, env={**os.environ, "YOOB_HOME": str(self.folder)})
        told = {finding["subject"]: finding["remedy"] for finding in json.loads(before.stdout)["findings"]}
        self.assertEqual((told["engines"], told["models"]), ("./run", "./run"))

    def test_the_marks_of_the_list_of_models_are_explained_and_sizes_agree(self):
        _, listed, _ = run("models", "list")
        for mark in ("not here", "by hand", "no engine"):
            self.assertRegex(listed, f"(?m)^{mark}: ")
        _, examined, _ = run("doctor")
        for line in listed.splitlines():
            if line.startswith("*") and " here " in line:
                name, size = line.split()[1], " ".join(line.split()[3:5])
                self.assertIn(f"model {name}: {size},", examined)


if __name__ == "__main__":
    unittest.main(verbosity=1)
