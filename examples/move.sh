#!/bin/bash
# Moves a session of the home to another folder: its log, the logs of its agents and what is
# beside them go to the project folder of DIR, and what worked in the old folder then says that
# it worked in DIR. Backups and todos stay where they are: their folders have no other name.
#
#	move.sh SESSION DIR
#
# Nothing is removed before all is copied. If a line is torn, or a file is there already, the
# session stays as it is. A log that was archived becomes a plain file.
set -euo pipefail

fail() { printf 'move.sh: %s\n' "$*" >&2; exit 1; }

[ $# -eq 2 ] || { echo 'usage: move.sh SESSION DIR' >&2; exit 2; }
dir=$2
to=projects/$(printf %s "$dir" | sed 's/[^A-Za-z0-9]/-/g')
mapfile -d '' -t files < <(jlrel -0 --relative -- "$1")
wait $! # for its status
cd "${CLAUDE_CONFIG_DIR:-$HOME/.claude}"

old=() new=() log=
declare -A taken
for file in "${files[@]}"; do
	[[ $file == projects/*/* ]] || continue
	copy=$to/${file#projects/*/}
	[[ $file != *.jsonl.zst ]] || copy=${copy%.zst}
	[[ $file != projects/*/*/* && ${file##*/} != agent-* ]] && log=$file
	[ ! -e "$copy" ] && [ -z "${taken[$copy]-}" ] || fail "$copy exists"
	taken[$copy]=1
	old+=("$file") new+=("$copy")
done
[ -n "$log" ] || fail "$1: it has no log"

# cwd prints the first working directory of a log.
cwd() { jlpath -a -- "$1" 2>/dev/null | grep -m 1 -o '"cwd":"[^"]*"' || true; }

home=$(cwd "$log")
trap '[ $? -eq 0 ] || rm -f -- "${new[@]}"' EXIT
for i in "${!old[@]}"; do
	mkdir -p "${new[i]%/*}"
	if [[ ${new[i]} != *.jsonl ]]; then
		cp -p -- "${old[i]}" "${new[i]}"
	elif [ "$(cwd "${old[i]}")" = "$home" ]; then
		jlpath -a --cwd "$dir" -- "${old[i]}" > "${new[i]}"
	else
		jlpath -a -- "${old[i]}" > "${new[i]}"
	fi
done
trap - EXIT
rm -- "${old[@]}"
folder=${log%.jsonl*}
[ ! -d "$folder" ] || find "$folder" -depth -type d -empty -delete
