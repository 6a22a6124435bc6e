# Finds the Python 3.11 that the wheels are pinned for. Sourced, not run.

python_fits() {
  "$1" -c 'import sys, pip; sys.exit(sys.version_info[:2] != (3, 11))' >/dev/null 2>&1
}

# Sets `python`; the answer is cached in a stamp because asking takes a while.
find_python() {
  local candidate
  for candidate in "${YOOB_PYTHON:-}" /usr/bin/python3 python3.11 python3; do
    if [ -z "$candidate" ] || ! candidate="$(command -v "$candidate")"; then continue; fi
    if stamp_is python "$candidate" || python_fits "$candidate"; then
      python="$candidate"
      stamp_is python "$candidate" || write_stamp python "$candidate"
      return
    fi
  done
  fail "needs Python 3.11 with pip for x86-64 Linux (Debian 12: sudo apt-get install python3 python3-pip)," \
    "or YOOB_PYTHON=/path/to/python3.11."
}
