# What `./run` says without any set-up. Sourced, not run. Pure bash: nothing may be installed yet.

# Name and summary of each command, as `yoob --help` lists them; Tests/cli/test_front_door.py compares.
commands=(
  "serve       serve the page and the voice behind it"
  "talk        hold a conversation here or from a recording, without a browser"
  "devices     list microphones and loudspeakers"
  "say         speak a text into a sound file or a film"
  "render      make a talking film of any speech"
  "transcribe  write down what is said in a recording"
  "models      list, fetch, verify and remove models"
  "pack        build, sign, verify and inspect characters"
  "keys        make the keys that characters are signed with"
  "bench       measure turns and the face on this machine"
  "doctor      say what this machine has and what is missing"
)

is_command() { # NAME
  local entry
  for entry in "${commands[@]}"; do
    [ "${entry%% *}" != "$1" ] || return 0
  done
  return 1
}

overview() {
  printf '%s\n' "Speech in, face out: a talking character with a voice agent, on your own machine." "" \
    "./run              sets up what is missing, then serves the page and prints its address" \
    "./run COMMAND …    sets up what is missing, then runs one of these:" ""
  printf '  %s\n' "${commands[@]}"
  printf '%s\n' "" \
    "./run --offline …  the same without network and package manager; names what is missing" \
    "./run doctor       says what is missing, without setting anything up" \
    "./run COMMAND --help shows the options of a command, once set-up is done."
}

# refuse TEXT: what is wrong with the command line stays in sight below the overview.
refuse() {
  overview >&2
  printf '\n./run: %s\n' "$1" >&2
  exit 2
}

# Answers what needs no set-up, and refuses what no set-up mends; returns otherwise.
answer_early() {
  local word rest
  case "${1:-}" in
    "") return 0 ;;
    help | --help | -h)
      if [ $# -gt 1 ] && ! is_command "$2"; then refuse "there is no command “$2”."; fi
      [ $# -lt 2 ] || help_on "$2"
      overview
      exit 0
      ;;
    --version | version)
      word="$(<"$checkout/Sources/yoob/CommandLineTool.swift")"
      word="${word##*static let current = \"}"
      printf 'yoob %s\n' "${word%%\"*}"
      exit 0
      ;;
    -*)
      printf -v rest ' %q' "$@"
      refuse "a command comes before $1, such as: ./run serve --demo$rest"
      ;;
  esac
  is_command "$1" || refuse "there is no command “$1”."
  for word in "${@:2}"; do
    case "$word" in
      --help | -h) help_on "$1" ;;
      --) return 0 ;;
    esac
  done
}

# help_on COMMAND: its own help where it is built, else what can be said before.
help_on() {
  if program_runs; then exec "$program" "$1" --help; fi
  overview
  printf '\n“%s” shows its own options once set-up is done: ./run does it.\n' "$1"
  exit 0
}
