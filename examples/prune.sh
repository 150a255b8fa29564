#!/bin/bash
# Packs the sessions that have not changed for DAYS days, each with all its files (agents, tool results,
# backups, todos, plans and so on), as DIR/AGENT/ID.tar.zst, and then removes these files. It prints the
# names of the archives. Without HOME it looks into the homes of all agents.
#
#	prune.sh DAYS DIR [HOME]
#
# The way back, which replaces nothing:
#
#	zstd -dc DIR/claude/ID.tar.zst | tar -C ~/.claude -xk
#
# A session is removed only after each of its files was compared with what is in the archive. What another
# session has, too, such as a plan or a paste, is packed and stays; so does all that is not called by the id of
# the session, if jlrel cannot read all sessions. If a file of a session is a symbolic link, cannot be listed,
# read or compared, changes meanwhile or is open in another program, or if an archive of it is there that holds
# anything else, the script names the session and leaves all of it alone, and the exit status is 2. A run that was
# killed has removed only what is in the archive, and the next one goes on.
set -uo pipefail
case ${1-} in -h | --help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' -- "$0"; exit ;; esac
umask 077
unset CDPATH # cd goes where it is told

status=0
trouble() { # a name may have characters that a terminal obeys
	local said=$*
	[[ $said != *[[:cntrl:]]* ]] || said=${said@Q}
	printf 'prune.sh: %s\n' "$said" >&2
	status=2
}
fail() { trouble "$@"; exit 2; }

[[ $# -ge 2 && $# -le 3 && $1 =~ ^[0-9]+$ ]] || { echo 'usage: prune.sh DAYS DIR [HOME]' >&2; exit 2; }
for tool in cmp find flock jlrel jq realpath sed stat sync tar xargs zstd; do type -P "$tool" >/dev/null || fail "$tool is not installed"; done
me=$(realpath -- "$0") && . "${me%/*}/aside.shlib" || exit 2
since=$(date -d "$1 days ago" +%s) || exit 2
mkdir -p -- "$2" && dir=$(cd -- "$2" && pwd) || exit 2
homes=(${3+--home "$3"})

begin "$dir" prune.sh

# holds reports whether an archive holds each file of the session as it is, and nothing but files.
holds() {
	local file
	rm -rf -- "$new/check" && mkdir -- "$new/check" && zstd -dcq -- "$1" | tar -C "$new/check" -x &&
		find "$new/check" ! -type d ! -type f >"$new/odd" && [ ! -s "$new/odd" ] || return
	for file in "${files[@]}"; do cmp -s -- "$home/$file" "$new/check/$file" || return; done
}

# theirs reports whether a file is that of another session, too, or may be: the rows do not tell it of a name that is not text.
theirs() {
	! LC_ALL=C.UTF-8 grep -qavx '.*' <<<"$1" || [[ $1 == *"$id"* ]] || return 0
	[ "${others[$home/$1]-0}" -gt 0 ] || { [ -n "$partly" ] && [[ $1 != *"${id:0:8}"* ]]; }
}

# gone removes a file of the session. To a log a program may write meanwhile.
gone() {
	[[ $1 == *.jsonl ]] || { rm -- "$home/$1"; return; }
	remove "$home/$1" "$new/check/$1" || { trouble "$home/$1: it changed meanwhile, or another program has it open"; return 1; }
}

# folders removes the folders of the session that are empty.
folders() { (cd -- "$new/check" && find . -mindepth 1 -depth -type d -print0) | (cd -- "$home" && xargs -0 rmdir -- 2>/dev/null); }

# prune packs a session and removes it.
prune() {
	local agent=$1 id=$2 log=$3 home='' own='' files times was archive file
	jlrel "${homes[@]}" -0 --relative -- "$log" >"$new/files" || return
	mapfile -d '' -t files <"$new/files"
	for file in "${files[@]}"; do [[ $log != *"/$file" ]] || own=$file home=${log%"/$file"}; done
	[ -n "$own" ] || return
	for file in "${files[@]}"; do [ ! -L "$home/$file" ] || { trouble "$home/$file: a symbolic link"; return 1; }; done
	archive=$dir/$agent/${id//\//_}.tar.zst
	was=$(cd -- "$home" && stat -c '%n %s %i %y' -- "${files[@]}") && times=$(cd -- "$home" && stat -c %Y -- "${files[@]}") || return
	for file in $times; do [ "$file" -lt "$since" ] || return 0; done # an agent still runs
	if [ ! -e "$archive" ]; then
		mkdir -p -- "$dir/$agent" && tar -C "$home" --null -T "$new/files" -c | zstd -qf --long=27 -o "$new/tar" &&
			holds "$new/tar" && sync -- "$new/tar" && mv -nT -- "$new/tar" "$archive" && sync -- "$dir/$agent" || return
	fi
	holds "$archive" || { trouble "$archive does not hold the session as it is"; return 1; }
	[ "$was" = "$(cd -- "$home" && stat -c '%n %s %i %y' -- "${files[@]}")" ] || { trouble "$log: it changed meanwhile"; return 1; }
	for file in "${files[@]}"; do
		[ "$file" = "$own" ] || theirs "$file" || gone "$file" || return
		others[$home/$file]=$((${others[$home/$file]-0} - 1))
	done
	folders
	gone "$own" || return # the last: a session without its log would not be found again
	folders
	[[ $archive != *[[:cntrl:]]* ]] || archive=${archive@Q}
	printf '%s\n' "$archive"
}

partly=''
jlrel "${homes[@]}" --list >"$new/rows" || [ $? -eq 1 ] || status=2 partly=1
jlrel "${homes[@]}" --list -0 2>/dev/null >"$new/logs" # in the order of the rows, and names that are not text as they are
mapfile -d '' -t logs <"$new/logs"
if [ ${#logs[@]} -ne "$(wc -l <"$new/rows")" ]; then # they changed meanwhile
	jq -j '.path + "\u0000"' "$new/rows" >"$new/logs" || exit 2
	mapfile -d '' -t logs <"$new/logs"
fi
jq -nj --argjson since "$since" 'foreach inputs as $row (-1; . + 1; select($row.lastModified / 1000 < $since) | ($row.agent, $row.sessionId, tostring) + "\u0000")' "$new/rows" >"$new/old" || exit 2
[ -s "$new/old" ] || exit $status
xargs -0r jlrel "${homes[@]}" -- <"$new/logs" >"$new/members" || status=2 partly=1
jq -nj '[inputs | {path, sessionId}] | unique | group_by(.path)[] | select(length > 1) | (.[0].path, length - 1) | tostring + "\u0000"' "$new/members" >"$new/shared" || exit 2
declare -A others # how many other sessions have a file
while IFS= read -rd '' file && IFS= read -rd '' n; do others[$file]=$n; done <"$new/shared"
while IFS= read -rd '' agent && IFS= read -rd '' id && IFS= read -rd '' at; do
	log=${logs[at]}
	prune "$agent" "$id" "$log" || trouble "$log: not removed"
done <"$new/old"
exit $status
