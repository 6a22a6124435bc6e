# Set-up in order. Sourced, not run. Usage: set_up GROUP… (groups of Debian packages); `needs` may say for what.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
for part in needs plan python packages swift runtime llama voice-processing models build help doctor; do
  # shellcheck source=/dev/null
  . "$scripts/setup/$part.sh"
done

# Packages, tools and the lock; what any part needs.
begin_set_up() {
  if [ "$(uname -sm)" != "Linux x86_64" ]; then
    fail "the pinned packages are for x86-64 Linux; on other machines build the package with SwiftPM."
  fi
  find_swift || is_offline || fail "$swift_help"
  ensure_packages "$@"
  find_python
  take_lock
  if [ -n "$(find "$YOOB_HOME" -maxdepth 3 -name '.part-*' -print -quit)" ]; then
    "$python" -B "$scripts/setup/fetch.py" --sweep
  fi
}

set_up_rest() {
  plan_set_up
  ensure_sherpa
  ensure_llama
  ensure_voice_processing
  ensure_pkgconfig
  ! is_needed models || ensure_models
  libraries_ready || return 0
  ensure_command
  is_needed page || return 0
  ensure_wasm
  ensure_web
}

set_up() {
  begin_set_up "$@"
  set_up_rest
  drop_lock
}

report_missing() {
  local item
  [ "${#missing[@]}" -gt 0 ] || return 0
  printf 'yoob: offline, and these are missing:\n' >&2
  for item in "${missing[@]}"; do printf '  - %s\n' "$item" >&2; done
}
