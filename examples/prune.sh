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
# A session is removed only after each of its files was compared with what is in the archive. A plan or a
# paste that another log names, too, is packed and stays. If a file of a session cannot be listed,
# read or compared, or changes meanwhile, or if an archive of it is there that holds anything else, the
# script names the session and leaves all of it alone, and the exit status is 2.
set -uo pipefail
umask 077
unset CDPATH # cd goes where it is told

status=0
trouble() { printf 'prune.sh: %s\n' "$*" >&2; status=2; }
fail() { trouble "$@"; exit 2; }

[[ $# -ge 2 && $# -le 3 && $1 =~ ^[0-9]+$ ]] || { echo 'usage: prune.sh DAYS DIR [HOME]' >&2; exit 2; }
mkdir -p -- "$2" && dir=$(cd -- "$2" && pwd) || exit 2
homes=(${3+--home "$3"})

# What is not finished is in a folder, which a later run removes, if the mark in it is that of this script.
new=$dir/.prune mark='unfinished files of prune.sh'
mkdir -p -- "$new" || exit 2
[ "$(cat -- "$new/mark" 2>/dev/null)" = "$mark" ] ||
	[ -z "$(find "$new/" -mindepth 1 ! '(' -name mark -empty ')' -print -quit)" ] || fail "$new is not of this script"
exec 9>>"$new/mark"
flock -n 9 || fail "another run writes to $dir"
printf '%s\n' "$mark" >"$new/mark" || exit 2
trap 'rm -rf -- "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# holds reports whether an archive holds each file of the session as it is.
holds() {
	local file
	rm -rf -- "$new/check" && mkdir -- "$new/check" && zstd -dcq -- "$1" | tar -C "$new/check" -x || return
	for file in "${files[@]}"; do cmp -s -- "$home/$file" "$new/check/$file" || return; done
}

# shared reports whether another log names a plan or a paste, or may do so, if not all logs were listed.
shared() {
	local name=${1##*/}
	[[ $1 == plans/* || $1 == paste-cache/* ]] || return
	[ -n "$partly" ] || [ -n "$(grep -zvxF -e "$log" -- "$new/logs" | xargs -0r zstdgrep -lF -e "${name%.*}")" ]
}

# prune packs a session and removes it.
prune() {
	local agent=$1 id=$2 log=$3 home='' own='' files was archive file
	jlrel "${homes[@]}" -0 --relative -- "$log" >"$new/files" || return
	mapfile -d '' -t files <"$new/files"
	for file in "${files[@]}"; do [[ $log != *"/$file" ]] || own=$file home=${log%"/$file"}; done
	[ -n "$own" ] || return
	archive=$dir/$agent/$id.tar.zst
	[ -z "$(cd -- "$home" && find "${files[@]}" -newermt "@$since" -print -quit)" ] || return 0 # an agent still runs
	was=$(cd -- "$home" && stat -c '%n %s %y' -- "${files[@]}") || return
	if [ ! -e "$archive" ]; then
		mkdir -p -- "$dir/$agent" && tar -C "$home" --null -T "$new/files" -c | zstd -qf --long=27 -o "$new/tar" &&
			holds "$new/tar" && sync -- "$new/tar" && mv -nT -- "$new/tar" "$archive" && sync -- "$dir/$agent" || return
	fi
	holds "$archive" || { trouble "$archive does not hold the session as it is"; return 1; }
	(cd -- "$home" && [ "$was" = "$(stat -c '%n %s %y' -- "${files[@]}")" ]) || { trouble "$log: it changed meanwhile"; return 1; }
	for file in "${files[@]}"; do
		[ "$file" = "$own" ] || shared "$file" || rm -- "$home/$file" || return
	done
	rm -- "$home/$own" || return # the last: a session without its log would not be found again
	(cd -- "$new/check" && find . -mindepth 1 -depth -type d -print0) | (cd -- "$home" && xargs -0 rmdir -- 2>/dev/null)
	printf '%s\n' "$archive"
}

since=$(date -d "$1 days ago" +%s) partly=''
jlrel "${homes[@]}" --list >"$new/rows" || [ $? -eq 1 ] || status=2 partly=1
jq -j '.path + "\u0000"' "$new/rows" >"$new/logs" || exit 2
jq -j --argjson since "$since" 'select(.lastModified / 1000 < $since) | (.agent, .sessionId, .path) + "\u0000"' "$new/rows" >"$new/old" || exit 2
while IFS= read -rd '' agent && IFS= read -rd '' id && IFS= read -rd '' log; do
	prune "$agent" "${id//\//_}" "$log" || trouble "$log: not removed"
done <"$new/old"
exit $status
