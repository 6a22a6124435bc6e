# Prepares the default models. Sourced, not run.

ensure_models() {
  local names
  names="$("$python" -B "$scripts/models/prepare" --check)" && return 0
  if is_offline && ! have_downloads models convert; then
    note_missing "models: ${names//$'\n'/, } (run ./run once with a network)"
    return 0
  fi
  step "Models" "Check the network and the disk, then start again; what is there is kept." \
    "$python" -B "$scripts/models/prepare" --defaults
}
