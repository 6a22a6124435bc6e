"""Fetches the packages that hold the recordings, each by version and SHA-256, and unpacks them.

Debian's packages come through apt-get, Python's through pip; nothing is installed.
"""

import glob
import hashlib
import os
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))


def pins():
    """name -> (kind, version, SHA-256) from packages.txt."""
    found = {}
    with open(os.path.join(HERE, "packages.txt")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                kind, name, version, digest = line.split()
                found[name] = kind, version, digest
    return found


def digest_of(path):
    found = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            found.update(block)
    return found.hexdigest()


def _held(folder, name, digest):
    for path in glob.glob(os.path.join(folder, name.replace("-", "[-_]") + "[-_]*")):
        if os.path.isfile(path) and digest_of(path) == digest:
            return path
    return None


def _download(folder, kind, name, version):
    if kind == "deb":
        command = ["apt-get", "download", "-qq", "%s=%s" % (name, version)]
    else:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".",
                   "%s==%s" % (name, version)]
        if kind == "sdist":
            command[4:4] = ["--no-binary", ":all:", "--no-build-isolation"]
    subprocess.run(command, cwd=folder, check=False)


def package(cache, name):
    """The folder with the files of a package, fetched if need be."""
    kind, version, digest = pins()[name]
    folder = os.path.join(cache, "unpacked", "%s-%s" % (name, digest[:12]))
    if os.path.isdir(folder):
        return folder
    downloads = os.path.join(cache, "packages")
    os.makedirs(downloads, exist_ok=True)
    path = _held(downloads, name, digest)
    if not path:
        print("Fetching %s %s" % (name, version), flush=True)
        _download(downloads, kind, name, version)
        path = _held(downloads, name, digest)
    if not path:
        sys.exit("%s %s with the SHA-256 of packages.txt cannot be had. Run apt-get update, or put the file "
                 "into %s." % (name, version, downloads))
    part = folder + ".part"
    os.makedirs(part, exist_ok=True)
    if kind == "deb":
        subprocess.run(["dpkg-deb", "-x", path, part], check=True)
    elif kind == "wheel":
        subprocess.run([sys.executable, "-m", "zipfile", "-e", path, part], check=True)
    else:
        with tarfile.open(path) as file:
            file.extractall(part)  # the digest says that it is what it was
    os.rename(part, folder)
    return folder
