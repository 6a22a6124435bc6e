# How many steps lie ahead, and how long they take. Sourced, not run.

planned_seconds=0

# will SECONDS [STEPS]: one more step (or that many) is needed; the time is that of two free cores.
will() {
  steps_planned=$((steps_planned + ${2:-1}))
  planned_seconds=$((planned_seconds + $1))
}

# Counts what is not there yet; the times were measured on two cores of a shared AMD EPYC machine.
plan_set_up() {
  steps_planned=$step_number planned_seconds=0
  sherpa_ready || will 10
  llama_ready || will 110 2
  voice_processing_ready || will 110 2
  models_ready || will 90
  if ! libraries_ready || ! command_is_current; then will 240; fi
  wasm_is_current || will 40
  # The page holds the face, so a new face makes a new page.
  if ! wasm_is_current || ! web_is_current; then
    web_tools_are_there || will 10
    will 5
  fi
  [ $((steps_planned - step_number)) -lt 2 ] || [ "$planned_seconds" -lt 60 ] || tell_plan
}

tell_plan() {
  local cores low
  cores="$(nproc 2>/dev/null || echo 2)"
  [ "$cores" -le 8 ] || cores=8
  low=$(((planned_seconds * 2 / cores + 59) / 60))
  say "Set-up: $((steps_planned - step_number)) steps, about $low to $((low * 2)) minutes on $cores cores, the longer the busier" \
    "they are. It may be stopped at any time and goes on from there."
}
