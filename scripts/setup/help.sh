# What `./run` says without any set-up. Sourced, not run. Pure bash: nothing may be installed yet.
# Texts are read from the program's sources, so that both say the same.

program_sources="$checkout/Sources/yoob"

# Sets `commands`: name and summary of each command, as `yoob --help` lists them.
read_commands() {
  local rest line
  commands=()
  rest="$(<"$program_sources/CommandLineTool.swift")"
  while [[ "$rest" =~ name:\ \"([a-z]+)\",\ summary:\ \"([^\"]+)\" ]]; do
    rest="${rest#*"${BASH_REMATCH[0]}"}"
    printf -v line '%-12s%s' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
    commands+=("$line")
  done
}
read_commands

is_command() { # NAME
  local entry
  for entry in "${commands[@]}"; do
    [ "${entry%% *}" != "$1" ] || return 0
  done
  return 1
}

# read_usage TYPE: sets `usage` to the text that a Swift type has as `static let usage`, with the texts that it
# takes from other types.
read_usage() {
  local file="$program_sources/${1%%.*}.swift" text indent part
  [ -e "$file" ] || file="$program_sources/Commands/${1%%.*}.swift"
  text="$(<"$file")"
  text="${text#*static let usage = \"\"\"}"
  text="${text%%\"\"\"*}"
  # The closing quotes stand where the text's own lines begin.
  indent="${text##*$'\n'}"
  text="${text//$'\n'"$indent"/$'\n'}"
  text="${text#$'\n'}"
  text="${text%$'\n'}"
  while [[ "$text" =~ \\\(([A-Za-z.]+)\.usage\) ]]; do
    part="${BASH_REMATCH[0]}"
    read_usage "${BASH_REMATCH[1]}"
    text="${text/"$part"/"$usage"}"
  done
  usage="$text"
}

# help_on COMMAND: the same as `yoob COMMAND --help`.
help_on() {
  local usage entry name
  read_usage "${1^}Command"
  for entry in "${commands[@]}"; do
    name="${entry%% *}"
    usage="${usage//"yoob $name"/"./run $name"}"
  done
  printf '%s\n' "$usage"
  exit 0
}

overview() {
  printf '%s\n' "Speech in, face out: a talking character with a voice agent on your machine." "" \
    "./run                  sets up what is missing, then prints the page's address" \
    "./run COMMAND …        sets up what the command needs, then runs it:" ""
  printf '  %s\n' "${commands[@]}"
  printf '%s\n' "" \
    "./run COMMAND --help   shows the options of a command; sets nothing up" \
    "./run doctor           says what is missing; sets nothing up" \
    "./run --offline …      uses neither network nor package manager, and names" \
    "                       what is missing"
}

# refuse TEXT: what is wrong with the command line stays in sight below the overview.
refuse() {
  overview >&2
  printf '\n./run: %s\n' "$1" >&2
  exit 2
}

# check_words COMMAND WORD…: refuses, in the program's words, mistakes that would come to light only after minutes of
# set-up: an option that the command does not have, and a file or folder to be read that is not there.
check_words() {
  local command="$1" word before="" usage place=""
  read_usage "${command^}Command"
  for word in "${@:2}"; do
    case "$word" in
      --) return 0 ;;
      --quiet) ;;
      --?*)
        if ! [[ "$usage" =~ (^|[^A-Za-z-])"${word%%=*}"($|[^A-Za-z-]) ]]; then
          (help_on "$command") >&2
          printf '\n./run %s: Unknown option %s.\n' "$command" "${word%%=*}" >&2
          exit 2
        fi
        ;;
      *.wav)
        if [[ "$command" == @(talk|render|transcribe) && ( "$before" != --* || "$before" == --input ) ]] &&
          [ ! -e "$word" ]; then
          printf './run %s: %s does not exist. Name a WAV file.\n' "$command" "$word" >&2
          exit 1
        fi
        ;;
    esac
    before="$word"
  done
  [ "$command" != pack ] || place="${3:-}"
  case "$place" in
    "" | -* | *://*) return 0 ;;
  esac
  if [ ! -e "$place" ]; then
    printf './run pack: the folder %s does not exist.\n' "$place" >&2
    exit 1
  fi
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
      word="$(<"$program_sources/CommandLineTool.swift")"
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
  # The program says it better, and is not built for a command that cannot run.
  if program_runs; then return 0; fi
  check_words "$@"
  case "$1" in
    serve | talk | devices | doctor) return 0 ;;
  esac
  if [ $# -eq 1 ]; then
    (help_on "$1") >&2
    printf '\n./run: “%s” needs more than its name; see above.\n' "$1" >&2
    exit 2
  fi
}
