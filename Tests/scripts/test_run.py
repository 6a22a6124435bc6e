"""The shell side: `./run` and what it is made of."""

import os
import shutil
import subprocess
import tempfile

from scratch import ROOT, ScratchHome


class RunTests(ScratchHome):
    def shell(self, script, **environment):
        """Runs a bash script with the set-up scripts loaded."""
        text = f'set -euo pipefail; . "{ROOT}/scripts/setup/common.sh"; {script}'
        return subprocess.run(["bash", "-c", text], env={**os.environ, **environment},
                              capture_output=True, text=True, timeout=60)

    def test_without_swift_it_says_how_to_get_it(self):
        tools = tempfile.TemporaryDirectory()
        self.addCleanup(tools.cleanup)
        for name in ("bash", "env", "dirname", "readlink", "uname"):
            os.symlink(shutil.which(name), os.path.join(tools.name, name))
        result = subprocess.run([os.path.join(ROOT, "run"), "doctor"], capture_output=True, text=True,
                                env={"PATH": tools.name, "HOME": self.home}, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("https://www.swift.org/install/linux", result.stderr)

    def test_offline_with_an_empty_home_it_names_what_is_missing(self):
        result = subprocess.run([os.path.join(ROOT, "run"), "--offline", "doctor"], capture_output=True,
                                text=True, env={**os.environ, "YOOB_LOCKED": ""}, timeout=120)
        self.assertEqual(result.returncode, 1)
        for name in ("sherpa-onnx", "llama.cpp", "silero-vad", "hibari-heart"):
            self.assertIn(name, result.stderr)

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
