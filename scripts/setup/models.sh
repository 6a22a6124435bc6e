# Prepares the default models. Sourced, not run.

# Sets `missing_models`: names, one a line.
models_ready() { missing_models="$("$python" -B "$scripts/models/prepare" --check)"; }

ensure_models() {
  # The plan has looked already.
  [ -n "${missing_models-unknown}" ] || return 0
  [ -n "${missing_models:-}" ] || ! models_ready || return 0
  if is_offline && ! have_downloads models convert; then
    note_missing "models: ${missing_models//$'\n'/, } (run ./run once with a network)"
    return 0
  fi
  step "Models (once, 1 to 3 minutes)" "Check the network and the disk, then start again; what is there is kept." \
    "$python" -B "$scripts/models/prepare" --defaults
}
