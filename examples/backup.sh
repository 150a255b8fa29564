#!/bin/bash
# Backs up the sessions of a home: an archive of each log below DIR, at the same place and with
# the same name, and copies of the other files. What has not changed since the last run stays as
# it is. What the client has deleted stays in DIR.
#
#	backup.sh DIR
#	backup.sh HOME DIR
#
# Without HOME it backs up the homes of jlrel --homes, each below DIR/NAME. OpenCode and
# Cursor keep sessions in SQLite, which it does not back up: it says so.
#
# Then DIR has all that jlrel --list prints. Links are followed where jlrel follows them: to a folder of
# logs, and to a log. The script names what it could not read or copy, any other link that leads out of the
# backup, a log that another process has open, and a log, packed or not, that does not begin with what its
# archive in DIR holds. It leaves these alone, and the exit status is 2.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
shopt -s nullglob
umask 077
unset CDPATH # cd goes where it is told

status=0
trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'backup.sh: %s\n' "$said" >&2
	status=2
}
fail() { trouble "$@"; exit 2; }

[[ $# -ge 1 && $# -le 2 && -n ${1-} && -n ${2-x} ]] || { echo 'usage: backup.sh [HOME] DIR' >&2; exit 2; }
for tool in find flock jlcompact jlrel realpath xargs; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
me=$(realpath -- "$0") && . "${me%/*}/aside.shlib" || exit 2

# has_logs sets roots to the folders of the working directory in which agents keep logs, if there is one.
has_logs() {
	local root
	roots=()
	for root in projects sessions archived_sessions session-state tmp/*/chats; do [ ! -e "$root" ] || roots+=("$root"); done
	[ ${#roots[@]} -gt 0 ]
}

if [ $# -eq 1 ]; then
	mapfile -t rows < <(jlrel --homes 2>/dev/null) # the runs below name what is wrong
	mapfile -d '' homes < <(jlrel --homes -0 2>/dev/null)
	taken=()
	for ((i = 0; i < ${#homes[@]}; i++)); do
		home=${homes[i]} name=${rows[i]#*'"name":"'}
		name=${name%%\"*}
		[[ $name != *[^A-Za-z0-9_/-]* ]] || continue
		(cd -- "$home" 2>/dev/null && has_logs) || continue
		taken+=("${home%/}")
		mkdir -p -- "$1/$name" && bash -- "$0" "$home" "$1/$name" || status=2
	done
	while IFS= read -rd '' log; do # an agent that only jlrel knows
		for home in "${taken[@]}"; do [[ $log != "$home"/* ]] || continue 2; done
		trouble "$log: not in the backup"
	done < <(jlrel --list -0 2>/dev/null) # the runs above have named what is wrong
	for home in "${XDG_DATA_HOME:-$HOME/.local/share}/opencode" "$HOME/.cursor/chats"; do
		[ ! -e "$home" ] || printf 'backup.sh: %s: sessions in SQLite, which are not in the backup\n' "$home" >&2
	done
	[ ${#taken[@]} -gt 0 ] || fail 'there is no home of an agent'
	exit $status
fi
[ -d "$1" ] || fail "$1: no such folder"
mkdir -p -- "$2" && cd -- "${2/#-/./-}" && dir=$PWD && cd -- "$OLDPWD" && cd -- "${1/#-/./-}" || exit 2
here=$(pwd -P)
has_logs || fail "$1: no home of an agent"
for root in daemon/gateway-routed debug file-history history.jsonl image-cache jobs paste-cache plans projects.json \
	session-env session_index.jsonl tasks teams todos; do
	[ ! -e "$root" ] && [ ! -L "$root" ] || roots+=("$root")
done

begin "$dir" backup.sh

# listed are the logs that jlrel prints, above the folders in which they are.
declare -A listed above folders modes
jlrel --list -0 --relative --home . >"$new/list" 2>"$new/said" || [ $? -eq 1 ] || status=2
[ ! -s "$new/list" ] && [ $status -eq 0 ] || cat -- "$new/said" >&2 # else there is no session yet
while IFS= read -rd '' file; do
	listed[$file]=1
	while [[ $file == */* ]]; do file=${file%/*} above[$file]=1; done
done <"$new/list"

# modes are those of the files in the backup.
find "$dir" -type f -printf '%m\0%P\0' >"$new/found" || status=2
while IFS= read -rd '' mode && IFS= read -rd '' file; do modes[$file]=$mode; done <"$new/found"

# aside packs a log that jlcompact does not pack where it is: an archive, or one behind a link.
aside() {
	local log=$new/log/${1##*/}
	rm -rf -- "$new/log" && mkdir -- "$new/log" && cp -pL -- "$1" "$log" || return
	case $log in
	*.zst) jlcompact --extract -- "$log" && log=${log%.zst} ;;
	*.gz) gzip -d -- "$log" && log=${log%.gz} ;;
	esac && jlcompact --archive --update --to "$2" -- "$log"
}

# changed reports whether a file with a mode has another time than its copy, since the clock may have gone back, or
# another mode.
changed() { [ "$1" -nt "$dir/$2" ] || [ "$1" -ot "$dir/$2" ] || [ "${modes[$2]-}" != "$3" ]; }

# take backs up a file with a mode. It leaves a log to the end, when the logs of a folder are packed together.
take() {
	local to=$dir/$1
	[ -d "${to%/*}" ] || mkdir -p -- "${to%/*}" || return
	case $1 in
	projects/*.jsonl | *sessions/*.jsonl | session-state/*.jsonl | tmp/*.jsonl)
		if [ -L "$1" ]; then aside "$1" "${to%/*}"; elif changed "$1" "$1.zst" "$2"; then folders[${1%/*}]+=${1##*/}/; fi ;;
	*.jsonl.zst | *.jsonl.gz)
		! changed "$1" "${1%.*}.zst" "$2" || aside "$1" "${to%/*}" ;;
	*)
		! changed "$1" "$1" "$2" || { cp -p -- "$1" "$new/copy" && mv -T -- "$new/copy" "$to"; } ;;
	esac
}

# inside reports whether a link leads to what is in the backup anyway.
inside() {
	local to root
	to=$(realpath -e -- "$1" 2>/dev/null) && for root in "${roots[@]}"; do
		[[ $to/ != "$here/$root"/* ]] || return 0
	done
	return 1
}

for ((i = 0; i < ${#roots[@]}; i++)); do
	root=${roots[i]}
	if [ -L "$root" ] && [ -z "${above[$root]-}" ]; then
		inside "$root" || trouble "$root: a symbolic link; what is behind it is not in the backup"
		continue
	fi
	find -H "$root" \( -type f -o -type l \) -printf '%m\0%p\0' >"$new/found" || status=2
	while IFS= read -rd '' mode && IFS= read -rd '' file; do
		if [ -L "$file" ] && [ -z "${listed[$file]-}" ]; then
			roots+=("$file")
		else
			take "$file" "$mode" || [ ! -e "$file" ] || trouble "$file: not in the backup" # it may be gone
		fi
	done <"$new/found"
done
for folder in "${!folders[@]}"; do
	names=${folders[$folder]}
	while [ -n "$names" ]; do
		[ ! -e "$folder/${names%%/*}" ] || printf '%s\0' "$folder/${names%%/*}" # it may be gone
		names=${names#*/}
	done | xargs -0r jlcompact --archive --keep --update --to "$dir/$folder" -- || status=2
done
for file in "${!listed[@]}"; do
	log=${file%.zst}
	[ -e "$dir/${log%.gz}.zst" ] || trouble "$file: not in the backup"
done
exit $status
