# What each command needs beside the program itself. Sourced, not run.

needs="models page"
is_needed() { [[ " $needs " == *" $1 "* ]]; }

# needs_of [COMMAND ARGUMENT…]: sets `needs`, words out of "models" and "page".
needs_of() {
  needs=""
  case "${1:-serve}" in
    serve) needs="models page" ;;
    talk | say | transcribe) needs="models" ;;
    # Subtitles are written by the recognizer.
    render) [[ " $* " != *" --subtitles"[\ =]* && " $* " != *" --burn-in "* ]] || needs="models" ;;
    bench) [[ " $* " != *" "@(turn|endpointing|interruption|reopening|soak|pipe)" "* ]] || needs="models" ;;
    # `models` fetches the one that is named.
    models | devices | pack | keys | doctor) ;;
    # What this table forgets gets all.
    *) needs="models page" ;;
  esac
}
