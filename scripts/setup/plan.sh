# What lies ahead, how many steps it is, and how long it takes. Sourced, not run.

planned_seconds=0
planned=()

# will SECONDS STEPS WHAT: so many more steps are needed; the time is that of two free cores.
will() {
  steps_planned=$((steps_planned + $2))
  planned_seconds=$((planned_seconds + $1))
  [ -z "${3:-}" ] || planned+=("$3")
}

# Counts what is not there yet and can be had; the times were measured on two cores of a shared AMD EPYC machine.
plan_set_up() {
  steps_planned=$step_number planned_seconds=0 planned=()
  if program_possible; then
    sherpa_ready || will 10 1 "speech engines"
    llama_ready || will 110 2 "llama.cpp"
    voice_processing_ready || will 110 2 "voice processing"
  fi
  if is_needed models && ! models_ready && obtainable models convert; then will 90 1 "models (0.4 GB)"; fi
  if program_possible; then
    if [ ! -x "$program" ]; then
      will 240 1 "the program"
    elif ! libraries_ready || ! command_is_current; then
      will 50 1 "the program"
    fi
    ! is_needed page || plan_page
  fi
  [ $((steps_planned - step_number)) -lt 1 ] || [ "$planned_seconds" -lt 60 ] || tell_plan
}

# The page holds the face, so a new face makes a new page.
plan_page() {
  wasm_is_current || will 40 1 "the face for browsers"
  if ! wasm_is_current || ! web_is_current; then
    if ! web_tools_are_there && obtainable web; then will 10 1; fi
    will 5 1 "the page"
  fi
}

# Offline only what has been downloaded can be had.
obtainable() { ! is_offline || have_downloads "$@"; } # LOCK…

# Whether there can be a program in the end: offline nothing is compiled for minutes for a start that fails.
program_possible() {
  ! is_offline || {
    [ -n "${swift_identity:-}" ] && { sherpa_ready || have_downloads runtime; } &&
      { llama_ready || have_downloads llama; } && { voice_processing_ready || have_downloads voice-processing; }
  }
}

tell_plan() {
  local cores low steps=$((steps_planned - step_number)) what
  cores="$(nproc 2>/dev/null || echo 2)"
  [ "$cores" -le 8 ] || cores=8
  low=$(((planned_seconds * 2 / cores + 59) / 60))
  printf -v what '%s, ' "${planned[@]}"
  [ "$steps" -eq 1 ] && steps="1 step" || steps="$steps steps"
  say "Set-up of ${what%, }:"
  say "$steps, about $low to $((low * 2)) minutes on $cores cores, the longer the busier they are."
  say "It may be stopped at any time and goes on from there."
}
