#!/bin/bash
# Copies sessions of the home to another folder: their logs, the logs of their agents and what is
# beside them go to the project folder of DIR, and each log that names the old folder as its
# working directory then names DIR. It prints the names of the old files, which you remove.
# Backups and todos stay where they are, because a session keeps its id.
#
#	move.sh SESSION... DIR
#
# End the sessions first. If a line of a session is torn or unfinished, a file changes meanwhile or a file
# is there already, the script copies nothing of it: it makes the copies aside, and gives them their names
# at the end, the log last. If it is interrupted, it removes them again; after a SIGKILL the next run into
# this folder does. A log that was archived becomes a plain file. The other sessions are copied then, too.
set -euo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
shopt -s nullglob dotglob
umask 077
unset CDPATH # cd goes where it is told

fail() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'move.sh: %s\n' "$said" >&2
	exit 1
}

[ $# -ge 2 ] || { echo 'usage: move.sh SESSION... DIR' >&2; exit 2; }
for tool in flock jlpath jlrel jq realpath sync; do
	type -P "$tool" >/dev/null || { echo "move.sh: $tool is not installed" >&2; exit 2; }
done
dir=${!#} dir=${dir%/}
[[ $dir == /* && $dir != *[^\ -~]* && ${#dir} -le 200 ]] ||
	fail "${!#}: not an absolute path of at most 200 ASCII characters; start claude there, and see what its folder is called"
if [ $# -gt 2 ]; then
	status=0
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	for session in "${@:1:$#-1}"; do
		bash -- "$0" "$session" "$dir" || status=$(($? > status ? $? : status))
	done
	exit $status
fi
to=projects/${dir//[^A-Za-z0-9]/-} aside=$to/.move mark='unfinished files of move.sh'
here=$PWD
cd -- "${CLAUDE_CONFIG_DIR:-$HOME/.claude}"

# is reports whether a name in the project folder belongs to a copy: DEVICE:INODE:BIRTH NAME.
is() { [ "$(stat -c %d:%i:%W -- "$to/${1#* }" 2>/dev/null)" = "${1%% *}" ]; }

# undo removes the copies that have their names, unless the last of them, the log, has its name.
undo() {
	local name names
	[ -e "$aside/names" ] || return 0
	mapfile -t names <"$aside/names"
	is "${names[-1]}" || for name in "${names[@]}"; do ! is "$name" || rm -rf -- "${to:?}/${name#* }"; done
	rm -- "$aside/names"
}

# end removes what is not finished.
end() {
	trap '' INT TERM HUP
	set +e
	[ -z "$ours" ] || { undo; rm -rf -- "$aside/new" "$aside/list" && rm -rf -- "$aside"; } # the mark goes last
	[ -z "$made" ] || rmdir --ignore-fail-on-non-empty -- "$to" 2>/dev/null
}

made='' ours=''
trap 'end; exit 130' INT
trap 'end; exit 143' TERM
trap 'end; exit 129' HUP
trap end EXIT

# One run at a time writes to a folder. It first removes what a killed run has left, if the mark is that of this script.
[ -d "$to" ] || made=1
while mkdir -p -- "$aside" && exec 9>>"$aside/mark" && flock 9; do
	[ ! "$aside/mark" -ef /dev/fd/9 ] || break # else the run before has removed it
done
[ "$(cat -- "$aside/mark")" = "$mark" ] || [ -z "$(find "$aside/" -mindepth 1 ! '(' -name mark -empty ')' -print -quit)" ] ||
	fail "$aside is not of this script"
ours=1
printf '%s\n' "$mark" >"$aside/mark"
undo
rm -rf -- "$aside/new" && mkdir -- "$aside/new"

mapfile -d '' -t files < <(cd -- "$here" && jlrel -0 --relative -- "$1")
wait $! # for its status
old=() new=() log=
for file in "${files[@]}"; do
	[[ $file == projects/*/* ]] || continue
	[[ $file != *$'\n'* ]] || fail "${file@Q}: a line break in a name"
	[ ! -L "$file" ] || fail "$file: a symbolic link"
	copy=${file#projects/*/}
	case ${file##*/} in agent-*.jsonl.zst) copy=${copy%.zst} ;; esac
	[[ $file == projects/*/*/* || ${file##*/} == agent-* ]] || { log=$file copy=${copy%.zst}; }
	[ ! -e "$to/$copy" ] || fail "$to/$copy exists"
	old+=("$file") new+=("$copy")
done
[ -n "$log" ] || fail "$1: it has no log"
twice=$(printf '%s\n' "${new[@]}" | sort | uniq -d)
[ -z "$twice" ] || fail "two files would become $twice"

# cwd prints the first working directory of a log. Without a library of the user, jq starts at once.
cwd() { jlpath -a -- "$1" 2>/dev/null | HOME=$aside jq -r 'select(.cwd).cwd' 2>/dev/null | head -n 1 || true; }

# whole prints a log, with the options of jlpath, unless there is anything to say about it.
whole() {
	local said
	{ said=$(jlpath -a "${@:2}" -- "$1" 2>&1 >&3); } 3>&1 && [ -z "$said" ] || fail "${said:-$1: it has no entry}"
}

was=$(stat -c '%n %s %i %y' -- "${old[@]}")
home=$(cwd "$log")
for i in "${!old[@]}"; do
	copy=$aside/new/${new[i]}
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
changed() { [ "$was" != "$(stat -c '%n %s %i %y' -- "${old[@]}")" ]; }
find "$aside/new" -type f -exec sync -- {} +
! changed || fail "$1: a file changed meanwhile"

# A link does not replace a file, and a folder replaces no folder but an empty one.
log=${log##*/} log=${log%.zst} names=()
for copy in "$aside/new"/*; do [ "${copy##*/}" = "$log" ] || names+=("${copy##*/}"); done
names+=("$log")
for name in "${names[@]}"; do printf '%s %s\n' "$(stat -c %d:%i:%W -- "$aside/new/$name")" "$name"; done >"$aside/list"
mv -- "$aside/list" "$aside/names"
for name in "${names[@]}"; do
	if [ -d "$aside/new/$name" ]; then mv -T -- "$aside/new/$name" "$to/$name"; else ln -- "$aside/new/$name" "$to/$name"; fi
done
sync -- "$to"
! changed || { rm -- "$to/$log" && fail "$1: a file changed meanwhile"; } # the other copies go at the end
printf '%s\n' "${old[@]}"
