#!/bin/bash
# Copies a session of the home to another folder: its log, the logs of its agents and what is
# beside them go to the project folder of DIR, and each log that names the old folder as its
# working directory then names DIR. It prints the names of the old files, which you remove.
# Backups and todos stay where they are, because the session keeps its id.
#
#	move.sh SESSION DIR
#
# End the session first. If a line is torn or unfinished, a file changes meanwhile or a file is
# there already, the script copies nothing: it makes the copies aside, and gives them their names at
# the end, the log last. If it is interrupted, it removes them again; only SIGKILL may leave copies,
# or a folder .move.*. A log that was archived becomes a plain file.
set -euo pipefail
shopt -s nullglob dotglob
umask 077
unset CDPATH # cd goes where it is told

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
	[[ $file != *$'\n'* ]] || fail "${file@Q}: a line break in a name"
	copy=${file#projects/*/}
	case ${file##*/} in agent-*.jsonl.zst) copy=${copy%.zst} ;; esac
	[[ $file == projects/*/*/* || ${file##*/} == agent-* ]] || { log=$file copy=${copy%.zst}; }
	[ ! -e "$to/$copy" ] || fail "$to/$copy exists"
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

# ours reports whether a name in the project folder belongs to a copy of this run: a folder that was
# aside, or a file that still is.
ours() {
	[ -e "$to/$1" ] && { [ "$to/$1" -ef "$aside/$1" ] || [ "$(stat -c %d:%i -- "$to/$1")" = "${folders[$1]-}" ]; }
}

# end removes what is aside, and, unless all copies have their names, those that have.
end() {
	trap '' INT TERM HUP
	set +e
	for name in "${names[@]}"; do
		[ -z "$done" ] && ours "$name" && rm -rf -- "${to:?}/$name"
	done
	[ -z "$aside" ] || rm -rf -- "$aside"
	[ -z "$made" ] || rmdir --ignore-fail-on-non-empty -- "$to" 2>/dev/null
	names=() aside='' made='' # a signal may come before the first line
}

done='' aside='' made='' names=()
declare -A folders
trap 'end; exit 130' INT
trap 'end; exit 143' TERM
trap 'end; exit 129' HUP
trap end EXIT
[ -d "$to" ] || made=1
mkdir -p -- "$to"
aside=$(mktemp -d -- "$to/.move.XXXXXXXX")
was=$(stat -c '%n %s %y' -- "${old[@]}")
home=$(cwd "$log")
for i in "${!old[@]}"; do
	copy=$aside/${new[i]}
	mkdir -p -- "${copy%/*}"
	if [[ ${old[i]} != "$log" && ${new[i]##*/} != agent-*.jsonl ]] || [ ! -s "${old[i]}" ]; then
		cp -p -- "${old[i]}" "$copy"
		continue
	fi
	worked=$(cwd "${old[i]}") # the folder, or a worktree in it
	below=${worked#"$home"}
	[[ $home == /* ]] || below=${below//\\//}
	if [[ -n $home && $worked == "$home"* && $below/ == /* ]]; then
		whole "${old[i]}" --cwd "$dir$below" > "$copy"
	else
		whole "${old[i]}" > "$copy"
	fi
	chmod --reference="${old[i]}" -- "$copy"
	touch -r "${old[i]}" -- "$copy"
done
[ "$was" = "$(stat -c '%n %s %y' -- "${old[@]}")" ] || fail "$1: a file changed meanwhile"

# A link does not replace a file, and a folder replaces no folder but an empty one.
names=(); for copy in "$aside"/*; do names+=("${copy##*/}"); done
for name in "${names[@]}"; do
	[ ! -d "$aside/$name" ] || folders[$name]=$(stat -c %d:%i -- "$aside/$name")
done
log=${log##*/} log=${log%.zst}
for name in "${names[@]}"; do
	if [ -d "$aside/$name" ]; then
		mv -T -- "$aside/$name" "$to/$name"
	elif [ "$name" != "$log" ]; then
		ln -- "$aside/$name" "$to/$name"
	fi
done
ln -- "$aside/$log" "$to/$log"
done=1
printf '%s\n' "${old[@]}"
