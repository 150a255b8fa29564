#!/bin/bash
# Copies a session of the home to another folder: its log, the logs of its agents and what is
# beside them go to the project folder of DIR, and what worked in the old folder then says that it
# worked in DIR. It prints the names of the old files, which are yours to remove. Backups and
# todos stay where they are: their folders have no other name.
#
#	move.sh SESSION DIR
#
# End the session before. If a line is torn or not finished, or a file is there already, nothing
# is copied. A log that was archived becomes a plain file.
set -euo pipefail
umask 077

fail() { printf 'move.sh: %s\n' "$*" >&2; exit 1; }

[ $# -eq 2 ] || { echo 'usage: move.sh SESSION DIR' >&2; exit 2; }
dir=${2%/}
[[ $dir == /* && $dir != *[^\ -~]* && ${#dir} -le 200 ]] ||
	fail "$2: not an absolute path of at most 200 ASCII characters; start claude there, and see what its folder is called"
to=projects/${dir//[^A-Za-z0-9]/-}
mapfile -d '' -t files < <(jlrel -0 --relative -- "$1")
wait $! # for its status
cd "${CLAUDE_CONFIG_DIR:-$HOME/.claude}"

old=() new=() log=
for file in "${files[@]}"; do
	[[ $file == projects/*/* ]] || continue
	copy=$to/${file#projects/*/}
	case ${file##*/} in agent-*.jsonl.zst) copy=${copy%.zst} ;; esac
	[[ $file == projects/*/*/* || ${file##*/} == agent-* ]] || { log=$file copy=${copy%.zst}; }
	[ ! -e "$copy" ] || fail "$copy exists"
	old+=("$file") new+=("$copy")
done
[ -n "$log" ] || fail "$1: it has no log"
twice=$(printf '%s\n' "${new[@]}" | sort | uniq -d)
[ -z "$twice" ] || fail "two files would become $twice"

# cwd prints the first working directory of a log.
cwd() { jlpath -a -- "$1" 2>/dev/null | jq -r 'select(.cwd).cwd' 2>/dev/null | head -n 1 || true; }

# whole prints a log, with the options of jlpath, unless there is anything to say about it.
whole() {
	local said
	{ said=$(jlpath -a "${@:2}" -- "$1" 2>&1 >&3); } 3>&1 && [ -z "$said" ] || fail "${said:-$1: it has no entry}"
}

done=
trap '[ "$done" ] || printf "%s\0" "${new[@]}" | xargs -0 rm -f --' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
home=$(cwd "$log")
for i in "${!old[@]}"; do
	mkdir -p "${new[i]%/*}"
	if [[ ${old[i]} != "$log" && ${new[i]##*/} != agent-*.jsonl ]] || [ ! -s "${old[i]}" ]; then
		cp -p -- "${old[i]}" "${new[i]}"
		continue
	elif [ "$(cwd "${old[i]}")" = "$home" ]; then
		whole "${old[i]}" --cwd "$dir" > "${new[i]}"
	else
		whole "${old[i]}" > "${new[i]}"
	fi
	chmod --reference="${old[i]}" -- "${new[i]}"
	touch -r "${old[i]}" -- "${new[i]}"
done
done=1
printf '%s\n' "${old[@]}"
