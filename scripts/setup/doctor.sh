# `./run doctor` before the program is there: what set-up has done and what it has not. Sourced, not run.

# finding STATE SUBJECT DETAIL [REMEDY]: STATE is ok, missing or note. Written as `yoob doctor` writes it.
finding() {
  local mark="$1" remedy="null" essential=false
  [ "$1" != missing ] || essential=true
  if [ -n "$as_json" ]; then
    [ -z "${4:-}" ] || remedy="\"$(json_text "$4")\""
    findings+=("$(printf '{"detail":"%s","essential":%s,"remedy":%s,"state":"%s","subject":"%s"}' \
      "$(json_text "$3")" "$essential" "$remedy" "$1" "$(json_text "$2")")")
    return 0
  fi
  [ "$1" != missing ] || mark=MISSING
  printf '%-7s  %s: %s\n' "$mark" "$2" "$3"
  [ -z "${4:-}" ] || printf '         mend it: %s\n' "$4"
}

json_text() {
  local text="${1//\\/\\\\}"
  text="${text//\"/\\\"}"
  printf '%s' "${text//[[:cntrl:]]/ }"
}

# What set-up does is mended by one command, here and in `yoob doctor`.
set_up_command="./run"

# basic_doctor [--json]: exit code 1, because without the program nothing can be done.
basic_doctor() {
  local as_json="" findings=() names="" python="" free="" word
  for word in "$@"; do
    if [ "$word" = --json ]; then as_json=1; else refuse "doctor takes --json only, not “$word”."; fi
  done
  doctor_tools
  doctor_engines
  doctor_models
  if program_runs; then
    finding ok program "$program"
  else
    finding missing program "not built yet" "$set_up_command"
  fi
  if [ -d "$checkout/web/dist" ]; then finding ok page built; else
    finding missing page "not built yet" "$set_up_command"
  fi
  if [ -n "$as_json" ]; then
    printf '{"findings":[%s],"ready":false}\n' "$(IFS=,; printf '%s' "${findings[*]}")"
  else
    printf '%s\n' "Set-up is not done. ./run does what is missing, then serves the page; it needs a network." \
      "A command sets up only what it needs itself: ./run COMMAND …"
  fi
  exit 1
}

doctor_tools() {
  if [ "$(uname -sm)" = "Linux x86_64" ]; then finding ok system "Linux on x86-64"; else
    finding missing system "$(uname -sm); the pinned packages are for x86-64 Linux"
  fi
  if word="$(command -v swift)"; then finding ok Swift "$word"; else
    finding missing Swift "not on PATH" "get Swift 6.3 for Debian 12 from https://www.swift.org/install/linux"
  fi
  if ! command -v dpkg-query >/dev/null; then
    finding note "Debian packages" "this is not Debian; see scripts/setup/packages-run.txt"
  else
    names="$(packages_missing run)"
    names="${names//$'\n'/ }"
    if [ -z "$names" ]; then finding ok "Debian packages to run" "all are installed"; else
      finding missing "Debian packages to run" "$names" "sudo apt-get install --no-install-recommends $names"
    fi
  fi
  for word in "${YOOB_PYTHON:-}" /usr/bin/python3 python3.11 python3; do
    if [ -n "$word" ] && word="$(command -v "$word")" && python_fits "$word"; then
      python="$word"
      break
    fi
  done
  if [ -n "$python" ]; then finding ok Python "$python"; else
    # The packages' own finding says how they are installed.
    word="sudo apt-get install --no-install-recommends python3 python3-pip"
    [[ " $names " != *" python3"* ]] || word=""
    finding missing Python "no Python 3.11 with pip" "$word"
  fi
  if command -v df >/dev/null; then
    word="$YOOB_HOME"
    while [ ! -d "$word" ]; do word="$(dirname "$word")"; done
    free="$(df -Pk "$word" | awk 'NR == 2 { print $4 }')"
    if [ "${free:-0}" -gt 2000000 ]; then finding ok disk "$((free / 1000000)) GB free for $YOOB_HOME"; else
      finding note disk "$((${free:-0} / 1000)) MB free for $YOOB_HOME; set-up needs about 2 GB" \
        "free some space, or set YOOB_HOME"
    fi
  fi
}

doctor_engines() {
  local absent=()
  sherpa_ready || absent+=("speech engines")
  llama_ready || absent+=("llama.cpp")
  voice_processing_ready || absent+=("voice processing")
  if [ "${#absent[@]}" -eq 0 ]; then finding ok engines "$runtime"; else
    finding missing engines "not under $runtime: $(printf '%s; ' "${absent[@]}")made by set-up" "$set_up_command"
  fi
}

doctor_models() {
  [ -n "$python" ] || return 0
  if names="$("$python" -B "$scripts/models/prepare" --check)"; then
    finding ok models "$YOOB_HOME/models"
  else
    finding missing models "${names//$'\n'/, }" "$set_up_command"
  fi
}
