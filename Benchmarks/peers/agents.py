"""How each agent is started, and the language model's server of the peers."""

import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

from faults import AgentFault

FOLDER = os.path.dirname(os.path.abspath(__file__))
NAMES = ["pipecat", "livekit", "yoob"]
TITLES = {"pipecat": "Pipecat", "livekit": "LiveKit Agents", "yoob": "yoob"}
PACKAGES = {"pipecat": "pipecat-ai", "livekit": "livekit-agents"}
SYSTEM_PROMPT = "You are a helpful AI assistant named Luna."


class Places:
    """Where things lie; `run` has made them."""

    def __init__(self, home, checkout):
        self.peers = os.path.join(home, "peers")
        self.recordings = os.path.join(self.peers, "recordings")
        self.runs = os.path.join(self.peers, "runs")
        self.server = os.path.join(self.peers, "llama-server")
        self.whisper = os.path.join(self.peers, "whisper-tiny.en")
        self.language_model = os.path.join(
            home, "models", "smollm2-135m-instruct-q4_1", "SmolLM2-135M-Instruct.Q4_1.gguf")
        self.yoob = os.path.join(checkout, ".build", "release", "yoob")

    def python(self, name):
        """The interpreter of a peer's environment."""
        return os.path.join(self.peers, name, "bin", "python")


def command(name, places, settings, server):
    """The command line of an agent."""
    shared = ["--max-tokens", str(settings["max_tokens"]), "--system-prompt", SYSTEM_PROMPT]
    if name == "yoob":
        return [places.yoob, "bench", "pipe", *shared]
    script = os.path.join(FOLDER, f"{name}_agent.py")
    return [places.python(name), "-B", script, "--whisper", places.whisper, "--llm", server.url,
            "--compute", settings["compute"], *shared]


def version(name, places):
    """The version of an agent."""
    if name == "yoob":
        asked = [places.yoob, "--version"]
    else:
        asked = [places.python(name), "-c",
                 f"import importlib.metadata as m; print(m.version({PACKAGES[name]!r}))"]
    text = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
    return text[-1] if text else "?"


class Server:
    """llama-server with the product's language model, for one conversation."""

    def __init__(self, places, threads, log):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        self._health = f"http://127.0.0.1:{port}/health"
        self._log = log
        self._spawned = time.monotonic()
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                [places.server, "--model", places.language_model, "--ctx-size", "4096", "--threads", str(threads),
                 "--parallel", "1", "--host", "127.0.0.1", "--port", str(port)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def wait_until_ready(self, timeout=300):
        """Seconds from the start of the process until it answers."""
        while True:
            try:
                with urllib.request.urlopen(self._health, timeout=2):
                    return time.monotonic() - self._spawned
            except (urllib.error.URLError, OSError):
                pass
            if self.process.poll() is not None:
                raise AgentFault(f"llama-server ended with {self.process.returncode}; see {self._log}")
            if time.monotonic() - self._spawned > timeout:
                raise AgentFault(f"llama-server is not ready after {timeout} s; see {self._log}")
            time.sleep(0.05)

    def close(self):
        """Ends the server. Idempotent."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def environment():
    """What agents are started with: no network, no telemetry, no bytecode."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("LIVEKIT_", "OPENAI_", "PYTHONPATH"))}
    return {**kept, "HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1",
            "no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"}


def missing(names, places):
    """What `run` should have made and is not there."""
    wanted = [places.language_model, os.path.join(places.recordings, "index.json")]
    if set(names) - {"yoob"}:
        wanted += [places.server, places.whisper]
    wanted += [places.yoob if name == "yoob" else places.python(name) for name in names]
    return [path for path in wanted if not os.path.exists(path)]
