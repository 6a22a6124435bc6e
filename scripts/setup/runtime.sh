# The speech engines' library (onnxruntime, of sherpa-onnx's package) and what pkg-config says of all engines.
# Sourced, not run.

sherpa_version=2.0.1
llama_version=0.3.36
# The package's version and a number for the C functions in front of it.
voice_processing_version=1.0.1-2
sherpa_home="$runtime/sherpa-onnx/$sherpa_version"
llama_home="$runtime/llama.cpp/$llama_version"
voice_processing_home="$runtime/voice-processing/$voice_processing_version"

sherpa_ready() { [ -e "$sherpa_home/.complete" ]; }
llama_ready() { [ -e "$llama_home/.complete" ]; }
voice_processing_ready() { [ -e "$voice_processing_home/.complete" ]; }
# Nothing can be linked without all of them; only `--offline` gets that far.
libraries_ready() { sherpa_ready && llama_ready && voice_processing_ready; }

ensure_sherpa() {
  ! sherpa_ready || return 0
  if is_offline && ! have_downloads runtime; then
    note_missing "sherpa-onnx $sherpa_version (run ./run once with a network)"
    return 0
  fi
  step "Speech engines" "Check the network and the disk, then start again; what is there is kept." \
    install_sherpa
}

have_downloads() { # LOCK…
  YOOB_OFFLINE=1 "$python" -B "$scripts/setup/fetch.py" "$@" >/dev/null 2>&1
}

# fetch_source LOCK PACKAGE FOLDER TREE: unpacks a folder of a source package once, as TREE. The lock
# LOCK-backend names what pip asks for with it.
fetch_source() {
  local part="$YOOB_HOME/tools/.part-$1-backend" parents="${3//[!\/]/}" tree="$4"
  if ! have_downloads "$1"; then
    "$python" -B "$scripts/setup/fetch.py" --install "$1-backend" "$part"
    PYTHONPATH="$part" "$python" -B "$scripts/setup/fetch.py" "$1"
    rm -rf "$part"
  fi
  [ -e "$tree/.complete" ] && return 0
  rm -rf "$tree" "$tree.new"
  mkdir -p "$tree.new"
  tar -xzf "$YOOB_HOME/downloads/$2.tar.gz" -C "$tree.new" \
    "--strip-components=$((${#parents} + 2))" "$2/$3"
  touch "$tree.new/.complete"
  mv "$tree.new" "$tree"
}

install_sherpa() {
  local part="$runtime/.part-sherpa"
  "$python" -B "$scripts/setup/fetch.py" runtime
  rm -rf "$part"
  mkdir -p "$part" "$(dirname "$sherpa_home")"
  "$python" -m zipfile -e "$YOOB_HOME"/downloads/sherpa_onnx_core-"$sherpa_version"-*.whl "$part"
  mkdir -p "$part/made/lib"
  mv "$part"/sherpa_onnx/lib/libonnxruntime.so* "$part/made/lib/"
  chmod 755 "$part"/made/lib/*.so
  touch "$part/made/.complete"
  rm -rf "$sherpa_home"
  mv "$part/made" "$sherpa_home"
  rm -rf "$part"
}

write_pkgconfig() { # NAME FOLDER VERSION DESCRIPTION LIBRARIES
  local file="$runtime/pkgconfig/$1.pc" content
  content="prefix=\${pcfiledir}/../$2
Name: $1
Description: $4
Version: $3
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib $5"
  [ "$(cat "$file" 2>/dev/null)" = "$content" ] && return 0
  mkdir -p "$runtime/pkgconfig"
  printf '%s\n' "$content" >"$file.new"
  mv "$file.new" "$file"
}

ensure_pkgconfig() {
  write_pkgconfig yoob-onnxruntime "sherpa-onnx/$sherpa_version" "$sherpa_version" \
    "onnxruntime" "-lonnxruntime"
  write_pkgconfig yoob-llama "llama.cpp/$llama_version" "$llama_version" \
    "llama.cpp" "-lllama -lggml -lggml-base"
  write_pkgconfig yoob-voice-processing "voice-processing/$voice_processing_version" \
    "$voice_processing_version" "WebRTC audio processing" "-lyoob-voice-processing"
}

# The binary looks for its libraries beside itself. The folder is the build's, which makes it.
link_libraries() { # BUILD FOLDER
  local library
  for library in "$sherpa_home"/lib/libonnxruntime.so "$llama_home"/lib/*.so* "$voice_processing_home"/lib/*.so; do
    [ -e "$library" ] || continue
    [ "$(readlink "$1/$(basename "$library")" 2>/dev/null)" = "$library" ] ||
      ln -sfn "$library" "$1/$(basename "$library")"
  done
}
