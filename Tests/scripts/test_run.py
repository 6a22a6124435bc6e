"""The shell side: `./run` and what it is made of."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading

from scratch import ROOT, ScratchHome


def hear_interrupts():
    """A shell cannot trap a signal that was ignored when it began, as for the jobs of a script."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class RunTests(ScratchHome):
    def shell(self, script, **environment):
        """Runs a bash script with the set-up scripts loaded."""
        text = f'set -euo pipefail; . "{ROOT}/scripts/setup/common.sh"; {script}'
        return subprocess.run(["bash", "-c", text], env={**os.environ, **environment},
                              capture_output=True, text=True, timeout=60)

    def start(self, script, **environment):
        """Starts a bash script with the set-up scripts loaded; a hung one is ended after a minute."""
        text = f'set -euo pipefail; . "{ROOT}/scripts/setup/common.sh"; {script}'
        process = subprocess.Popen(["bash", "-c", text], env={**os.environ, "YOOB_LOCKED": "", **environment},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=hear_interrupts)
        guard = threading.Timer(60, process.kill)
        guard.start()
        for close in (process.wait, process.kill, guard.cancel, process.stdout.close, process.stderr.close):
            self.addCleanup(close)
        return process

    def read_until(self, stream, pattern):
        """The lines of a stream up to the first that matches."""
        lines = []
        for line in stream:
            lines.append(line)
            if re.search(pattern, line):
                return lines
        self.fail(f"no line matches {pattern}: {lines}")

    def bare(self, *arguments):
        """`./run` where hardly a program is installed and nothing is set up."""
        tools = tempfile.TemporaryDirectory()
        self.addCleanup(tools.cleanup)
        for name in ("bash", "env", "dirname", "readlink", "uname"):
            os.symlink(shutil.which(name), os.path.join(tools.name, name))
        return subprocess.run([os.path.join(ROOT, "run"), *arguments], capture_output=True, text=True,
                              env={"PATH": tools.name, "HOME": self.home}, timeout=60)

    def test_without_swift_it_says_how_to_get_it(self):
        result = self.bare("talk")
        self.assertEqual(result.returncode, 1)
        self.assertIn("https://www.swift.org/install/linux", result.stderr)

    def test_help_needs_no_set_up(self):
        for arguments in (["--help"], ["-h"], ["help"], ["--offline", "--help"]):
            result = self.bare(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            for text in ("talking character", "  transcribe  ", "--offline", "./run doctor"):
                self.assertIn(text, result.stdout)
        for arguments, text in (
            (["help", "talk"], "--system-prompt TEXT"), (["talk", "--help"], "--burn-in"), (["--offline", "say", "-h"], "--voice NAME"),
            (["pack", "--help"], "inspect DIR|URL"), (["pack", "build", "--help"], "--output DIR"),
            (["bench", "--help"], "  turn  "), (["bench", "face", "--help"], "--baseline"),
        ):
            result = self.bare(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""), arguments)
            self.assertTrue(result.stdout.startswith("Usage: ./run "), arguments)
            self.assertIn(text, result.stdout)
        self.assertEqual(os.listdir(self.home), ["downloads"])

    def needs(self, *arguments):
        line = " ".join(arguments)
        return self.shell(f'. "{ROOT}/scripts/setup/all.sh"; needs_of {line}; echo $needs').stdout.split()

    def test_a_command_sets_up_what_it_needs(self):
        for arguments, needs in (
            ((), ["models", "page"]), (("serve", "--demo"), ["models", "page"]), (("talk",), ["models"]), (("say", "x"), ["models"]),
            (("pack", "build", "turn"), []), (("keys",), []), (("devices",), []), (("models", "download", "x"), []),
            (("render", "a.wav", "--output", "o.mp4"), []), (("render", "a.wav", "--subtitles=o.srt"), ["models"]),
            (("render", "a.wav", "--burn-in"), ["models"]), (("bench", "face"), []), (("bench", "resume", "--kills", "1"), []),
            (("bench", "--quiet", "turn"), ["models"]), (("transcribe", "a.wav"), ["models"]), (("unheard-of",), ["models", "page"]),
        ):
            self.assertEqual(self.needs(*arguments), needs, arguments)

    def test_every_command_is_in_the_table_of_needs(self):
        script = f'. "{ROOT}/scripts/setup/all.sh"; printf "%s\n" "${{commands[@]%% *}}"'
        commands = self.shell(script).stdout.split()
        self.assertIn("bench", commands)
        with open(os.path.join(ROOT, "scripts/setup/needs.sh"), encoding="utf-8") as stream:
            table = stream.read()
        for command in commands:
            self.assertRegex(table, rf"[ |]{command}( \||\))")

    def plan(self, prepared, missing, script="plan_set_up", **environment):
        """What is told of set-up where these parts are there and those are not."""
        known = "".join(f"{part}() {{ {result}; }}; " for parts, result in ((prepared, "true"), (missing, "false")) for part in parts)
        return self.shell(f'. "{ROOT}/scripts/setup/all.sh"; nproc() {{ echo 2; }}; {known}{script}', **environment)

    def test_light_commands_wait_for_no_model_and_no_page(self):
        parts = ("sherpa_ready", "llama_ready", "voice_processing_ready", "models_ready", "command_is_current", "wasm_is_current",
                 "web_is_current", "web_tools_are_there")
        script = 'program="$YOOB_HOME/none"; needs_of pack build x; plan_set_up'
        told = self.plan((), parts, script, YOOB_OFFLINE="").stderr
        self.assertIn("llama.cpp", told)
        self.assertNotRegex(told, "models|page|browsers")
        told = self.plan((), parts, script.replace("pack", "serve"), YOOB_OFFLINE="").stderr
        self.assertRegex(told, "(?s)models.*page")

    def test_offline_long_work_is_announced_and_begins_only_where_it_can_end(self):
        missing = ("llama_ready", "models_ready", "command_is_current")
        there = ("sherpa_ready", "voice_processing_ready", "wasm_is_current", "web_is_current")
        begin = ('program="$YOOB_HOME/none" swift_identity=x python=true; take_lock() { :; }; step() { echo "$1"; }; '
                 "plan_set_up; ensure_llama")
        result = self.plan((*there, "have_downloads"), missing, begin)
        self.assertRegex(result.stderr, r"Set-up of llama\.cpp, .*the program:\n4 steps, about \d+ to \d+ minutes")
        self.assertRegex(result.stdout, r"Building llama\.cpp \(once, \d+ to \d+ minutes\)")
        # Without Swift there is no program in the end.
        result = self.plan((*there, "have_downloads"), missing, begin.replace("swift_identity=x", ""))
        self.assertNotIn("llama.cpp", result.stdout + result.stderr)
        result = self.plan(there, (*missing, "have_downloads"), begin)
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_the_tests_explain_themselves_without_set_up(self):
        for option, code, stream in (("--help", 0, "stdout"), ("--nonsense", 2, "stderr")):
            result = subprocess.run([os.path.join(ROOT, "test"), option], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, code)
            self.assertTrue(getattr(result, stream).startswith("usage: ./test [--smoke] [--offline]"))
        self.assertEqual(os.listdir(self.home), ["downloads"])

    def test_the_version_needs_no_set_up(self):
        result = self.bare("--version")
        self.assertRegex(result.stdout, r"^yoob \d+\.\d+\.\d+\n$")

    def test_a_mistyped_command_is_refused_at_once_and_the_last_line_says_why(self):
        for arguments, last in (
            (["tlak"], "./run: there is no command “tlak”."), (["help", "tlak"], "./run: there is no command “tlak”."),
            (["--llm", "http://h/v1#m"], "./run: a command comes before --llm, such as: ./run serve --demo --llm http://h/v1#m"),
            (["--system-prompt", "a b"], "./run: a command comes before --system-prompt, such as: ./run serve --demo "
                                         "--system-prompt a\\ b"),
        ):
            result = self.bare(*arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertEqual(result.stderr.splitlines()[-1], last)
        self.assertEqual(os.listdir(self.home), ["downloads"])

    def test_a_command_that_needs_words_sets_nothing_up_without_them(self):
        for command in ("pack", "keys", "bench", "models", "say", "render", "transcribe"):
            script = (f'. "{ROOT}/scripts/setup/all.sh"; program=/nowhere; answer_early {command}; echo begun')
            result = self.shell(script)
            self.assertEqual((result.returncode, result.stdout), (2, ""), command)
            self.assertTrue(result.stderr.startswith(f"Usage: ./run {command}"), command)
            self.assertIn(f"“{command}” needs more than its name", result.stderr.splitlines()[-1])

    def test_mistakes_that_set_up_does_not_mend_are_refused_before_it(self):
        folder = os.path.join(self.home, "sounds")
        os.makedirs(folder)
        with open(os.path.join(folder, "a.wav"), "wb"):
            pass
        for arguments, code, last in (
            ("say Hello --bogus", 2, "./run say: Unknown option --bogus."),
            ("say Hello --outputs=x.wav", 2, "./run say: Unknown option --outputs."),
            ("pack inspect --bogus x", 2, "./run pack: Unknown option --bogus."),
            ("transcribe missing.wav", 1, "./run transcribe: missing.wav does not exist. Name a WAV file."),
            ("render a.wav b.wav --output x.mp4", 1, "./run render: b.wav does not exist. Name a WAV file."),
            ("talk --input missing.wav", 1, "./run talk: missing.wav does not exist. Name a WAV file."),
            ("pack verify missing", 1, "./run pack: the folder missing does not exist."),
        ):
            result = self.shell(f'. "{ROOT}/scripts/setup/all.sh"; cd "{folder}"; program=/nowhere; '
                                f"answer_early {arguments}; echo begun")
            self.assertEqual((result.returncode, result.stdout), (code, ""), arguments)
            self.assertEqual(result.stderr.splitlines()[-1], last)
        for arguments in ("say 'What is missing.wav' --output new.wav", "say -- --bogus", "transcribe a.wav --quiet",
                          "talk --input a.wav --output new.wav", "pack verify https://h/v1/characters/a",
                          "render --sheet sheet.png", "bench face --baseline", "serve --demo --port=0"):
            result = self.shell(f'. "{ROOT}/scripts/setup/all.sh"; cd "{folder}"; program=/nowhere; '
                                f"answer_early {arguments}; echo begun")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "begun\n", ""), arguments)

    def test_the_doctor_says_before_set_up_what_is_missing_and_what_mends_it(self):
        result = self.bare("doctor")
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        self.assertRegex(result.stdout, "(?m)^MISSING  Swift: .*\n +mend it: .*https://www.swift.org/install/linux$")
        self.assertRegex(result.stdout, "(?m)^MISSING  engines: .*llama.cpp.*\n +mend it: ./run$")
        self.assertEqual(self.bare("doctor", "now").returncode, 2)
        self.assertEqual(os.listdir(self.home), ["downloads"])
        document = json.loads(self.bare("doctor", "--json").stdout)
        self.assertIs(document["ready"], False)
        found = {finding["subject"]: finding for finding in document["findings"]}
        self.assertEqual(found["engines"]["state"], "missing")
        self.assertIs(found["engines"]["essential"], True)

    def test_the_steps_of_set_up_are_counted(self):
        script = (f'. "{ROOT}/scripts/setup/all.sh"; nproc() {{ echo 2; }}; ready=; '
                  "for part in sherpa_ready libraries_ready; do eval \"$part() { false; }\"; done; "
                  "for part in llama_ready voice_processing_ready models_ready wasm_is_current web_is_current; "
                  'do eval "$part() { true; }"; done; program="$YOOB_HOME/none" YOOB_OFFLINE=; plan_set_up; for step_number in 1 2 3; do step_place; echo; done; '
                  "steps_planned=2 step_number=1; work() { return 1; }; step More Hint. work")
        result = self.shell(script)
        told = result.stderr.splitlines()
        self.assertEqual(told[0], "Set-up of speech engines, the program:")
        self.assertRegex(told[1], r"^2 steps, about 5 to 10 minutes on 2 cores,")
        self.assertEqual(result.stdout.splitlines(), ["[1 of 2] ", "[2 of 2] ", "[3 of 3] "])
        self.assertIn("[2 of 2] More failed.", result.stderr)

    def test_nothing_is_planned_where_all_is_there(self):
        script = (f'. "{ROOT}/scripts/setup/all.sh"; for part in sherpa_ready llama_ready voice_processing_ready '
                  "models_ready command_is_current wasm_is_current web_is_current; "
                  'do eval "$part() { true; }"; done; plan_set_up; echo "$steps_planned"')
        result = self.shell(script)
        self.assertEqual((result.stdout, result.stderr), ("0\n", ""))

    def test_the_progress_of_a_swift_build_never_falls(self):
        lines = "[0/1] Planning build\n[3/3] A\nwarning: x\n[4/9] B\n[2/20] C\n[99/99] D\n"
        script = f'. "{ROOT}/scripts/setup/build.sh"; {{ printf "{lines}" | rising 0 8 10; printf "[1/7] E\n" | rising 8 9 10; }}'
        self.assertEqual(self.shell(script).stdout.splitlines(), [
            "[0/10] Planning build", "[3/10] A", "warning: x", "[4/10] B", "[4/10] C", "[8/10] D", "[9/10] E"])

    def test_offline_with_an_empty_home_it_names_what_is_missing(self):
        result = subprocess.run([os.path.join(ROOT, "run"), "--offline", "talk"], capture_output=True,
                                text=True, env={**os.environ, "YOOB_LOCKED": ""}, timeout=120)
        self.assertEqual(result.returncode, 1)
        for name in ("sherpa-onnx", "llama.cpp", "silero-vad", "hibari-heart"):
            self.assertIn(name, result.stderr)
        self.assertNotRegex(result.stderr, r"\S\(run")

    def test_progress_is_the_last_count_that_a_step_wrote(self):
        log = os.path.join(self.home, "log")
        with open(log, "w", encoding="utf-8") as stream:
            stream.write("[1/9] a\nnoise\n[4/8] b c\nnoise [7/8]\n")
        self.assertEqual(self.shell(f'last_progress "{log}"').stdout, "4 8 b c\n")

    def test_a_bar_shows_its_share(self):
        self.assertEqual(self.shell("bar 1 4").stdout, "[#####...............]  25 %")
        self.assertEqual(self.shell("bar 9 4").stdout, "[####################] 100 %")

    def test_a_failed_step_shows_its_log_and_what_to_do(self):
        result = self.shell('work() { echo first; false; echo second; }; step "Some work" "Do this." work')
        self.assertEqual(result.returncode, 1)
        self.assertIn("first", result.stderr)
        self.assertNotIn("second", result.stderr)
        self.assertIn("Do this.", result.stderr)

    def test_a_fingerprint_changes_with_a_file(self):
        folder = os.path.join(self.home, "sources")
        os.mkdir(folder)
        path = os.path.join(folder, "a")
        seen = set()
        for content in ("1", "22", "333"):
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(content)
            seen.add(self.shell(f'fingerprint "{folder}"').stdout)
        self.assertEqual(len(seen), 3)
        self.assertIn(self.shell(f'fingerprint "{folder}"').stdout, seen)

    def test_the_page_is_built_again_for_its_sources_and_not_for_a_packed_package(self):
        checkout = os.path.join(self.home, "checkout")
        for path in ("scripts/build-web", "web/dist/index.js", "web/src/a.ts", "stamps/wasm", "tools/bin/tsgo"):
            os.makedirs(os.path.dirname(os.path.join(checkout, path)), exist_ok=True)
            with open(os.path.join(checkout, path), "w", encoding="utf-8") as stream:
                stream.write("x")
            os.chmod(os.path.join(checkout, path), 0o755)
        script = (f'. "{ROOT}/scripts/setup/build.sh"; checkout="{checkout}"; scripts="$checkout/scripts"; '
                  'stamps="$checkout/stamps"; ensure_web_tools() { :; }; step() { echo built; }; '
                  'web_tools="$checkout/tools"; ensure_web')
        self.assertEqual(self.shell(script).stdout, "built\n")
        self.assertEqual(self.shell(script).stdout, "")
        for path, expected in (("web/yoob-avatar-0.1.0.tgz", ""), ("web/LICENSE", ""), ("web/src/b.ts", "built\n")):
            with open(os.path.join(checkout, path), "w", encoding="utf-8") as stream:
                stream.write("y")
            self.assertEqual(self.shell(script).stdout, expected, path)

    def test_a_second_set_up_waits_for_the_first(self):
        script = ('take_lock; echo in; touch "$YOOB_HOME/taken"; while [ ! -e "$YOOB_HOME/go" ]; '
                  "do sleep 0.05; done; echo out")
        text = f'set -eu; . "{ROOT}/scripts/setup/common.sh"; '
        environment = {**os.environ, "YOOB_LOCKED": ""}
        first = subprocess.Popen(["bash", "-c", text + script], env=environment, stdout=subprocess.PIPE)
        self.assertEqual(first.stdout.readline(), b"in\n")
        busy = self.shell('exec 9<>"$YOOB_HOME/setup.lock"; flock -n 9 || echo busy')
        self.assertEqual(busy.stdout, "busy\n")
        with open(os.path.join(self.home, "go"), "w", encoding="utf-8"):
            pass
        self.assertEqual(first.communicate(timeout=60)[0], b"out\n")
        free = self.shell('exec 9<>"$YOOB_HOME/setup.lock"; flock -n 9 && echo free')
        self.assertEqual(free.stdout, "free\n")

    def test_without_a_terminal_long_work_tells_how_far_it_is(self):
        work = ('work() { echo "[43/100] a"; while [ ! -e "$YOOB_HOME/go" ]; do sleep 0.05; done; }; '
                'step "Some work (once, long)" "Do this." work')
        process = self.start(work, YOOB_NOTE_EVERY="1")
        self.read_until(process.stderr, r"^Some work … 43 % \(\d+ s\)$")
        with open(os.path.join(self.home, "go"), "w", encoding="utf-8"):
            pass
        self.read_until(process.stderr, r"^Some work \(once, long\): done \(")
        self.assertEqual(process.wait(), 0)

    def test_long_times_are_told_in_minutes(self):
        self.assertEqual(self.shell("duration 59; echo; duration 90").stdout, "59 s\n1 min 30 s")

    def test_who_waits_for_a_killed_set_ups_step_is_told_so_and_can_be_stopped(self):
        work = ('work() { until grep -q "Long work" "$YOOB_HOME/setup.lock"; do sleep 0.05; done; '
                'echo "$BASHPID" >&3; echo "[1/4] a"; sleep 600; }; '
                'exec 3>&1; take_lock; step "Long work" "Hint." work')
        first = self.start(work)
        group = int(first.stdout.readline())
        self.addCleanup(self.end_group, group)
        first.kill()
        first.wait()
        for number in (signal.SIGTERM, signal.SIGINT):
            second = self.start("take_lock; echo taken", YOOB_NOTE_EVERY="1")
            told = self.read_until(second.stderr, "waiting for it")
            self.assertIn("“Long work”", told[-1])
            self.assertIn(f"kill -- -{group}", told[-1])
            self.read_until(second.stderr, r"^Waiting for Long work … 25 % \(\d+ s\)$")
            second.send_signal(number)
            self.assertEqual(second.wait(), 130)
            self.assertEqual(second.stdout.read(), "")
        third = self.start("take_lock; echo taken")
        self.read_until(third.stderr, "waiting for it")
        self.end_group(group)
        self.assertEqual(third.stdout.readline(), "taken\n")

    def end_group(self, group):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def test_who_waits_for_a_set_up_at_work_is_told_its_process_and_step(self):
        work = ('work() { while [ ! -e "$YOOB_HOME/go" ]; do sleep 0.05; done; }; take_lock; echo in; '
                'step "Long work" "Hint." work')
        first = self.start(work)
        self.assertEqual(first.stdout.readline(), "in\n")
        second = self.start("take_lock; echo taken")
        self.read_until(second.stderr, rf"process {first.pid}\) is at work here: Long work; waiting for it")
        with open(os.path.join(self.home, "go"), "w", encoding="utf-8"):
            pass
        self.assertEqual(second.stdout.readline(), "taken\n")
        self.assertEqual(first.wait(), 0)
