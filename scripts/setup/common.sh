# Shared by the set-up scripts: places, messages, progress, the lock and stamps. Sourced, not run.

export YOOB_HOME="${YOOB_HOME:-$HOME/.cache/yoob}"
case "$YOOB_HOME" in /*) ;; *) YOOB_HOME="$PWD/$YOOB_HOME" ;; esac
checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
scripts="$checkout/scripts"
runtime="$YOOB_HOME/runtime"
logs="$YOOB_HOME/logs"
stamps="$checkout/.build/yoob-stamps"
export YOOB_CHECKOUT="$checkout"
export PKG_CONFIG_PATH="$runtime/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
step_group=""
step_number=0
steps_planned=0
lock_is_ours=""
missing=()
# Seconds between the lines that tell of long work where no bar can be drawn.
note_every="${YOOB_NOTE_EVERY:-15}"

say() { [ -n "${YOOB_QUIET:-}" ] || printf '%s\n' "$*" >&2; }
fail() {
  printf 'yoob: %s\n' "$*" >&2
  exit 1
}
is_offline() { [ -n "${YOOB_OFFLINE:-}" ] && [ "$YOOB_OFFLINE" != 0 ]; }
note_missing() { missing+=("$1"); }

# A killed script takes the step it waits for with it: each step is a process group.
on_signal() {
  [ -z "$step_group" ] || kill -TERM -- "-$step_group" 2>/dev/null || true
  printf '\nyoob: stopped; the next start goes on from here.\n' >&2
  exit 130
}
trap on_signal INT TERM HUP

# bar DONE TOTAL: twenty cells and a percentage.
bar() {
  local percent=$(($1 * 100 / $2)) cells
  [ "$percent" -le 100 ] || percent=100
  cells=$((percent / 5))
  printf '[%s%s] %3d %%' "$(printf '%*s' "$cells" '' | tr ' ' '#')" \
    "$(printf '%*s' $((20 - cells)) '' | tr ' ' '.')" "$percent"
}

# The last "[done/total] text" that a step wrote: ninja, swift build and our own tools write it.
last_progress() {
  tail -c 4000 "$1" 2>/dev/null | tr '\r' '\n' |
    sed -n 's/^\[\([0-9][0-9]*\)\/\([1-9][0-9]*\)\] *\(.*\)/\1 \2 \3/p' | tail -n 1
}

# 90 -> "1 min 30 s"
duration() {
  if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); fi
}

log_of() { printf '%s/%s.log' "$logs" "$(printf '%s' "${1%% (*}" | tr -c 'A-Za-z0-9.\n' '-')"; }
is_drawn() { [ -t 2 ] && [ -z "${YOOB_QUIET:-}" ]; }

draw_progress() { # TITLE LOG SECONDS
  local done_ total text line wheel=$'|/-\\'
  read -r done_ total text <<<"$(last_progress "$2")" || true
  if [ -n "${total:-}" ]; then
    line="$1 $(bar "$done_" "$total") $text"
  else
    line="$1 ${wheel:$(($3 % 4)):1}"
  fi
  printf '\r\033[K%.*s  %d s' "$((${COLUMNS:-80} - 10))" "$line" "$3" >&2
}

note_progress() { # TITLE LOG SECONDS: the same as a plain line
  local done_ total percent=""
  read -r done_ total _ <<<"$(last_progress "$2")" || true
  if [ -n "${total:-}" ]; then
    percent=$((done_ * 100 / total))
    [ "$percent" -le 100 ] || percent=100
    percent="$percent % "
  fi
  say "${1%% (*} … $percent($(duration "$3"))"
}

# "[3 of 9] " before a step's title, once it is known how many there are.
step_place() {
  [ "$steps_planned" -gt 0 ] || return 0
  [ "$step_number" -le "$steps_planned" ] || steps_planned=$step_number
  printf '[%d of %d] ' "$step_number" "$steps_planned"
}

# step TITLE HINT COMMAND…: runs a command with its output in a log and its progress on the
# terminal; on failure shows the log's end and HINT, and ends the script. Never call it in a
# condition, or `set -e` is off inside.
step() {
  local title="$1" hint="$2" log started=$SECONDS status=0 said="" live="" count=0 noted=0 spent shown
  shift 2
  step_number=$((step_number + 1))
  shown="$(step_place)$title"
  mkdir -p "$logs"
  log="$(log_of "$title")"
  ! is_drawn || live=1
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  step_group=$!
  set +m
  sign_lock "$title" "$step_group"
  while kill -0 "$step_group" 2>/dev/null; do
    spent=$((SECONDS - started))
    if [ -n "$live" ]; then
      draw_progress "$shown" "$log" "$spent"
    elif [ -z "$said" ] && [ $count -ge 5 ]; then
      say "$shown …"
      said=1
    elif [ $((spent - noted)) -ge "$note_every" ]; then
      note_progress "$shown" "$log" "$spent"
      noted=$spent
    fi
    count=$((count + 1))
    sleep 0.2
  done
  wait "$step_group" || status=$?
  sign_lock
  step_group=""
  [ -z "$live" ] || printf '\r\033[K' >&2
  if [ $status -ne 0 ]; then
    printf 'yoob: %s failed. The end of %s:\n' "$shown" "$log" >&2
    tail -n 15 "$log" | sed 's/^/  /' >&2
    fail "$hint"
  fi
  if [ $((SECONDS - started)) -ge 1 ] || [ -n "$said" ]; then
    say "$shown: done ($(duration $((SECONDS - started))))"
  fi
}

# One set-up at a time. The kernel drops the lock with its last holder, so it cannot be stale; a
# killed set-up's step holds it until it ends.
take_lock() {
  [ -z "${YOOB_LOCKED:-}" ] || return 0
  mkdir -p "$YOOB_HOME" || fail "cannot write to $YOOB_HOME; set YOOB_HOME to a folder of yours."
  exec 9<>"$YOOB_HOME/setup.lock"
  flock -n 9 || wait_for_lock
  export YOOB_LOCKED=1
  lock_is_ours=1
  sign_lock
}

# sign_lock [TITLE GROUP]: writes who holds the lock and the step at work, for those who wait.
sign_lock() {
  [ -z "$lock_is_ours" ] || printf '%s\n' "$$" "${2:-}" "${1:-}" >"$YOOB_HOME/setup.lock"
}

# Sets `holder`, `group` and `title` to what the lock's owner wrote, empty where it is no more.
read_lock() {
  holder="" group="" title=""
  { read -r holder && read -r group && read -r title; } <"$YOOB_HOME/setup.lock" 2>/dev/null || true
  [ -n "$holder" ] && kill -0 "$holder" 2>/dev/null || holder=""
  [ -n "$group" ] && kill -0 -- "-$group" 2>/dev/null || group="" title=""
}

# Polls, because a shell that is blocked in flock does not hear signals.
wait_for_lock() {
  local holder group title text log said="" started=$SECONDS noted=0 spent
  while ! flock -n 9; do
    read_lock
    log="$(log_of "$title")"
    title="${title%% (*}"
    if [ -n "$holder" ]; then
      text="Another set-up (process $holder) is at work here${title:+: $title}; waiting for it."
    elif [ -n "$group" ]; then
      text="“$title” of an earlier, stopped set-up (process group $group) is still running; waiting for it."
      text+=" To end it: kill -- -$group"
    else
      text="A step of an earlier, stopped set-up is still ending; waiting for it."
    fi
    if [ "$text" != "$said" ] && { [ -z "$said" ] || [ -n "$title" ]; }; then
      ! is_drawn || printf '\r\033[K' >&2
      say "$text"
      said="$text"
    fi
    spent=$((SECONDS - started))
    if is_drawn; then
      draw_progress "Waiting${title:+ for $title}" "$log" "$spent"
    elif [ $((spent - noted)) -ge "$note_every" ]; then
      note_progress "Waiting${title:+ for $title}" "$log" "$spent"
      noted=$spent
    fi
    sleep 0.2
  done
  ! is_drawn || printf '\r\033[K' >&2
}
drop_lock() {
  exec 9>&-
  unset YOOB_LOCKED
  lock_is_ours=""
}

# fingerprint PATH…: changes with any file's path, size or time below the paths.
fingerprint() {
  find "$@" -type f -printf '%p %s %T@\n' 2>/dev/null | LC_ALL=C sort | sha256sum | cut -d ' ' -f 1
}
stamp_is() { [ "$(cat "$stamps/$1" 2>/dev/null)" = "$2" ]; }
write_stamp() {
  mkdir -p "$stamps"
  printf '%s\n' "$2" >"$stamps/.$1.new"
  mv "$stamps/.$1.new" "$stamps/$1"
}
