# Builds llama.cpp once from its pinned source and keeps it by version. Sourced, not run.

ensure_llama() {
  ! llama_ready || return 0
  if is_offline && ! have_downloads llama; then
    note_missing "llama.cpp $llama_version (run ./run once with a network)"
    return 0
  fi
  program_possible || return 0
  step "Source of llama.cpp" "Check the network and the disk, then start again; what is there is kept." \
    fetch_llama
  step "Building llama.cpp (once, 2 to 12 minutes)" \
    "A full disk or little memory are the usual reasons; then start again, it goes on from here." \
    build_llama
}

fetch_llama() {
  fetch_source llama "llama_cpp_python-$llama_version" vendor/llama.cpp \
    "$YOOB_HOME/build/llama.cpp-$llama_version"
}

build_llama() {
  local tree="$YOOB_HOME/build/llama.cpp-$llama_version" part="$runtime/.part-llama"
  local objects="$tree/objects"
  cmake -G Ninja -S "$tree" -B "$objects" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON "-DCMAKE_INSTALL_RPATH=\$ORIGIN" \
    -DGGML_NATIVE=OFF -DGGML_OPENMP=OFF -DGGML_CCACHE=OFF -DLLAMA_CURL=OFF -DLLAMA_BUILD_COMMON=OFF \
    -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_SERVER=OFF
  cmake --build "$objects" --target llama
  rm -rf "$part"
  mkdir -p "$part/lib" "$part/include" "$(dirname "$llama_home")"
  cp -a "$objects"/bin/*.so* "$part/lib/"
  cp "$tree"/include/*.h "$tree"/ggml/include/*.h "$part/include/"
  cp "$tree/LICENSE" "$part/"
  touch "$part/.complete"
  rm -rf "$llama_home"
  mv "$part" "$llama_home"
  rm -rf "$tree"
}
