#!/bin/bash
# Makes a page of a session with its sub-agents, prints its name, and opens it if there is a browser and a screen for it.
#
#	page.sh SESSION [FILE]
#	page.sh 3f1c
#	page.sh s.jsonl s.html
#
# SESSION is an id, or its first four or more characters, or a log. The page is the whole session, above compactions too. If
# FILE is there, the page takes its place when it is whole; without FILE it is in a new folder below TMPDIR. BROWSER names
# the program that opens it, else xdg-open or open does; with FILE, only BROWSER. The status is 1 if nothing was said, 2 if
# something could not be read.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
unset CDPATH # cd goes where it is told

trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'page.sh: %s\n' "$said" >&2
}
fail() { trouble "$@"; exit 2; }

[[ $# -ge 1 && $# -le 2 && $1 != -?* && -n ${2-x} ]] || { echo 'usage: page.sh SESSION [FILE]' >&2; exit 2; }
for tool in find flock jlpath jlrel jq mktemp realpath sed; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
here=$(realpath -- "$0") && here=${here%/*} && . "$here/aside.shlib" || exit 2
for lib in "${JL-}" "$here/../share/jl" "$here/../../../jl" ''; do [ ! -e "$lib/page.jq" ] || break; done
[ -n "$lib" ] || fail 'page.jq is not found: set JL to the folder that has it'
query() { HOME=/nonexistent jq -L "$lib" "$@"; }

page=${2-}
made=
if [ -n "$page" ]; then
	begin "$(dirname -- "$page")" page.sh "$(basename -- "$page")"
	dir=$new
else
	dir=$(mktemp -d "${TMPDIR:-/tmp}/jl-page.XXXXXX") && page=$dir/page.html || exit 2
	trap 'if [ -n "$made" ]; then rm -f -- "$dir/rows" "$dir/logs" "$dir/said"; else rm -rf -- "$dir"; fi' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
fi

# The logs of the session and of its sub-agents; a log that lies in no home has none. Standard input is taken as it is.
status=0 found=0 logs=()
if [ "$1" != - ]; then
	jlrel -- "$1" 2>"$dir/said" | query -j 'select((.kind == "session" or .kind == "agent") and .missing == null and .error == null) | .path + "\u0000"' >"$dir/logs"
	found=${PIPESTATUS[0]}
	mapfile -d '' -t logs <"$dir/logs"
fi
if [ ${#logs[@]} -gt 0 ]; then cat -- "$dir/said" >&2; else logs=("$1") found=0; fi # else jlpath says what is wrong
jlpath -ts -- "${logs[@]}" >"$dir/rows"
status=$?
[ "$found" -le 1 ] || status=2
[ -s "$dir/rows" ] || exit $((status > 1 ? 2 : 1))
query -nr 'include "page"; html(inputs)' "$dir/rows" >"$dir/new" && mv -f -- "$dir/new" "$page" || exit 2
made=1
printf '%s\n' "$page"
[ $status -le 1 ] || exit 2
if [ -n "${2-}" ]; then set -- "${BROWSER-}"; else set -- "${BROWSER-}" ${DISPLAY:+xdg-open} ${WAYLAND_DISPLAY:+xdg-open}; [[ $OSTYPE != darwin* ]] || set -- "$@" open; fi
for open; do
	[ -z "$open" ] || ! type -P "$open" >/dev/null || { "$open" "$page" || trouble "$open did not open it"; exit 0; }
done
exit 0
