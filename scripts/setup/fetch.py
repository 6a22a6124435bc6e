#!/usr/bin/env python3
"""fetch.py LOCK…: has every package of the lock files in $YOOB_HOME/downloads, hash checked.

Each package is downloaded by pip into a folder of its own and renamed into place, so that a run
killed at any point goes on with the next one. Progress: `[done/total] text` lines, in bytes.
"""

import errno
import os
import shutil
import subprocess
import sys
import tempfile

import locks


class Missing(Exception):
    """A package is not there and cannot be had."""

    exit_code = 1


class NoSpace(Missing):
    """The disk has too little room."""

    exit_code = 3


class NoNetwork(Missing):
    """A download failed, or is needed and not allowed."""

    exit_code = 4


def home():
    return os.environ.get("YOOB_HOME") or os.path.expanduser("~/.cache/yoob")


def downloads():
    return os.path.join(home(), "downloads")


def path_of(package):
    return os.path.join(downloads(), package.file)


def offline():
    return os.environ.get("YOOB_OFFLINE", "") not in ("", "0")


def progress(done, total, text):
    print(f"[{done}/{total}] {text}", flush=True)


def fetch(names):
    """Downloads what is missing of the lock files. Raises `Missing`."""
    packages = [package for name in names for package in locks.read(name)]
    wanted = [package for package in packages if not locks.is_intact(path_of(package), package)]
    if not wanted:
        return
    if offline():
        raise NoNetwork("not downloaded yet: " + ", ".join(p.name for p in wanted)
                        + ". Run once with a network.")
    total = sum(package.size for package in wanted)
    free = shutil.disk_usage(_made(downloads())).free
    if free < total + (64 << 20):
        raise NoSpace(f"the disk of {downloads()} has {free >> 20} MB free and the downloads need "
                      f"{(total >> 20) + 64} MB. Free some space and start again.")
    done = 0
    for package in wanted:
        _download(package, done, total)
        done += package.size
        progress(done, total, f"downloaded {package.name}")


def _made(folder):
    os.makedirs(folder, exist_ok=True)
    return folder


def _download(package, done, total):
    with tempfile.TemporaryDirectory(prefix=".part-", dir=_made(downloads())) as part:
        requirement = os.path.join(part, "requirement.txt")
        with open(requirement, "w", encoding="utf-8") as stream:
            stream.write(package.requirement + "\n")
        source = package.file.endswith(".tar.gz")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes",
                   "--quiet", "--disable-pip-version-check", "--no-cache-dir",
                   "--dest", os.path.join(part, "done"), "-r", requirement]
        command += (["--no-binary", package.name, "--no-build-isolation"] if source
                    else ["--only-binary", ":all:"])
        environment = dict(os.environ, TMPDIR=_made(os.path.join(part, "tmp")))
        status = None
        with subprocess.Popen(command, env=environment) as child:
            try:
                while status is None:
                    try:
                        status = child.wait(timeout=0.25)
                    except subprocess.TimeoutExpired:
                        so_far = min(_largest(part), package.size)
                        progress(done + so_far, total, f"downloading {package.name}")
            finally:
                child.terminate()
        if status != 0:
            raise NoNetwork(f"pip could not download {package.name} {package.version} (see above). "
                          "Check the network; a mirror is taken from pip's own settings "
                          "(`pip config set global.index-url …` or PIP_INDEX_URL). "
                          "Then start again: what is there is kept.")
        made = os.path.join(part, "done", package.file)
        if not locks.is_intact(made, package):
            raise NoNetwork(f"{package.name}: the download is not the pinned file. Start again.")
        os.replace(made, path_of(package))


def _largest(folder):
    """Size of the largest file below a folder: the one being downloaded."""
    largest = 0
    for root, _, files in os.walk(folder):
        for file in files:
            try:
                largest = max(largest, os.path.getsize(os.path.join(root, file)))
            except OSError:
                pass
    return largest


def install(name, target):
    """Unpacks the packages of a lock file into a folder that Python can import from."""
    fetch([name])
    part = tempfile.mkdtemp(prefix=".part-", dir=_made(os.path.dirname(target)))
    try:
        requirements = os.path.join(part, "requirements.txt")
        with open(requirements, "w", encoding="utf-8") as stream:
            stream.writelines(package.requirement + "\n" for package in locks.read(name))
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes", "--quiet",
             "--only-binary", ":all:", "--no-index", "--find-links", downloads(), "--no-compile",
             "--disable-pip-version-check", "--root-user-action", "ignore", "--no-cache-dir",
             "--target", os.path.join(part, "done"), "-r", requirements], check=True)
        shutil.rmtree(target, ignore_errors=True)
        os.replace(os.path.join(part, "done"), target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def sweep():
    """Removes what killed runs left half done."""
    for folder in (downloads(), os.path.join(home(), "tools"), os.path.join(home(), "models"),
                   os.path.join(home(), "runtime")):
        if not os.path.isdir(folder):
            continue
        for root in [folder] + [e.path for e in os.scandir(folder) if e.is_dir()]:
            for entry in os.scandir(root) if os.path.isdir(root) else []:
                if entry.name.startswith(".part-"):
                    shutil.rmtree(entry.path, ignore_errors=True)


def explain(error):
    """Prints an error for a person; returns the exit code that stands for its kind."""
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        error = NoSpace(f"the disk is full ({error.filename or home()}). Free some space and start again.")
    print(f"error: {error}", flush=True)
    return getattr(error, "exit_code", 1)


def main(arguments):
    if not arguments:
        print("usage: fetch.py LOCK… | fetch.py --install LOCK FOLDER | fetch.py --sweep",
              file=sys.stderr)
        return 2
    try:
        if arguments[0] == "--install":
            install(arguments[1], arguments[2])
        elif arguments[0] == "--sweep":
            sweep()
        else:
            fetch(arguments)
    except (Missing, OSError, subprocess.CalledProcessError) as error:
        return explain(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
