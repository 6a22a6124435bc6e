# Checks that Swift is there. Sourced, not run.

swift_help="Swift 6.3 is missing. Get it for Debian 12:
  - from https://www.swift.org/install/linux (choose Debian 12; swiftly installs it), or
  - unpack the toolchain's .tar.gz for Debian 12 from that page and put its usr/bin on PATH.
Then start again."

# Sets `swift_identity`, which changes with the toolchain; returns 1 without Swift.
find_swift() {
  local binary
  binary="$(command -v swift)" || return 1
  binary="$(readlink -f "$binary")"
  swift_identity="$binary $(stat -c '%s %Y' "$binary")"
}

check_swift_version() {
  local version
  version="$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')"
  local major minor
  read -r major minor <<<"$version"
  if [ "${major:-0}" -lt 6 ] || { [ "$major" = 6 ] && [ "${minor:-0}" -lt 3 ]; }; then
    fail "this Swift is older than 6.3. $swift_help"
  fi
}
