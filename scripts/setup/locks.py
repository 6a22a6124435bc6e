"""Lock files: one pinned package a line, `name==version --hash=sha256:…  # bytes file`."""

import hashlib
import os
import re
from dataclasses import dataclass

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "locks")
_LINE = re.compile(r"^(?P<name>[\w.-]+)==(?P<version>\S+) --hash=sha256:(?P<sha256>[0-9a-f]{64})"
                   r"\s+# (?P<size>\d+) (?P<file>\S+)$")


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    sha256: str
    size: int
    file: str

    @property
    def requirement(self):
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}"


def read(name):
    """The packages of `locks/NAME.txt`."""
    packages = []
    with open(os.path.join(FOLDER, name + ".txt"), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            match = _LINE.match(line)
            if not match:
                raise ValueError(f"locks/{name}.txt, line {number}: not a pinned package: {line}")
            packages.append(Package(match["name"], match["version"], match["sha256"],
                                    int(match["size"]), match["file"]))
    return packages


def sha256_of(path):
    """Lowercase hex SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def is_intact(path, package):
    """Whether the file has the size and the hash that the lock file pins."""
    try:
        return os.path.getsize(path) == package.size and sha256_of(path) == package.sha256
    except OSError:
        return False
