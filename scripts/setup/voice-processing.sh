# Builds WebRTC's audio processing once from its pinned source, behind the C functions of
# Sources/CVoiceProcessing, and keeps it by version. Sourced, not run.

ensure_voice_processing() {
  ! voice_processing_ready || return 0
  if is_offline && ! have_downloads voice-processing; then
    note_missing "voice processing $voice_processing_version (run ./run once with a network)"
    return 0
  fi
  program_possible || return 0
  step "Source of the voice processing" \
    "Check the network and the disk, then start again; what is there is kept." fetch_voice_processing
  step "Building the voice processing (once, 2 to 4 minutes)" \
    "A full disk or little memory are the usual reasons; then start again, it goes on from here." \
    build_voice_processing
}

fetch_voice_processing() {
  local source="${voice_processing_version%-*}"
  fetch_source voice-processing "aec_audio_processing-$source" webrtc-audio-processing \
    "$YOOB_HOME/build/voice-processing-$voice_processing_version"
}

# Of Abseil only these files are used; the whole takes longer than all the rest.
abseil_objects='base_internal_raw_logging|base_internal_throw_delegate|base_log_severity|numeric_int128'
abseil_objects+='|strings_(ascii|charconv|internal_charconv_bigint|internal_charconv_parse)'
abseil_objects+='|strings_(internal_memutil|internal_stringify_sink|match|numbers)'

build_voice_processing() {
  local tree="$YOOB_HOME/build/voice-processing-$voice_processing_version"
  local objects="$tree/objects" shim="$checkout/Sources/CVoiceProcessing" part="$runtime/.part-voice-processing"
  local abseil files
  abseil="$(echo "$tree"/subprojects/abseil-cpp-*/)"
  [ -e "$objects/build.ninja" ] || meson setup --wrap-mode=nodownload --buildtype=release \
    -Doptimization=2 -Ddefault_library=static -Dcpp_std=c++17 "$objects" "$tree"
  mapfile -t files < <({
    ninja -C "$objects" -t inputs webrtc/modules/audio_processing/libwebrtc-audio-processing-2.a |
      tr -d '"' | grep '^webrtc/.*\.o$'
    ninja -C "$objects" -t targets all | grep -oE "^subprojects/.*_($abseil_objects)\.cc\.o"
  })
  ninja -C "$objects" "${files[@]}"
  g++ -std=c++17 -O2 -fPIC -fvisibility=hidden -DWEBRTC_APM_DEBUG_DUMP=0 -DWEBRTC_POSIX -DWEBRTC_LINUX -DWEBRTC_LIBRARY_IMPL \
    -I"$shim" -I"$tree/webrtc" -I"$abseil" -c "$shim/voice_processing.cc" -o "$objects/voice_processing.o"
  printf '{ global: yoob_voice_processing_*; local: *; };\n' >"$objects/exports.map"
  rm -rf "$part"
  mkdir -p "$part/lib" "$(dirname "$voice_processing_home")"
  (cd "$objects" && g++ -shared -s -o "$part/lib/libyoob-voice-processing.so" voice_processing.o \
    "${files[@]}" -Wl,--gc-sections -Wl,--no-undefined -Wl,--version-script=exports.map -lpthread)
  cp "$tree/COPYING" "$part/LICENSE.webrtc"
  cp "$abseil/LICENSE" "$part/LICENSE.abseil"
  touch "$part/.complete"
  rm -rf "$voice_processing_home"
  mv "$part" "$voice_processing_home"
  rm -rf "$tree"
}
