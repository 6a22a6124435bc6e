# Sourced by the scripts of the page: where its tools are, and how they get there.
tools="${YOOB_HOME:-$HOME/.cache/yoob}/tools/web"
offline="${YOOB_OFFLINE:-}"
for argument in "$@"; do
  [[ "$argument" != --offline ]] || offline=1
done

# need_web_tool FILE SCRIPT: installs the pinned tools unless FILE is there.
need_web_tool() {
  [[ ! -e "$1" ]] || return 0
  if [[ -n "$offline" ]]; then
    echo "$2: the tools of the page are missing in $tools; run $2 once with a network" >&2
    exit 1
  fi
  scripts/setup/only web-tools
}
