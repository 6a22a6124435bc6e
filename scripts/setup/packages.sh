# Installs what is missing of the Debian packages in packages-GROUP.txt. Sourced, not run.

packages_missing() { # GROUP…
  local group wanted
  mapfile -t wanted < <(for group in "$@"; do grep -v '^#' "$scripts/setup/packages-$group.txt"; done | sort -u)
  printf '%s\n' "${wanted[@]}" | grep -vxF -f <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
    "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p') || true
}

ensure_packages() { # GROUP…
  local names
  command -v dpkg >/dev/null || {
    say "This is not Debian: cmake, meson, ninja, a C++ compiler, OpenSSL, libwebsockets, libpng, libpulse, SDL2," \
      "SDL2_ttf, ffmpeg and Python 3.11 must be there already."
    return 0
  }
  mapfile -t names < <(packages_missing "$@")
  [ "${#names[@]}" -gt 0 ] || return 0
  if is_offline; then
    note_missing "Debian packages: ${names[*]} (sudo apt-get install ${names[*]})"
    return 0
  fi
  if [ "$(id -u)" != 0 ]; then
    fail "these Debian packages are missing. Install them, then start again:
  sudo apt-get install --no-install-recommends ${names[*]}"
  fi
  step "Debian packages (once, some minutes)" "Check the network and apt's sources, or install by hand: apt-get install ${names[*]}" \
    install_packages "${names[@]}"
}

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -y -q --no-install-recommends "$@"
}
